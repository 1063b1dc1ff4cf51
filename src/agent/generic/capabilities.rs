//! What an unknown agent with Claude Code's hooks can be told: what all such agents understand.

use crate::agent::Capabilities;

pub(super) fn of(event: &str) -> Capabilities {
    match event {
        // After a tool, the model is told the reason, but still sees the result.
        "PreToolUse" | "PostToolUse" | "UserPromptSubmit" | "Stop" => Capabilities { deny: true, ..Capabilities::NONE },
        _ => Capabilities::NONE,
    }
}
