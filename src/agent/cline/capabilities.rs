//! What Cline does with an answer.

use crate::agent::{Call, Capabilities, Rewriting};

pub(super) fn of(call: &Call) -> Capabilities {
    match call.event.as_str() {
        "tool_call" => Capabilities { deny: true, input: Rewriting::Whole, ..Capabilities::CONTEXT },
        "PreToolUse" | "UserPromptSubmit" => Capabilities { deny: true, ..Capabilities::CONTEXT },
        "tool_result" | "PostToolUse" => Capabilities::CONTEXT,
        // It accepts context when a task starts, but never shows it to the model.
        _ => Capabilities::NONE,
    }
}
