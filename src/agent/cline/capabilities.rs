//! What Cline does with each part of an answer.

use crate::agent::capabilities::{BEFORE_THE_TOOL, OPEN_WITHOUT_HOOKBOX};
use crate::agent::{Call, Capabilities, Hole, Rewriting};

/// The ways past Cline's hooks.
pub(super) const HOLES: &[Hole] =
    &[Hole::new("the model sees the result of a tool as it is", BEFORE_THE_TOOL), OPEN_WITHOUT_HOOKBOX];

pub(super) fn of(call: &Call) -> Capabilities {
    match call.event.as_str() {
        "tool_call" => Capabilities { deny: true, input: Rewriting::Whole, ..Capabilities::CONTEXT },
        "PreToolUse" | "UserPromptSubmit" => Capabilities { deny: true, ..Capabilities::CONTEXT },
        "tool_result" | "PostToolUse" => Capabilities::CONTEXT,
        // Cline accepts context when a task starts, but never shows it to the model.
        _ => Capabilities::NONE,
    }
}
