//! What Cline does with an answer.

use crate::agent::{Call, Capabilities, Rewriting};

pub(super) fn of(call: &Call) -> Capabilities {
    match call.event.as_str() {
        "tool_call" => Capabilities { deny: true, input: Rewriting::Whole, ..Capabilities::CONTEXT },
        "PreToolUse" | "UserPromptSubmit" => Capabilities { deny: true, ..Capabilities::CONTEXT },
        "tool_result" | "PostToolUse" => Capabilities::CONTEXT,
        // It takes context when a task starts, and shows it to nobody.
        _ => Capabilities::NONE,
    }
}
