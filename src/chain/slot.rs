//! A hook's place in the chain: its last answer, and what of it counts.

use super::{MAX_REASON_BYTES, Member};
use crate::protocol::{Action, Code, Decision, Event, Outcome, Record, Verdict};
use std::time::Duration;

#[derive(Debug)]
pub(super) struct Slot<'h> {
    pub(super) member: Member<'h>,
    answer: Option<Answer>,
    /// Whether any of its answers changed the Input.
    rewrote: bool,
    took: Duration,
}

/// The last answer of a hook; those before it do not count.
#[derive(Debug, Default)]
struct Answer {
    form: u32,
    action: Action,
    code: Option<Code>,
}

impl<'h> Slot<'h> {
    pub(super) const fn new(member: Member<'h>) -> Self {
        Slot { member, answer: None, rewrote: false, took: Duration::ZERO }
    }

    pub(super) const fn has_answered(&self) -> bool {
        self.answer.is_some()
    }

    /// Whether the hook's answer was given for another form, and has to be given again.
    pub(super) fn is_stale(&self, form: u32) -> bool {
        self.member.answers_again() && self.answer.as_ref().is_some_and(|answer| answer.form != form)
    }

    pub(super) fn take(&mut self, action: Action, rewrote: bool) {
        self.rewrote |= rewrote;
        self.answer = Some(Answer { action, ..Answer::default() });
    }

    pub(super) fn fail(&mut self, decision: Decision, reason: String, code: Code) {
        self.answer = Some(Answer {
            action: Action { decision, reason: Some(reason), ..Action::default() },
            code: Some(code),
            ..Answer::default()
        });
    }

    pub(super) fn answered_on(&mut self, form: u32, took: Duration) {
        self.took += took;
        if let Some(answer) = &mut self.answer {
            answer.form = form;
        }
    }

    /// Adds the hook's record and what its last answer brings to the Outcome of the chain.
    pub(super) fn add_to(self, outcome: &mut Outcome, event: Event) {
        let Some(Answer { action, code, .. }) = self.answer else {
            return;
        };
        let info = self.member.info;
        outcome.hooks.push(Record {
            name: info.name.clone(),
            kind: self.member.kind,
            source: info.source.clone(),
            decision: match action.decision {
                Decision::Allow if self.rewrote => Decision::Modify,
                decision => decision,
            },
            duration: self.took,
            code,
            is_async: false,
        });
        if action.decision == Decision::Ask && event.is_gating() && outcome.verdict == Verdict::Allow {
            outcome.verdict = Verdict::Ask;
            outcome.asked_by = Some(info.name.clone());
            outcome.reason = action.reason;
        }
        if action.decision != Decision::Deny {
            outcome.system_prompt_additions.extend(action.system_prompt_append);
        }
        outcome.additional_context.extend(action.additional_context);
        outcome.system_messages.extend(action.system_message);
        if action.stop && !outcome.stop {
            outcome.stop = true;
            outcome.stop_reason = action.stop_reason;
        }
    }
}

/// Reduces the Action to what an untrusted hook may say; true if there was more.
pub(super) fn restrict(action: &mut Action) -> bool {
    let decision = match action.decision {
        Decision::Modify => Decision::Allow,
        decision => decision,
    };
    let allowed = Action { decision, reason: action.reason.clone(), ..Action::default() };
    let had_more = *action != allowed;
    *action = allowed;
    had_more
}

/// Drops the parts of the Action that have no effect on the event, and says for each what was dropped.
pub(super) fn drop_ineffective(action: &mut Action, event: Event) -> Vec<String> {
    let mut dropped = Vec::new();
    if matches!(action.decision, Decision::Deny | Decision::Ask) && !event.is_gating() {
        dropped.push(format!("answered `{}`, which has no effect on {event}", action.decision));
    }
    if action.decision != Decision::Modify && action.has_rewrite() {
        dropped.push(format!("sent a rewrite beside `{}`, which was ignored", action.decision));
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

/// Cuts a reason at [`MAX_REASON_BYTES`] and says so.
pub(super) fn shorten(mut reason: String) -> String {
    if reason.len() > MAX_REASON_BYTES {
        let total = reason.len();
        let end = reason.floor_char_boundary(MAX_REASON_BYTES);
        reason.truncate(end);
        reason.push_str(&format!("… ({} bytes more)", total - end));
    }
    reason
}
