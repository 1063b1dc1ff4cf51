//! The calls, and their expected results.

use hookbox::{Code, Hook, Input, Outcome, Registry, Verdict};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The time limit of a call that its caller does not cancel.
const FOR_EVER: Duration = Duration::from_secs(3600);

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A hook that answers.
    Good,
    /// A process that answers, which costs many times as much.
    Process,
    /// A hook that does not answer properly.
    Hostile,
    /// A process that does not answer properly.
    HostileProcess,
}

/// A chain, and the calls sent through it.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) registry: Registry,
    /// Makes the command of the call with this number. It is unique to each call.
    pub(crate) command: Box<dyn Fn(u64) -> String + Send + Sync>,
    /// Makes the expected result of a call with this command.
    pub(crate) expected: Box<dyn Fn(&str) -> Expected + Send + Sync>,
    pub(crate) given_up_after: Duration,
}

impl Scenario {
    pub(crate) fn new(
        name: &'static str,
        kind: Kind,
        hooks: impl IntoIterator<Item = Box<dyn Hook>>,
        command: impl Fn(u64) -> String + Send + Sync + 'static,
        expected: impl Fn(&str) -> Expected + Send + Sync + 'static,
    ) -> Self {
        let registry = Registry::new();
        for hook in hooks {
            registry.register_shared(hook.into()).unwrap();
        }
        let (command, expected) = (Box::new(command), Box::new(expected));
        Scenario { name, kind, registry, command, expected, given_up_after: FOR_EVER }
    }

    /// Sends the call with this number through the chain. Returns the expected result, the actual one unless the call
    /// was cancelled, and the time it took.
    pub(crate) async fn call(&self, number: u64) -> (Expected, Option<Outcome>, Duration) {
        let command = (self.command)(number);
        let input = Input::pre_tool("bash", &tool_input(&command)).unwrap();
        let expected = (self.expected)(&command);
        let started = Instant::now();
        let answer = tokio::time::timeout(self.given_up_after, self.registry.run_pre(input)).await;
        (expected, answer.ok(), started.elapsed())
    }

    pub(crate) fn expecting(self, expected: impl Fn(&str) -> Expected + Send + Sync + 'static) -> Self {
        Scenario { expected: Box::new(expected), ..self }
    }

    /// Counts the calls with this counter.
    pub(crate) fn counted_by(self, counter: &Arc<AtomicU64>) -> Self {
        let (counter, command) = (Arc::clone(counter), self.command);
        let command = move |number| {
            counter.fetch_add(1, Ordering::SeqCst);
            command(number)
        };
        Scenario { command: Box::new(command), ..self }
    }

    pub(crate) fn given_up_after(self, given_up_after: Duration) -> Self {
        Scenario { given_up_after, ..self }
    }
}

/// The expected result of a call.
#[derive(Debug)]
pub(crate) struct Expected {
    /// The verdict; `None` if no answer comes before the call is cancelled.
    verdict: Option<Verdict>,
    code: Option<Code>,
    reason: Option<String>,
    /// Whether the reason only has to contain the expected text.
    is_part: bool,
    context: Vec<String>,
    tool_input: String,
}

/// Returns a tool's input with this command, as JSON.
pub(crate) fn tool_input(command: &str) -> String {
    serde_json::json!({ "command": command }).to_string()
}

impl Expected {
    pub(crate) fn allow(command: &str) -> Self {
        Expected {
            verdict: Some(Verdict::Allow),
            code: None,
            reason: None,
            is_part: false,
            context: Vec::new(),
            tool_input: tool_input(command),
        }
    }

    pub(crate) fn deny(command: &str, reason: String) -> Self {
        Expected { verdict: Some(Verdict::Deny), reason: Some(reason), ..Expected::allow(command) }
    }

    /// Expects an ask whose reason contains this text.
    pub(crate) fn ask(command: &str, part: &str) -> Self {
        let reason = Some(part.to_owned());
        Expected { verdict: Some(Verdict::Ask), reason, is_part: true, ..Expected::allow(command) }
    }

    /// Expects a failure with this code. Its wording may depend on how busy the machine is.
    pub(crate) fn failure(command: &str, code: Code) -> Self {
        Expected { verdict: Some(Verdict::Deny), code: Some(code), ..Expected::allow(command) }
    }

    pub(crate) fn given_up(command: &str) -> Self {
        Expected { verdict: None, ..Expected::allow(command) }
    }

    pub(crate) fn with_context(self, context: &str) -> Self {
        Expected { context: vec![context.to_owned()], ..self }
    }

    pub(crate) fn rewritten(self, tool_input: String) -> Self {
        Expected { tool_input, ..self }
    }

    /// Returns what is wrong with the answer, if anything.
    pub(crate) fn complaint(&self, outcome: Option<&Outcome>) -> Option<String> {
        let right = match (self.verdict, outcome) {
            (None, None) => true,
            (Some(verdict), Some(outcome)) => verdict == outcome.verdict && self.fits(outcome),
            _ => false,
        };
        (!right).then(|| match outcome {
            Some(outcome) => format!("expected {self:?}, not {}", outcome.to_json_line()),
            None => format!("expected {self:?}, but no answer came"),
        })
    }

    fn fits(&self, outcome: &Outcome) -> bool {
        let found = outcome.input.as_ref().and_then(|input| input.tool_input.as_ref());
        let reason_fits = match self.code {
            None if self.is_part => {
                let (given, part) = (outcome.reason.as_deref(), self.reason.as_deref());
                given.is_some_and(|given| given.contains(part.unwrap_or_default()))
            }
            None => outcome.reason == self.reason,
            Some(code) => outcome.reason.as_ref().is_some_and(|reason| reason.starts_with(code.as_str())),
        };
        reason_fits
            && outcome.hooks.iter().find_map(|record| record.code) == self.code
            && outcome.warnings.is_empty() == self.code.is_none()
            && outcome.additional_context == self.context
            && found.is_some_and(|found| found.as_str() == self.tool_input)
    }
}
