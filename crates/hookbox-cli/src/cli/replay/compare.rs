//! Compares what was decided with what would be decided now.

use super::ask::{Anew, decision_of};
use hookbox::record::Line;
use hookbox::{Decision, Outcome, Record, Verdict};
use serde::Serialize;

/// How a recorded event would end now.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "result", rename_all = "snake_case")]
pub(super) enum Ending {
    Same,
    Otherwise {
        now: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// Whether the new decision is less strict.
        looser: bool,
    },
    /// The new decision depends on something that is not in the log.
    Unknown {
        why: String,
    },
    /// The recorded decision was only a failure.
    FailedThen {
        code: String,
    },
    /// The event was not judged, or is not in the log as it was.
    LeftOut {
        why: String,
    },
}

/// A recorded event with its ending.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Replayed<'l> {
    pub(super) id: &'l str,
    pub(super) time: &'l str,
    pub(super) event: &'l str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tool: Option<&'l str>,
    pub(super) was: &'l str,
    #[serde(flatten)]
    pub(super) ending: Ending,
}

/// Compares one event. With `only`, compares what this hook decides.
pub(super) fn compare<'l>(line: &'l Line, anew: Anew, only: Option<&str>) -> Replayed<'l> {
    let asked = only.and_then(|only| line.hooks.iter().find(|hook| hook.name == only));
    let was = match (only, asked) {
        (Some(_), Some(asked)) => asked.decision.as_str(),
        (Some(_), None) => "allow",
        (None, _) => line.verdict.as_str(),
    };
    let failed = match only {
        Some(_) => asked.and_then(|asked| asked.code.as_ref()),
        None => {
            // Another layer may have a hook of the same name.
            let decided =
                |by: &String| line.hooks.iter().find(|hook| hook.name == *by && hook.decision == line.verdict);
            let by = line.by.as_ref().and_then(decided);
            by.and_then(|by| by.code.as_ref()).or_else(|| {
                let no_hook = line.by.is_none() && line.verdict == "deny";
                line.codes.first().filter(|_| no_hook)
            })
        }
    };
    let ending = match (anew, failed) {
        (Anew::LeftOut(why), _) => Ending::LeftOut { why: why.to_owned() },
        (_, Some(code)) => Ending::FailedThen { code: code.clone() },
        (Anew::Answered { outcome, unknown }, None) => judge(line, was, &outcome, unknown, only),
    };
    let tool = line.tool.as_ref().and_then(|tool| tool.name.as_deref());
    Replayed { id: &line.id, time: &line.time, event: &line.event, tool, was, ending }
}

fn judge(line: &Line, was: &str, outcome: &Outcome, unknown: Option<String>, only: Option<&str>) -> Ending {
    let now = match only {
        Some(only) => decision_of(outcome, only).map_or("allow", |decision| decision.as_str()),
        None => match outcome.verdict {
            Verdict::Allow if outcome.modified => "modify",
            verdict => verdict.as_str(),
        },
    };
    let unknown = unknown.or_else(|| failure(outcome, now, only));
    // A hook that the replay could ask has denied, and no other hook can undo a deny.
    let denier = outcome.hooks.iter().find(|record| {
        record.decision == Decision::Deny && record.code.is_none() && record.enforce && unknown.is_some()
    });
    match unknown {
        Some(_) if now == "deny" && denier.is_some() => {}
        Some(why) => return Ending::Unknown { why },
        None => {}
    }
    if now == was {
        return Ending::Same;
    }
    let is_looser = strictness(now) < strictness(was);
    if is_looser && line.masked.iter().any(|pointer| pointer.starts_with("/input")) {
        let why = "the text that it was stopped for may be what is masked in the log";
        return Ending::Unknown { why: why.to_owned() };
    }
    let (by, reason) = match denier {
        Some(denier) => (Some(denier.name.clone()), denier.action.reason.clone()),
        None => (outcome.denied_by.clone().or_else(|| outcome.asked_by.clone()), outcome.reason.clone()),
    };
    Ending::Otherwise { now: now.to_owned(), by, reason, looser: is_looser }
}

/// Returns the failure that caused the new decision, if any. Such a decision does not say what the hook would decide.
fn failure(outcome: &Outcome, now: &str, only: Option<&str>) -> Option<String> {
    let by = only.or(outcome.denied_by.as_deref()).or(outcome.asked_by.as_deref())?;
    let decided = |record: &&Record| record.name == by && record.decision.as_str() == now;
    let failure = outcome.hooks.iter().find(decided)?.failure.as_ref()?;
    Some(format!("`{by}` fails now: {} {}", failure.code, failure.message))
}

fn strictness(verdict: &str) -> u8 {
    match verdict {
        "deny" => 2,
        "ask" => 1,
        _ => 0,
    }
}
