//! The chain: folds the answers of an event's hooks over its Input into one Outcome.
//!
//! No I/O happens here. [`Chain`] says whom to ask next and on which form of the Input, the caller asks in
//! whatever way it likes, and the rules of the chain are tested without a process or an engine. [`fold`] does the
//! whole of it for hooks that answer at once.

mod fold;
mod slot;

use crate::protocol::{Action, Code, Decision, Event, Failure, Input, Kind, Outcome, Verdict, Warning};
use crate::runtime::{HookInfo, OnError};
use slot::Slot;
use std::time::Duration;

pub use fold::fold;

/// How often the hooks with a stale answer are asked again before the chain gives up. Two hooks that each undo
/// the other's rewrite would go on for ever; three that merely build upon each other are at rest after two rounds.
pub const MAX_ROUNDS: u32 = 3;

/// The longest reason that an Outcome carries, in bytes. It goes into a model's context and onto a terminal.
pub const MAX_REASON_BYTES: usize = 4096;

/// What the chain must know of a hook.
#[derive(Clone, Copy, Debug)]
pub struct Member<'h> {
    /// The hook's settings.
    pub info: &'h HookInfo,
    /// How it is run.
    pub kind: Kind,
    /// Whether its answer depends on the Input alone.
    pub is_pure: bool,
}

impl Member<'_> {
    const fn answers_again(&self) -> bool {
        self.is_pure || self.info.recheck
    }
}

/// One event on its way through its hooks: ask the hook that [`next_hook`](Chain::next_hook) names on
/// [`input`](Chain::input), hand its answer to [`answer`](Chain::answer), and so on until `next_hook` names none.
///
/// * Hooks are asked in order, each on the Input as those before left it. On a gating event the first deny ends
///   the chain; ask does not. Deny beats ask beats allow.
/// * No stale approval: hooks that are pure (or say `recheck`) and answered on an earlier form of the Input are
///   asked again, and only the last answer counts. [`MAX_ROUNDS`] rounds without rest are a deny.
/// * A hook without a valid answer counts on a gating event as its `on_error` says; elsewhere it is a warning.
#[derive(Debug)]
pub struct Chain<'h> {
    input: Input,
    event: Event,
    original: Rewritable,
    slots: Vec<Slot<'h>>,
    /// Which form of the Input is the current one: the number of rewrites so far.
    form: u32,
    round: u32,
    position: usize,
    asking: Option<usize>,
    denied: Option<Denial>,
    last_rewriter: Option<usize>,
    warnings: Vec<Warning>,
    ended: bool,
}

#[derive(Debug)]
struct Denial {
    by: String,
    reason: Option<String>,
}

/// The parts of an Input that hooks can rewrite.
#[derive(Debug, PartialEq, Eq)]
struct Rewritable {
    tool_input: Option<crate::Json>,
    tool_result: Option<crate::ToolResult>,
    message: Option<String>,
}

impl Rewritable {
    fn of(input: &Input) -> Self {
        Rewritable {
            tool_input: input.tool_input.clone(),
            tool_result: input.tool_result.clone(),
            message: input.message.clone(),
        }
    }
}

impl<'h> Chain<'h> {
    /// A chain of these hooks, in this order.
    pub fn new(input: Input, members: impl IntoIterator<Item = Member<'h>>) -> Self {
        Chain {
            event: input.event,
            original: Rewritable::of(&input),
            input,
            slots: members.into_iter().map(Slot::new).collect(),
            form: 0,
            round: 0,
            position: 0,
            asking: None,
            denied: None,
            last_rewriter: None,
            warnings: Vec::new(),
            ended: false,
        }
    }

    /// The Input as the hooks so far left it.
    #[must_use]
    pub const fn input(&self) -> &Input {
        &self.input
    }

