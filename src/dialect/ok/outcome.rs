//! ok's report on one event: an outcome for each hook that ran.

use super::answer::BLOCK;
use super::event_name;
use crate::protocol::{Decision, Event, ObjectWriter, Outcome, Record};
use serde::Serialize;
use std::time::Duration;

/// The longest command in a text, in characters.
const MAX_COMMAND: usize = 60;

/// ok's verdict on the end of one hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OkDecision {
    /// Go on.
    Pass,
    /// Stop.
    Block,
    /// Go on, and tell the user.
    Warn,
    /// The hook could not be run. Go on, and tell the user.
    Error,
}

impl OkDecision {
    /// Returns the decision as reports spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            OkDecision::Pass => "pass",
            OkDecision::Block => "block",
            OkDecision::Warn => "warn",
            OkDecision::Error => "error",
        }
    }
}

/// The report on one hook.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HookOutcome {
    /// The scope: `project` or `global`.
    pub scope: String,
    /// The event.
    pub event: Event,
    /// The hook's command.
    pub command: String,
    /// The decision that the hook's end means.
    pub decision: OkDecision,
    /// The exit status, or -1 if there is none.
    pub exit_code: i32,
    /// What the hook wrote to stdout, trimmed of white space.
    pub stdout: String,
    /// What the hook wrote to stderr, or else what went wrong.
    pub stderr: String,
    /// Whether the hook ran out of time.
    pub timed_out: bool,
    /// Whether the hook wrote more than was kept.
    pub truncated: bool,
    /// How long the hook took.
    pub duration: Duration,
}

/// The report on all hooks of one event.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The event, or `None` if no payload could be read.
    pub event: Option<Event>,
    /// One outcome for each hook that ran.
    pub outcomes: Vec<HookOutcome>,
    /// Whether the event must not go ahead.
    pub blocked: bool,
}

impl Report {
    /// Builds the report on an Outcome. ok cannot ask, change anything or end the agent's loop, so an Outcome that does
    /// any of these blocks.
    #[must_use]
    pub fn from_outcome(outcome: &Outcome) -> Self {
        let Some(input) = &outcome.input else {
            return Report { event: None, outcomes: Vec::new(), blocked: true };
        };
        let event = input.event;
        let records = outcome.hooks.iter().filter(|record| !record.is_async);
        let outcomes: Vec<HookOutcome> = records.map(|record| hook_outcome(event, record)).collect();
        let denied = outcome.verdict != crate::protocol::Verdict::Allow;
        let blocked = event.is_gating() && (denied || outcome.modified || outcome.stop);
        Report { event: Some(event), outcomes, blocked }
    }

    /// Returns the report as one JSON object.
    #[must_use]
    pub fn to_json(&self) -> String {
        let outcomes: Vec<String> = self.outcomes.iter().map(HookOutcome::to_json).collect();
        let mut out = ObjectWriter::printed(256);
        out.text("event", self.event.map(event_name).unwrap_or_default())
            .flag("blocked", self.blocked)
            .raw("outcomes", &format!("[{}]", outcomes.join(",")));
        out.finish()
    }
}

impl HookOutcome {
    fn to_json(&self) -> String {
        let mut out = ObjectWriter::printed(256);
        out.text("command", &self.command)
            .text("decision", self.decision.as_str())
            .raw("exit_code", &self.exit_code.to_string())
            .text("stdout", &self.stdout)
            .text("stderr", &self.stderr)
            .flag("timed_out", self.timed_out)
            .flag("truncated", self.truncated)
            .text("text", &format_outcome(self));
        out.finish()
    }
}

fn hook_outcome(event: Event, record: &Record) -> HookOutcome {
    let process = record.process.clone().unwrap_or_default();
    let restrains = matches!(record.decision, Decision::Deny | Decision::Ask | Decision::Modify) || record.action.stop;
    let blocks = restrains && event.is_gating();
    let (decision, exit_code) = match &record.failure {
        _ if blocks => (OkDecision::Block, BLOCK),
        Some(_) if process.error.is_some() || record.process.is_none() => (OkDecision::Error, -1),
        Some(_) => (OkDecision::Warn, -1),
        None => (OkDecision::Pass, 0),
    };
    let said = || match &record.failure {
        Some(failure) => format!("{}: {}", failure.code, failure.message),
        None => {
            let action = &record.action;
            let reasons = [&action.reason, &action.permission_reason, &action.stop_reason];
            let given = reasons.into_iter().flatten().next().cloned();
            let changed = || "it would change the call, which cannot be done here".to_owned();
            given.or_else(|| (record.decision == Decision::Modify).then(changed)).unwrap_or_default()
        }
    };
    HookOutcome {
        scope: record.source.to_string(),
        event,
        command: record.origin().command.first().unwrap_or(&record.name).clone(),
        decision,
        exit_code: if record.process.is_some() { process.exit_code } else { exit_code },
        stderr: if record.process.is_some() { process.stderr } else { said() },
        stdout: process.stdout,
        timed_out: process.timed_out,
        truncated: process.truncated,
        duration: record.duration,
    }
}

/// Returns the text that the user sees for an outcome.
#[must_use]
pub fn format_outcome(outcome: &HookOutcome) -> String {
    let HookOutcome { scope, event, command, decision, .. } = outcome;
    let truncated = if outcome.truncated { " (output truncated)" } else { "" };
    let said = [outcome.stderr.trim(), outcome.stdout.trim()];
    let detail = said.into_iter().find(|text| !text.is_empty()).map(|text| format!(": {text}")).unwrap_or_default();
    let (event, command) = (event_name(*event), clip(command, MAX_COMMAND));
    format!("hook [{scope}/{event}] {command} — {}{truncated}{detail}", decision.as_str())
}

/// Shortens a text to its first characters.
fn clip(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) if most > 0 => format!("{}…", text.get(..end).unwrap_or_default()),
        _ if most == 0 => String::new(),
        _ => text.to_owned(),
    }
}
