//! What Cursor does with each part of an answer.

use super::payload::is_mcp;
use crate::agent::capabilities::BEFORE_THE_TOOL;
use crate::agent::{Asking, Call, Capabilities, Hole, Rewriting};

/// The ways past Cursor's hooks.
pub(super) const HOLES: &[Hole] =
    &[Hole::new("the model sees the result of a tool that is not of an MCP server", BEFORE_THE_TOOL)];

pub(super) fn of(call: &Call) -> Capabilities {
    match call.event.as_str() {
        // Cursor accepts `ask` here, but lets the tool run.
        "preToolUse" => Capabilities { deny: true, grant: true, input: Rewriting::Whole, ..Capabilities::NONE },
        "beforeShellExecution" | "beforeMCPExecution" => {
            Capabilities { deny: true, ask: Asking::Yes, grant: true, ..Capabilities::NONE }
        }
        "beforeReadFile" | "beforeTabFileRead" | "beforeSubmitPrompt" | "subagentStart" | "stop" => {
            Capabilities { deny: true, ..Capabilities::NONE }
        }
        "postToolUse" => Capabilities { result: is_mcp(call), ..Capabilities::CONTEXT },
        "sessionStart" => Capabilities::CONTEXT,
        _ => Capabilities::NONE,
    }
}