    /// The index of the hook to ask now, or `None` when the chain has come to its end.
    pub fn next_hook(&mut self) -> Option<usize> {
        while !self.ended {
            let form = self.form;
            let first_pass = self.round == 0;
            let due = |slot: &Slot<'_>| {
                if first_pass { !slot.has_answered() } else { slot.is_stale(form) }
            };
            let waiting = self.slots.iter().enumerate().skip(self.position);
            if let Some((index, _)) = waiting.into_iter().find(|(_, slot)| due(slot)) {
                self.position = index;
                self.asking = Some(index);
                return Some(index);
            }
            self.next_round();
        }
        None
    }

    fn next_round(&mut self) {
        // An approval is at stake on gating events alone.
        if !self.event.is_gating() || !self.slots.iter().any(|slot| slot.is_stale(self.form)) {
            self.ended = true;
        } else if self.round == MAX_ROUNDS {
            self.deny_for_unrest();
        } else {
            self.round += 1;
            self.position = 0;
        }
    }

    /// Takes the answer of the hook that [`next_hook`](Chain::next_hook) named, and how long it took.
    pub fn answer(&mut self, answer: Result<Action, Failure>, took: Duration) {
        let Some(index) = self.asking.take() else {
            return;
        };
        self.position = index + 1;
        let form = self.form;
        match answer {
            Ok(action) if action.lacks_rewrite(self.event) => {
                let failure = Failure::new(Code::Action, "answered `modify` without a rewrite that fits the event");
                self.take_failure(index, &failure);
            }
            Ok(action) => self.take_action(index, action),
            Err(failure) => self.take_failure(index, &failure),
        }
        if let Some(slot) = self.slots.get_mut(index) {
            slot.answered_on(form, took);
        }
    }

    fn take_action(&mut self, index: usize, mut action: Action) {
        let Some(slot) = self.slots.get_mut(index) else {
            return;
        };
        let name = slot.member.info.name.clone();
        if slot.member.info.restricted && slot::restrict(&mut action) {
            self.warn(&name, Code::Untrusted, "is not trusted: all but its deny or ask was dropped");
        }
        for ignored in slot::drop_ineffective(&mut action, self.event) {
            self.warn(&name, Code::Ignored, &ignored);
        }
        let rewrote = action.decision == Decision::Modify && self.rewrite(&mut action);
        if rewrote {
            self.form += 1;
            self.last_rewriter = Some(index);
        }
        if action.decision == Decision::Deny && self.event.is_gating() {
            self.deny(&name, action.reason.clone());
        }
        if let Some(slot) = self.slots.get_mut(index) {
            slot.take(action, rewrote);
        }
    }

    fn take_failure(&mut self, index: usize, failure: &Failure) {
        let Some(slot) = self.slots.get_mut(index) else {
            return;
        };
        let info = slot.member.info;
        let subject = self.event.subject();
        let (decision, consequence) = match info.on_error {
            _ if !self.event.is_gating() => (Decision::Allow, format!("the {subject} went on without it")),
            OnError::Allow => (Decision::Allow, format!("the {subject} went on without it")),
            OnError::Ask => (Decision::Ask, format!("the {subject} waits for the user's word")),
            OnError::Deny => (Decision::Deny, format!("the {subject} was blocked")),
        };
        let message = format!("hook `{}` {}; {consequence}", info.name, failure.message);
        let reason = format!("{}: {message}", failure.code);
        slot.fail(decision, reason.clone(), failure.code);
        self.warnings.push(Warning { hook: info.name.clone(), code: failure.code, message });
        if decision == Decision::Deny {
            self.deny(&info.name, Some(reason));
        }
    }

    /// Puts the Action's rewrite in place; false if that changes nothing.
    fn rewrite(&mut self, action: &mut Action) -> bool {
        fn put<T: PartialEq>(place: &mut Option<T>, new: Option<T>) -> bool {
            let changes = new.is_some() && *place != new;
            if changes {
                *place = new;
            }
            changes
        }
        match self.event {
            Event::PreTool => put(&mut self.input.tool_input, action.modified_tool_input.take()),
            Event::PostTool => put(&mut self.input.tool_result, action.modified_tool_result.take()),
            Event::PreMessage | Event::PostMessage => put(&mut self.input.message, action.modified_message.take()),
        }
    }

    fn deny(&mut self, by: &str, reason: Option<String>) {
        self.denied = Some(Denial { by: by.to_owned(), reason });
        self.ended = true;
    }

    fn deny_for_unrest(&mut self) {
        let rewriter = self.last_rewriter.and_then(|index| self.slots.get(index));
        let name = rewriter.map(|slot| slot.member.info.name.clone()).unwrap_or_default();
        let message = format!(
            "hook `{name}` still rewrites the {} after {MAX_ROUNDS} rounds; it was blocked, since no form of it was \
             seen by every hook",
            self.event.subject()
        );
        self.deny(&name, Some(format!("{}: {message}", Code::Unrest)));
        self.warnings.push(Warning { hook: name, code: Code::Unrest, message });
    }

    fn warn(&mut self, name: &str, code: Code, what: &str) {
        let warning = Warning { hook: name.to_owned(), code, message: format!("hook `{name}` {what}") };
        // A hook that answers in every round would say the same in every round.
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// What the hooks decided together. Before [`next_hook`](Chain::next_hook) has named none, that is a deny on gating events:
    /// a hook that was not asked has not approved.
    #[must_use]
    pub fn finish(mut self) -> Outcome {
        if !self.ended && !self.slots.is_empty() && self.event.is_gating() {
            self.deny("", Some(format!("{}: the chain was given up before its end", Code::Internal)));
        }
        let modified = Rewritable::of(&self.input) != self.original;
        let mut outcome = Outcome { modified, warnings: self.warnings, ..Outcome::allow(self.input) };
        for slot in self.slots {
            slot.add_to(&mut outcome, self.event);
        }
        if let Some(denial) = self.denied {
            outcome.verdict = Verdict::Deny;
            outcome.asked_by = None;
            outcome.denied_by = Some(denial.by);
            outcome.reason = denial.reason;
        }
        outcome.reason = outcome.reason.map(slot::shorten);
        outcome
    }
}
