//! What an agent can be told in answer to an event.

use super::plan::Loss;
use crate::protocol::Event;

/// What an agent does with each part of an answer to one event. What it cannot do is degraded by
/// [`plan`](super::plan()).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capabilities {
    /// It can be stopped.
    pub deny: bool,
    /// It can be made to ask a person.
    pub ask: Asking,
    /// It can be told not to ask a person.
    pub grant: bool,
    /// The tool's input can be replaced.
    pub input: Rewriting,
    /// The tool's result can be replaced before the model sees it.
    pub result: bool,
    /// The user's message can be replaced.
    pub message: bool,
    /// The model can be given additional text.
    pub context: bool,
    /// The user can be shown a text.
    pub notice: bool,
    /// The whole run can be ended, and the event does not go on.
    pub halt: bool,
}

/// How an agent can be made to ask a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// Not at all.
    No,
    /// By a decision that says so.
    Yes,
    /// It asks unless it gets a decision.
    BySilence,
}

/// How an agent applies a new tool input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewriting {
    /// Not at all.
    No,
    /// In place of the old one.
    Whole,
    /// Member by member over the old one, so members cannot be removed.
    Merged,
}

impl Capabilities {
    /// No answer has an effect.
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

    /// The model can be given additional text, and nothing else.
    pub const CONTEXT: Capabilities = Capabilities { context: true, ..Capabilities::NONE };

    /// What cannot be said exactly, or at all, in answer to this event.
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
    /// What closes it.
    pub closes: &'static str,
}

impl Hole {
    pub(super) const fn new(what: &'static str, closes: &'static str) -> Self {
        Hole { what, closes }
    }
}

/// What closes the hole that a result is shown.
pub(super) const BEFORE_THE_TOOL: &str = "stop the tool instead: policies before it do not depend on its result";

/// An agent without a switch that makes a failed hook stop the tool.
pub(super) const OPEN_WITHOUT_HOOKBOX: Hole = Hole::new(
    "where hookbox is gone or is killed, the tool runs",
    "keep hookbox, its processes and the agent's settings from the agent: the policy `protect-paths`",
);

/// An agent whose user has no settings that outweigh those of a project.
pub(super) const SWITCHED_OFF_BY_PROJECT: Hole = Hole::new(
    "the settings of a project can switch the user's hooks off",
    "`hookbox doctor` in that project names the file; keep such files from the agent: the policy `protect-paths`",
);
