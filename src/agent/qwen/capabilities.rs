//! What Qwen Code does with an answer. It ignores a new input, and the tool would run with the old one; before a tool,
//! it also drops context.

use crate::agent::{Asking, Capabilities};

pub(super) fn of(event: &str) -> Capabilities {
    match event {
        "PreToolUse" => Capabilities { deny: true, ask: Asking::Yes, ..Capabilities::NONE },
        "PermissionRequest" => Capabilities { deny: true, ask: Asking::BySilence, ..Capabilities::NONE },
        "PostToolUse" => Capabilities { result: true, ..Capabilities::CONTEXT },
        "UserPromptSubmit" => Capabilities { deny: true, ..Capabilities::CONTEXT },
        "Stop" => Capabilities { deny: true, ..Capabilities::NONE },
        "PostToolUseFailure" | "SessionStart" => Capabilities::CONTEXT,
        _ => Capabilities::NONE,
    }
}
