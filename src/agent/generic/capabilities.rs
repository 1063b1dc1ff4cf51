//! What an agent of unknown name can be told: what the whole family understands.

use crate::agent::Capabilities;

pub(super) fn of(event: &str) -> Capabilities {
    match event {
        // After a tool, the model is told why, and sees the result all the same.
        "PreToolUse" | "PostToolUse" | "UserPromptSubmit" | "Stop" => Capabilities { deny: true, ..Capabilities::NONE },
        _ => Capabilities::NONE,
    }
}
