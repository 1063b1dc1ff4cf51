//! What Cline does with an answer.

use crate::agent::{Call, Capabilities, Rewriting};

pub(super) fn of(call: &Call) -> Capabilities {
    match call.event.as_str() {
        "tool_call" => Capabilities { deny: true, input: Rewriting::Whole, ..Capabilities::CONTEXT },
        "PreToolUse" | "UserPromptSubmit" => Capabilities { deny: true, ..Capabilities::CONTEXT },
        "tool_result" | "PostToolUse" | "agent_start" | "TaskStart" | "TaskResume" => Capabilities::CONTEXT,
        _ => Capabilities::NONE,
    }
}
