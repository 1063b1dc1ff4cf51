//! The chain: folds the answers of an event's hooks over its Input into one Outcome.
//!
//! No I/O happens here. [`Chain`] says which hooks to ask next, and on which form of the Input; the caller asks them
//! however it likes. So the rules of the chain can be tested without a process or an engine. [`fold`] runs a whole
//! chain for hooks that answer immediately.

mod fold;
mod rewrite;
mod rule;
mod slot;

use crate::protocol::{Action, Answer, Code, Decision, Failure, Input, Kind, OnError, Outcome, Verdict, Warning};
use crate::runtime::HookInfo;
use rewrite::{Rewritable, Rewrites};
use slot::Slot;
use std::time::Duration;

pub use fold::fold;
pub use rule::{Base, Order, Rule};

/// The number of times that hooks with a stale answer are asked again before the chain gives up. Two hooks that undo
/// each other's rewrite would go on forever; three that merely build on each other settle after two rounds.
pub const MAX_ROUNDS: u32 = 3;

/// The longest reason in an Outcome, in bytes. It goes into a model's context and onto a terminal.
pub const MAX_REASON_BYTES: usize = 4096;

/// The properties of a hook that the chain must know.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Member<'h> {
    /// The hook's settings.
    pub info: &'h HookInfo,
    /// How the hook runs.
    pub kind: Kind,
    /// Whether the hook's answer depends only on the Input.
    pub is_pure: bool,
}

impl<'h> Member<'h> {
    /// Creates a member. `is_pure` says whether the hook's answer depends only on the Input.
    #[must_use]
    pub const fn new(info: &'h HookInfo, kind: Kind, is_pure: bool) -> Self {
        Member { info, kind, is_pure }
    }

    const fn answers_again(&self) -> bool {
        self.is_pure || self.info.recheck
    }
}

/// One event on its way through its hooks.
///
/// Ask the hooks that [`due`](Chain::due) returns about [`input`](Chain::input), pass their answers to
/// [`answer`](Chain::answer), and repeat until `due` returns an empty list.
///
/// * Hooks are asked as the [`Rule`] says. Deny beats ask beats allow.
/// * There are no stale approvals: a hook that is pure (or says `recheck`) and answered on an earlier form of the Input
///   is asked again, and only its last answer counts. If the Input is still changing after [`MAX_ROUNDS`] rounds, the
///   event is denied.
/// * A monitor ([`HookInfo::enforce`] is false) is asked about the same Inputs, even after a deny; its answers are
///   recorded and have no effect.
/// * On a gating event, a hook without a valid answer counts as its `on_error` says; on other events it is a warning.
#[derive(Debug)]
pub struct Chain<'h> {
    input: Box<Input>,
    rule: Rule,
    original: Rewritable,
    slots: Vec<Slot<'h>>,
    /// The current form of the Input, counted as the number of rewrites so far.
    form: u32,
    round: u32,
    position: usize,
    /// The hooks that were asked and have not yet answered, in order.
    asked: Vec<usize>,
    /// The hooks that were asked concurrently and answered with a rewrite.
    rewriters: Vec<usize>,
    /// A deny by the chain itself rather than by a hook.
    denial: Option<Denial>,
    last_rewriter: Option<usize>,
    warnings: Vec<Warning>,
    /// Whether a hook that counts has denied, so only monitors are still asked.
    is_denied: bool,
    ended: bool,
}

#[derive(Debug)]
struct Denial {
    by: Option<String>,
    reason: String,
}

impl<'h> Chain<'h> {
    /// Creates a chain of these hooks, in this order.
    pub fn new(input: impl Into<Box<Input>>, rule: Rule, members: impl IntoIterator<Item = Member<'h>>) -> Self {
        let input = input.into();
        Chain {
            rule,
            original: Rewritable::from_input(&input),
            input,
            slots: members.into_iter().map(Slot::new).collect(),
            form: 0,
            round: 0,
            position: 0,
            asked: Vec::new(),
            rewriters: Vec::new(),
            denial: None,
            last_rewriter: None,
            warnings: Vec::new(),
            is_denied: false,
            ended: false,
        }
    }

    /// Returns the Input as the hooks have left it so far.
    #[must_use]
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// Returns the Input mutably, so that the caller can add facts to it.
    pub(crate) fn input_mut(&mut self) -> &mut Input {
        &mut self.input
    }

