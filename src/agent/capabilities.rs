//! What an agent can be told in answer to an event.

use super::plan::Loss;
use crate::protocol::Event;

/// What an agent does with each part of an answer to one event. [`plan`](super::plan()) degrades what the agent cannot
/// do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capabilities {
    /// Whether the event can be stopped.
    pub deny: bool,
    /// How the agent can be made to ask a person.
    pub ask: Asking,
    /// Whether the agent can be told not to ask a person.
    pub grant: bool,
    /// How the tool's input can be replaced.
    pub input: Rewriting,
    /// Whether the tool's result can be replaced before the model sees it.
    pub result: bool,
    /// Whether the user's message can be replaced.
    pub message: bool,
    /// Whether the model can be given additional text.
    pub context: bool,
    /// Whether the user can be shown a text.
    pub notice: bool,
    /// Whether the whole run can be ended, so that the event does not go on.
    pub halt: bool,
}

/// How an agent can be made to ask a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// Not at all.
    No,
    /// By an explicit decision.
    Yes,
    /// By no decision: the agent asks unless it gets one.
    BySilence,
}

/// How an agent applies a new tool input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewriting {
    /// Not at all.
    No,
    /// The new input replaces the old one.
    Whole,
    /// The new members are written over the old ones, so members cannot be removed.
    Merged,
}

impl Capabilities {
    /// No capabilities: no answer has an effect.
    pub const NONE: Capabilities = Capabilities {
        deny: false,
        ask: Asking::No,
        grant: false,
        input: Rewriting::No,
        result: false,
        message: false,
        context: false,
        notice: false,
        halt: false,
    };

    /// A single capability: the model can be given additional text.
    pub const CONTEXT: Capabilities = Capabilities { context: true, ..Capabilities::NONE };

    /// Returns what the agent cannot be told exactly, or at all, in answer to this event.
    #[must_use]
    pub fn losses(&self, event: Event) -> Vec<Loss> {
        let is_before_tool = matches!(event, Event::PreTool | Event::PermissionRequest);
        let is_after_tool = event == Event::PostTool;
        let lost = [
            (Loss::Deny, event.is_gating() && !self.deny),
            (Loss::Ask, is_before_tool && self.ask == Asking::No),
            (Loss::Input, is_before_tool && self.input == Rewriting::No),
            (Loss::Result, is_after_tool && !self.result),
            (Loss::Message, event == Event::PreMessage && !self.message),
            (Loss::Context, !self.context),
            (Loss::Notice, !self.notice),
            (Loss::Halt, (is_before_tool || is_after_tool) && !self.halt),
        ];
        lost.into_iter().filter(|(_, is_lost)| *is_lost).map(|(loss, _)| loss).collect()
    }
}

/// What an agent does without asking its hooks, or in spite of their answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hole {
    /// What happens.
    pub what: &'static str,
    /// How to close the hole.
    pub closes: &'static str,
}

impl Hole {
    pub(super) const fn new(what: &'static str, closes: &'static str) -> Self {
        Hole { what, closes }
    }
}

/// How to close a hole through which the model sees a result.
pub(super) const BEFORE_THE_TOOL: &str =
    "a policy cannot hide the result, but one for `pre_tool` can stop the tool before it runs";

/// The hole of an agent that has no switch to make a failed hook stop the tool.
pub(super) const OPEN_WITHOUT_HOOKBOX: Hole = Hole::new(
    "where hookbox is gone or is killed, the tool runs",
    "keep hookbox, its processes and the agent's settings from the agent: the policy `protect-paths`",
);

/// The hole of an agent whose user has no settings that outweigh those of a project.
pub(super) const SWITCHED_OFF_BY_PROJECT: Hole = Hole::new(
    "the settings of a project can switch the user's hooks off",
    "`hookbox doctor` in that project names the file; keep such files from the agent: the policy `protect-paths`",
);
