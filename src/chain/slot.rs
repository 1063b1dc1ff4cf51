//! A hook's place in the chain: its last answer, and how it counts.

use super::rule::Rule;
use super::{MAX_REASON_BYTES, Member};
use crate::protocol::{Action, Decision, Event, Failure, Outcome, Permission, ProcessReport, Record, Verdict};
use crate::runtime::HookInfo;
use std::time::Duration;

#[derive(Debug)]
pub(super) struct Slot<'h> {
    pub(super) member: Member<'h>,
    answer: Option<LastAnswer>,
    /// Whether any of the hook's answers changed the Input.
    pub(super) rewrote: bool,
    took: Duration,
}

/// The last answer of a hook; earlier ones do not count.
#[derive(Debug)]
struct LastAnswer {
    /// The form of the Input that the answer was given for.
    form: u32,
    action: Action,
    /// The most restrictive part of the answer. `reason` says why.
    decision: Decision,
    reason: Option<String>,
    failure: Option<Failure>,
    process: Option<ProcessReport>,
    fuel: Option<u64>,
}

impl<'h> Slot<'h> {
    pub(super) const fn new(member: Member<'h>) -> Self {
        Slot { member, answer: None, rewrote: false, took: Duration::ZERO }
    }

    pub(super) const fn has_answered(&self) -> bool {
        self.answer.is_some()
    }

    /// Returns whether the hook's answer was given for another form and must be given again.
    pub(super) fn is_stale(&self, form: u32) -> bool {
        self.member.answers_again() && self.answer.as_ref().is_some_and(|answer| answer.form != form)
    }

    /// Returns whether the hook's last answer is a deny that counts.
    pub(super) fn denies(&self) -> bool {
        self.enforces() && self.answer.as_ref().is_some_and(|answer| answer.decision == Decision::Deny)
    }

    /// Returns whether the hook's answers count, rather than only being recorded.
    pub(super) const fn enforces(&self) -> bool {
        self.member.info.enforce
    }

    /// Returns the Action of the hook's last answer.
    pub(super) fn action(&self) -> Option<&Action> {
        self.answer.as_ref().map(|answer| &answer.action)
    }

    /// Takes an Action for this form of the Input.
    pub(super) fn take(&mut self, mut action: Action, event: Event, rule: &Rule, form: u32, took: Duration) {
        self.took += took;
        let (decision, reason) = amounts_to(&action, rule);
        // The hook's rewrite of an earlier form is still in effect.
        if let Some(earlier) = self.answer.take().filter(|_| self.rewrote && !action.has_rewrite()) {
            action.take_rewrites(earlier.action, event);
        }
        self.answer = Some(LastAnswer { form, action, decision, reason, failure: None, process: None, fuel: None });
    }

    /// Takes a failure instead of an Action, with the decision and reason that it counts as.
    pub(super) fn fail(&mut self, failure: Failure, (decision, reason): (Decision, String), form: u32, took: Duration) {
        self.took += took;
        let action = Action::default();
        self.answer = Some(LastAnswer {
            form,
            action,
            decision,
            reason: Some(reason),
            failure: Some(failure),
            process: None,
            fuel: None,
        });
    }

    /// Adds the process report and the fuel of the hook's last answer.
    pub(super) fn report(&mut self, process: Option<ProcessReport>, fuel: Option<u64>) {
        if let Some(answer) = &mut self.answer {
            answer.process = process;
            answer.fuel = fuel;
        }
    }

    /// Adds the hook's record and the effect of its last answer to the Outcome.
    pub(super) fn add_to(self, outcome: &mut Outcome, rule: &Rule) {
        let Some(LastAnswer { action, decision, reason, failure, process, fuel, .. }) = self.answer else {
            return;
        };
        let info = self.member.info;
        if info.enforce {
            apply(&action, decision, reason.as_ref(), info, outcome, rule);
        }
        outcome.hooks.push(Record {
            name: info.name.clone(),
            kind: self.member.kind,
            source: info.source.clone(),
            decision: match decision {
                Decision::Allow if self.rewrote => Decision::Modify,
                decision => decision,
            },
            duration: self.took,
            code: failure.as_ref().map(|failure| failure.code),
            is_async: false,
            enforce: info.enforce,
            would_because: reason.filter(|_| !info.enforce).map(shorten),
            action,
            failure,
            on_error: info.on_error,
            process,
            fuel,
            origin: info.origin.clone(),
        });
    }
}

