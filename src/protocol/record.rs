//! The answer and the record of a hook that was asked.

use super::outcome::as_micros;
use super::{Action, Code, Decision, Failure, Kind, OnError, Source};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

/// A hook's answer, with a report of its process if it ran as one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The hook's Action, or the reason why it gave none.
    pub result: Result<Action, Failure>,
    /// How the hook's process ended.
    pub process: Option<ProcessReport>,
    /// A fault that leaves the answer valid but deserves a warning.
    pub note: Option<Failure>,
    /// The fuel that the hook used, if it is a component whose fuel is limited.
    pub fuel: Option<u64>,
}

impl Answer {
    /// Creates the answer of a hook that ran as a process. `note` is a fault that deserves a warning.
    pub(crate) const fn of_process(
        result: Result<Action, Failure>,
        process: ProcessReport,
        note: Option<Failure>,
    ) -> Self {
        Answer { result, process: Some(process), note, fuel: None }
    }
}

impl From<Result<Action, Failure>> for Answer {
    fn from(result: Result<Action, Failure>) -> Self {
        Answer { result, process: None, note: None, fuel: None }
    }
}

/// The end of a hook's process, as its hook system reports it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProcessReport {
    /// The exit status, or -1 if there is none.
    pub exit_code: i32,
    /// The part of the process's stdout that was kept.
    pub stdout: String,
    /// The part of the process's stderr that was kept.
    pub stderr: String,
    /// Why the process could not be started or did not finish.
    pub error: Option<String>,
    /// Whether the process took too long.
    pub timed_out: bool,
    /// Whether the process wrote more than was kept.
    pub truncated: bool,
}

/// A hook's position in the config of its system, for that system's own reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Origin {
    /// The hook's index in the list of its event, starting from 0.
    pub index: usize,
    /// The command as the config spells it.
    pub command: Vec<String>,
    /// The name by which the messages of the hook's system refer to it, in full.
    pub label: Option<String>,
    /// The hook's identity: if an event concerns several hooks with the same identity, only the first is asked.
    pub identity: Option<String>,
    /// How the hook's system treats its answers.
    pub manner: Manner,
}

/// The special ways in which a hook system treats the answers of one hook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Manner {
    /// Whether the hook is asked before the system's own rules decide, so that it can only restrict, not permit.
    pub early: bool,
    /// Whether an answer that the hook's system does not fully understand is a failure.
    pub strict: bool,
    /// Whether the hook's failures are kept from the user.
    pub quiet: bool,
}

impl Manner {
    /// The manner of an ordinary hook.
    const PLAIN: Manner = Manner { early: false, strict: false, quiet: false };
}

impl Origin {
    /// The origin of a hook that is not in any config.
    pub(crate) const NOWHERE: &Origin =
        &Origin { index: 0, command: Vec::new(), label: None, identity: None, manner: Manner::PLAIN };
}

/// The record of one hook's part in an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Record {
    /// The hook's name.
    pub name: String,
    /// How the hook was run.
    pub kind: Kind,
    /// Where the hook comes from.
    pub source: Source,
    /// The hook's decision, or what its failure counted as.
    pub decision: Decision,
    /// The total time of all its answers to this event.
    #[serde(rename = "duration_us", serialize_with = "as_micros")]
    pub duration: Duration,
    /// The code of the hook's failure, if it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<Code>,
    /// Whether the hook was only started in the background.
    #[serde(rename = "async", skip_serializing_if = "std::ops::Not::not")]
    pub is_async: bool,
    /// Whether the hook's answer counted. If not, the hook is a monitor, and `decision` is what it would have decided.
    #[serde(skip_serializing_if = "is_true")]
    pub enforce: bool,
    /// Why a monitor would have denied, asked or changed something. The reason of a hook that counts is in the Outcome.
    #[serde(rename = "reason", skip_serializing_if = "Option::is_none")]
    pub would_because: Option<String>,
    /// The hook's last Action, or the default Action if it failed.
    #[serde(skip)]
    pub action: Action,
    /// The hook's failure, if it failed.
    #[serde(skip)]
    pub failure: Option<Failure>,
    /// What a failure of the hook counts as.
    #[serde(skip)]
    pub on_error: OnError,
    /// How the hook's process ended, if it ran as one.
    #[serde(skip)]
    pub process: Option<ProcessReport>,
    /// The fuel that the hook's last answer used, if it is a component whose fuel is limited.
    #[serde(skip)]
    pub fuel: Option<u64>,
    /// The hook's position in a config, if it comes from one.
    #[serde(skip)]
    pub origin: Option<Arc<Origin>>,
}

impl Record {
    /// Creates the record of a hook that allowed.
    pub fn new(name: impl Into<String>, kind: Kind, source: Source) -> Self {
        Record {
            name: name.into(),
            kind,
            source,
            decision: Decision::Allow,
            duration: Duration::ZERO,
            code: None,
            is_async: false,
            enforce: true,
            would_because: None,
            action: Action::allow(),
            failure: None,
            on_error: OnError::Deny,
            process: None,
            fuel: None,
            origin: None,
        }
    }

    /// Returns the hook's position in its config.
    pub(crate) fn origin(&self) -> &Origin {
        self.origin.as_deref().unwrap_or(Origin::NOWHERE)
    }
}

fn is_true(flag: &bool) -> bool {
    *flag
}
