//! What Cursor does with an answer.

use super::payload::is_mcp;
use crate::agent::{Asking, Call, Capabilities, Rewriting};

pub(super) fn of(call: &Call) -> Capabilities {
    match call.event.as_str() {
        // It reads `ask` here, and lets the tool run.
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
