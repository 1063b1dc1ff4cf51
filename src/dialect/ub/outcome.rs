//! ub's decision on one event: whether to block, why, and one outcome for each hook that ran.

use super::event_name;
use crate::protocol::{Decision, Event, Json, ObjectWriter, Outcome, Record, Verdict};
use std::time::Duration;

/// The report on one hook.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HookOutcome {
    /// The hook's index in its trigger's list, from 0.
    pub hook_index: usize,
    /// The hook's command.
    pub command: Vec<String>,
    /// The exit status, or -1 if there is none.
    pub exit_code: i32,
    /// What the hook wrote to stdout.
    pub stdout: String,
    /// What the hook wrote to stderr.
    pub stderr: String,
    /// Why the hook did not run to its end.
    pub error: Option<String>,
    /// How long the hook took.
    pub duration: Duration,
}

/// The decision of all hooks of one event.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UbDecision {
    /// Whether the event must not go ahead.
    pub block: bool,
    /// The message of the first hook that blocks.
    pub reason: Option<String>,
    /// One outcome for each hook that ran.
    pub outcomes: Vec<HookOutcome>,
}

impl UbDecision {
    /// Builds the decision for an Outcome. ub cannot ask, change anything or end the agent's loop, so an Outcome that
    /// does any of these blocks.
    #[must_use]
    pub fn from_outcome(outcome: &Outcome) -> Self {
        let is_pre_tool = outcome.input.as_ref().is_none_or(|input| input.event == Event::PreTool);
        let block = is_pre_tool && (outcome.verdict != Verdict::Allow || outcome.modified || outcome.stop);
        let event = outcome.input.as_ref().map(|input| event_name(input.event)).unwrap_or_default();
        let given = outcome.reason.clone().filter(|reason| !reason.is_empty());
        let reason = given.unwrap_or_else(|| match outcome.verdict {
            Verdict::Allow if outcome.stop => {
                outcome.stop_reason.clone().unwrap_or_else(|| "a hook ended the loop".to_owned())
            }
            Verdict::Allow => "a hook changed the call, which cannot be done here".to_owned(),
            _ => format!("{event} hook blocked"),
        });
        let records = outcome.hooks.iter().filter(|record| !record.is_async);
        UbDecision { block, reason: block.then_some(reason), outcomes: records.map(hook_outcome).collect() }
    }

    /// Returns the decision as one JSON object.
    #[must_use]
    pub fn to_json(&self) -> String {
        let outcomes: Vec<String> = self.outcomes.iter().map(HookOutcome::to_json).collect();
        let mut out = ObjectWriter::printed(256);
        out.flag("block", self.block)
            .optional_text("reason", self.reason.as_deref())
            .raw("outcomes", &format!("[{}]", outcomes.join(",")));
        out.finish()
    }
}

impl HookOutcome {
    fn to_json(&self) -> String {
        let command: Vec<String> = self.command.iter().map(|arg| Json::string(arg).as_str().to_owned()).collect();
        let mut out = ObjectWriter::printed(256);
        out.raw("hook_index", &self.hook_index.to_string())
            .json("command", &format!("[{}]", command.join(",")))
            .raw("exit_code", &self.exit_code.to_string())
            .text("stdout", &self.stdout)
            .text("stderr", &self.stderr)
            .optional_text("error", self.error.as_deref());
        out.finish()
    }
}

fn hook_outcome(record: &Record) -> HookOutcome {
    let restrains = matches!(record.decision, Decision::Deny | Decision::Ask | Decision::Modify) || record.action.stop;
    // A component has no exit status, so it gets the status that a command would have.
    let made_up = || match &record.failure {
        Some(failure) => (-1, String::new(), Some(format!("{}: {}", failure.code, failure.message))),
        None => (i32::from(restrains), record.action.reason.clone().unwrap_or_default(), None),
    };
    let (exit_code, stderr, error) = match &record.process {
        Some(process) => (process.exit_code, process.stderr.clone(), process.error.clone()),
        None => made_up(),
    };
    HookOutcome {
        hook_index: record.origin().index,
        command: record.origin().command.clone(),
        exit_code,
        stdout: record.process.as_ref().map(|process| process.stdout.clone()).unwrap_or_default(),
        stderr,
        error,
        duration: record.duration,
    }
}
