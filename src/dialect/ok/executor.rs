//! ok's hooks for an agent, which can be notified of every outcome that is not a pass.

use super::OkDialect;
use super::outcome::{OkDecision, Report, format_outcome};
use crate::host::{Host, HostError};
use crate::protocol::{Input, InputError, ToolResult};
use crate::registry::Registry;
use crate::runtime::Caller;
use std::sync::Arc;

/// A callback that receives the text of an outcome.
type Notify = Box<dyn Fn(&str) + Send + Sync>;

/// ok's hooks, ready to run. Without a registry, there are none.
///
/// A block is returned as the text that ok shows for it, `hook [project/PreToolUse] … — block: …`. Its parts are in the
/// [`Report`] that [`run`](Executor::run) returns. A component's rewrite blocks, because ok cannot change a call.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use hookbox::Host;
/// use hookbox::dialect::ok::{Executor, OkDialect};
///
/// let host = Host::new("/home/me/project", std::env::vars_os());
/// let executor = Executor::load(OkDialect::default(), &host)?.notifying(|text| eprintln!("{text}"));
/// if let Some(why) = executor.pre_tool_use("bash", r#"{"command":"ls"}"#).await? {
///     println!("{why}");
/// }
/// # Ok(()) }
/// ```
#[derive(Default)]
pub struct Executor {
    registry: Option<Arc<Registry>>,
    cwd: String,
    notify: Option<Notify>,
}

impl Executor {
    /// Creates an executor of these hooks for a session in `cwd`.
    pub fn new(registry: impl Into<Arc<Registry>>, cwd: impl Into<String>) -> Self {
        Executor { registry: Some(registry.into()), cwd: cwd.into(), notify: None }
    }

    /// Loads the hooks of a user and a project, as `hookbox run` does on this host.
    ///
    /// # Errors
    /// Returns an error if the home directory or the working directory is missing.
    pub fn load(dialect: OkDialect, host: &Host) -> Result<Self, HostError> {
        let loaded = host.clone().dialect(Arc::new(dialect)).load()?;
        Ok(Executor::new(loaded.registry, host.cwd().display().to_string()))
    }

    /// Sets a callback that receives the text of every outcome that is not a pass, in the order of the hooks.
    #[must_use]
    pub fn notifying(self, notify: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Executor { notify: Some(Box::new(notify)), ..self }
    }

    /// Whether there is any hook.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.registry.as_ref().is_some_and(|registry| !registry.all().is_empty())
    }

    /// Runs the hooks before a tool call. Returns the reason if the call must not happen.
    ///
    /// # Errors
    /// Returns an error if `args` is not JSON.
    pub async fn pre_tool_use(&self, tool: &str, args: &str) -> Result<Option<String>, InputError> {
        let report = self.run(Input::pre_tool(tool, args)?, &Caller::default()).await;
        Ok(block_text(&report))
    }

    /// Runs the hooks after a tool call.
    ///
    /// # Errors
    /// Returns an error if `args` is not JSON.
    pub async fn post_tool_use(&self, tool: &str, args: &str, result: &str) -> Result<(), InputError> {
        let result = ToolResult { is_error: false, content: result.to_owned() };
        self.run(Input::pre_tool(tool, args)?.into_post_tool(result), &Caller::default()).await;
        Ok(())
    }

    /// Runs the hooks before a prompt is sent. Returns the reason if the prompt must not be sent.
    pub async fn user_prompt_submit(&self, prompt: &str, turn: u64) -> Option<String> {
        let mut input = Input::pre_message(prompt);
        input.turn = Some(turn);
        block_text(&self.run(input, &Caller::default()).await)
    }

    /// Runs the hooks after a turn.
    pub async fn stop(&self, last_assistant_text: &str, turn: u64) {
        let mut input = Input::post_message(last_assistant_text);
        input.turn = Some(turn);
        self.run(input, &Caller::default()).await;
    }

    /// Runs the hooks of an event.
    pub async fn run(&self, mut input: Input, caller: &Caller) -> Report {
        let Some(registry) = &self.registry else {
            return Report { event: Some(input.event), outcomes: Vec::new(), blocked: false };
        };
        input.pwd.get_or_insert_with(|| self.cwd.clone());
        let report = Report::from_outcome(&registry.run_for(input, caller).await);
        if let Some(notify) = &self.notify {
            for outcome in report.outcomes.iter().filter(|outcome| outcome.decision != OkDecision::Pass) {
                notify(&format_outcome(outcome));
            }
        }
        report
    }
}

/// Returns the text of the outcome that blocks.
fn block_text(report: &Report) -> Option<String> {
    let blocking = report.outcomes.iter().find(|outcome| outcome.decision == OkDecision::Block);
    report.blocked.then(|| blocking.map(format_outcome).unwrap_or_default())
}