/// Adds the effect of a hook's last answer to the Outcome.
fn apply(
    action: &Action,
    decision: Decision,
    reason: Option<&String>,
    info: &HookInfo,
    outcome: &mut Outcome,
    rule: &Rule,
) {
    let restrains = match decision {
        Decision::Deny => Some(Verdict::Deny),
        Decision::Ask => Some(Verdict::Ask),
        Decision::Allow | Decision::Modify => None,
    };
    if let Some(verdict) = restrains.filter(|verdict| rule.gating && *verdict > outcome.verdict) {
        outcome.verdict = verdict;
        outcome.denied_by = (verdict == Verdict::Deny).then(|| info.name.clone());
        outcome.asked_by = (verdict == Verdict::Ask).then(|| info.name.clone());
        outcome.reason = reason.cloned();
    }
    if decision != Decision::Deny {
        outcome.system_prompt_additions.extend(action.system_prompt_append.clone());
    }
    outcome.additional_context.extend(action.additional_context.clone());
    outcome.system_messages.extend(action.system_message.clone());
    if action.permission > outcome.permission {
        outcome.permission = action.permission;
        outcome.permission_reason.clone_from(&action.permission_reason);
    }
    if action.stop && !outcome.stop {
        outcome.stop = true;
        outcome.stop_reason.clone_from(&action.stop_reason);
    }
}

/// Returns the most restrictive part of an Action, and its reason.
fn amounts_to(action: &Action, rule: &Rule) -> (Decision, Option<String>) {
    match action.restraint(rule.stop_denies) {
        Some((decision, reason)) => (decision, reason.map(str::to_owned)),
        None => (action.decision, action.reason.clone()),
    }
}

/// Reduces the Action to what an untrusted hook may say. Returns whether that dropped anything.
pub(super) fn restrict(action: &mut Action) -> bool {
    let decision = match action.decision {
        Decision::Modify => Decision::Allow,
        decision => decision,
    };
    let permission = action.permission.filter(|permission| *permission != Permission::Allow);
    let allowed = Action {
        decision,
        reason: action.reason.clone(),
        permission,
        permission_reason: action.permission_reason.clone().filter(|_| permission.is_some()),
        ..Action::default()
    };
    let had_more = *action != allowed;
    *action = allowed;
    had_more
}

/// Drops the parts of the Action that have no effect on the event, and returns a description of each.
pub(super) fn drop_ineffective(action: &mut Action, event: Event, rule: &Rule) -> Vec<String> {
    let mut dropped = Vec::new();
    if matches!(action.decision, Decision::Deny | Decision::Ask) && !rule.gating {
        dropped.push(format!("answered `{}`, which has no effect on {event}", action.decision));
    }
    if action.decision != Decision::Modify && action.has_rewrite() {
        dropped.push(format!("sent a rewrite beside `{}`, which was ignored", action.decision));
    }
    if action.permission.is_some() && !event.has_permission() {
        dropped.push(format!("sent `permission`, which has no effect on {event}"));
        action.permission = None;
    }
    if let Some(text) = &action.system_prompt_append {
        if text.trim().is_empty() {
            action.system_prompt_append = None;
        } else if event != Event::PreMessage {
            dropped.push(format!("sent `system_prompt_append`, which has no effect on {event}"));
            action.system_prompt_append = None;
        }
    }
    dropped
}

/// Cuts a reason at [`MAX_REASON_BYTES`] and says so in the text.
pub(super) fn shorten(mut reason: String) -> String {
    if reason.len() > MAX_REASON_BYTES {
        let total = reason.len();
        let end = reason.floor_char_boundary(MAX_REASON_BYTES);
        reason.truncate(end);
        reason.push_str(&format!("… ({} bytes more)", total - end));
    }
    reason
}