    /// Returns the indices of the hooks to ask now, all on the same Input. The list is empty when the chain is
    /// finished.
    pub fn due(&mut self) -> Vec<usize> {
        while !self.ended && self.asked.is_empty() {
            let form = self.form;
            let first_pass = self.round == 0;
            let is_denied = self.is_denied;
            let is_due = |slot: &Slot<'_>| {
                let is_over = is_denied && slot.enforces();
                let is_open = if first_pass { !slot.has_answered() } else { slot.is_stale(form) };
                is_open && !is_over
            };
            let waiting = self.slots.iter().enumerate().skip(self.position).filter(|(_, slot)| is_due(slot));
            let most = if self.rule.order == Order::AtOnce { usize::MAX } else { 1 };
            self.asked = waiting.map(|(index, _)| index).take(most).collect();
            match self.asked.last() {
                Some(last) => self.position = last + 1,
                None => self.next_round(),
            }
        }
        self.asked.clone()
    }

    fn next_round(&mut self) {
        let is_denied = self.slots.iter().any(Slot::denies);
        // Only the answers to gating events are approvals, which must not be stale.
        let mut stale = self.slots.iter().filter(|slot| slot.is_stale(self.form)).peekable();
        if !self.rule.gating || is_denied || stale.peek().is_none() {
            self.ended = true;
        } else if self.round == MAX_ROUNDS {
            // A monitor's approval is not needed, so a stale answer of a monitor denies nothing.
            if stale.any(Slot::enforces) {
                self.deny_for_unrest();
            }
            self.ended = true;
        } else {
            self.round += 1;
            self.position = 0;
        }
    }

    /// Takes the answer of a hook that [`due`](Chain::due) returned, and how long it took. Drops the answer if the hook
    /// was not asked.
    pub fn answer(&mut self, index: usize, answer: impl Into<Answer>, took: Duration) {
        let Some(place) = self.asked.iter().position(|asked| *asked == index) else {
            return;
        };
        self.asked.remove(place);
        let Answer { result, process, note, fuel } = answer.into();
        match result {
            Ok(action) if action.lacks_rewrite(self.input.event) => {
                let failure = Failure::new(Code::Action, "answered `modify` without a rewrite that fits the event");
                self.take_failure(index, failure, took);
            }
            Ok(action) => self.take_action(index, action, took),
            Err(failure) => self.take_failure(index, failure, took),
        }
        if let Some(slot) = self.slots.get_mut(index) {
            if let Some(Failure { code, message, .. }) = note {
                let (name, subject) = (slot.member.info.name.clone(), self.input.event.subject());
                let message = format!("hook `{name}` {message}; the {subject} went on without it");
                self.warnings.push(Warning { hook: name, code, message });
            }
            slot.report(process, fuel);
            if slot.denies() && self.rule.gating && self.rule.order == Order::FirstDeny {
                self.is_denied = true;
            }
        }
        if self.asked.is_empty() && !self.rewriters.is_empty() {
            self.rewrite_at_once();
        }
    }

    fn take_action(&mut self, index: usize, mut action: Action, took: Duration) {
        let Some(slot) = self.slots.get_mut(index) else {
            return;
        };
        let info = slot.member.info;
        if info.restricted && slot::restrict(&mut action) {
            self.warn(&info.name, Code::Untrusted, "is not trusted: all but its deny or ask was dropped");
        }
        for ignored in slot::drop_ineffective(&mut action, self.input.event, &self.rule) {
            self.warn(&info.name, Code::Ignored, &ignored);
        }
        // The form that this answer was given for. It must be read first, since a rewrite below makes it outdated.
        let form = self.form;
        match (action.decision, self.rule.order) {
            _ if !info.enforce => {}
            (Decision::Modify, Order::AtOnce) => self.rewriters.push(index),
            (Decision::Modify, _) => self.rewrite(index, &action),
            _ => {}
        }
        if let Some(slot) = self.slots.get_mut(index) {
            slot.take(action, self.input.event, &self.rule, form, took);
        }
    }

    fn take_failure(&mut self, index: usize, failure: Failure, took: Duration) {
        let Some(slot) = self.slots.get_mut(index) else {
            return;
        };
        let info = slot.member.info;
        let subject = self.input.event.subject();
        let (decision, consequence) = match info.on_error {
            on_error if !info.enforce && self.rule.gating => {
                (on_error.decision(), format!("the {subject} went on, since the hook is only a monitor"))
            }
            _ if !self.rule.gating => (Decision::Allow, format!("the {subject} went on without it")),
            OnError::Allow => (Decision::Allow, format!("the {subject} went on without it")),
            OnError::Ask => (Decision::Ask, format!("the {subject} waits for the user's word")),
            OnError::Deny => (Decision::Deny, format!("the {subject} was blocked")),
        };
        let title = slot.member.kind.titled(&info.name);
        let told = |what: &str| format!("{title} {what}; {consequence}");
        let reason = format!("{}: {}", failure.code, told(&failure.message));
        // A component may fail with as long a text as it may answer with.
        let message = told(&slot::shorten(failure.message.clone()));
        self.warnings.push(Warning { hook: info.name.clone(), code: failure.code, message });
        slot.fail(failure, (decision, reason), self.form, took);
    }

    /// Applies a hook's rewrite.
    fn rewrite(&mut self, index: usize, action: &Action) {
        let mut rewrites = Rewrites::onto(Base::Current, &self.input);
        rewrites.add(action, &self.input);
        if rewrites.apply(&mut self.input) {
            self.form += 1;
            self.last_rewriter = Some(index);
            if let Some(slot) = self.slots.get_mut(index) {
                slot.rewrote = true;
            }
        }
    }

    /// Applies the rewrites of all hooks that were asked concurrently, in the order of the hooks.
    fn rewrite_at_once(&mut self) {
        let mut rewriters = std::mem::take(&mut self.rewriters);
        rewriters.sort_unstable();
        // In later rounds the merged rewrite stays, and hooks correct it.
        let base = if self.round == 0 { self.rule.base } else { Base::Current };
        let mut rewrites = Rewrites::onto(base, &self.input);
        for index in &rewriters {
            if let Some(action) = self.slots.get(*index).and_then(Slot::action) {
                rewrites.add(action, &self.input);
            }
        }
        if rewrites.apply(&mut self.input) {
            for index in &rewriters {
                if let Some(slot) = self.slots.get_mut(*index) {
                    slot.rewrote = true;
                }
            }
            self.form += 1;
            self.last_rewriter = rewriters.last().copied();
        }
    }

    fn deny_for_unrest(&mut self) {
        let rewriter = self.last_rewriter.and_then(|index| self.slots.get(index));
        let by = rewriter.map(|slot| slot.member.info.name.clone());
        let name = by.clone().unwrap_or_default();
        let message = format!(
            "hook `{name}` still rewrites the {} after {MAX_ROUNDS} rounds; it was blocked, since no form of it was \
             seen by every hook",
            self.input.event.subject()
        );
        let reason = format!("{}: {message}", Code::Unrest);
        self.warnings.push(Warning { hook: name, code: Code::Unrest, message });
        self.denial = Some(Denial { by, reason });
        self.ended = true;
    }

    fn warn(&mut self, name: &str, code: Code, what: &str) {
        let warning = Warning { hook: name.to_owned(), code, message: format!("hook `{name}` {what}") };
        // A hook that answers in every round would otherwise repeat its warnings.
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Returns what the hooks decided as a whole. Until [`due`](Chain::due) has returned an empty list, this is a deny
    /// on gating events: a hook that was not asked has not approved.
    #[must_use]
    pub fn finish(mut self) -> Outcome {
        if !self.ended && !self.slots.is_empty() && self.rule.gating {
            let reason = format!("{}: the chain was given up before its end", Code::Internal);
            self.denial = Some(Denial { by: None, reason });
        }
        let modified = Rewritable::from_input(&self.input) != self.original;
        let mut outcome = Outcome { modified, warnings: self.warnings, ..Outcome::allow(self.input) };
        for slot in self.slots {
            slot.add_to(&mut outcome, &self.rule);
        }
        if let Some(denial) = self.denial.filter(|_| outcome.verdict != Verdict::Deny) {
            outcome.verdict = Verdict::Deny;
            outcome.asked_by = None;
            outcome.denied_by = denial.by;
            outcome.reason = Some(denial.reason);
        }
        outcome.reason = outcome.reason.map(slot::shorten);
        outcome
    }
}
