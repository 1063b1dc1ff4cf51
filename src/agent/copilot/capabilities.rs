//! What Copilot CLI does with an answer.

use crate::agent::{Asking, Capabilities, Rewriting};

pub(super) fn of(event: &str) -> Capabilities {
    match event {
        "preToolUse" | "PreToolUse" => {
            Capabilities { deny: true, ask: Asking::Yes, grant: true, input: Rewriting::Whole, ..Capabilities::CONTEXT }
        }
        // It is also sent with `--allow-all-tools`, where silence lets the tool run.
        "permissionRequest" | "PermissionRequest" => Capabilities { deny: true, grant: true, ..Capabilities::NONE },
        "postToolUse" => Capabilities { result: true, ..Capabilities::CONTEXT },
        "PostToolUse" => Capabilities { result: true, ..Capabilities::NONE },
        "userPromptSubmitted" => Capabilities { deny: true, message: true, ..Capabilities::CONTEXT },
        "UserPromptSubmit" | "agentStop" | "Stop" => Capabilities { deny: true, ..Capabilities::NONE },
        "sessionStart" | "SessionStart" | "subagentStart" | "notification" => Capabilities::CONTEXT,
        _ => Capabilities::NONE,
    }
}
