//! What Droid does with an answer.

use crate::agent::{Asking, Capabilities, Rewriting};

pub(super) fn of(event: &str) -> Capabilities {
    match event {
        "PreToolUse" => {
            Capabilities { deny: true, ask: Asking::Yes, grant: true, input: Rewriting::Whole, ..Capabilities::NONE }
        }
        "UserPromptSubmit" => Capabilities { deny: true, ..Capabilities::CONTEXT },
        "Stop" => Capabilities { deny: true, ..Capabilities::NONE },
        "PostToolUse" | "SessionStart" => Capabilities::CONTEXT,
        _ => Capabilities::NONE,
    }
}
