//! What an agent of unknown name can be told: what the whole family understands.

use crate::agent::Capabilities;

pub(super) fn of(event: &str) -> Capabilities {
    match event {
        "PreToolUse" | "UserPromptSubmit" | "Stop" => Capabilities { deny: true, ..Capabilities::NONE },
        _ => Capabilities::NONE,
    }
}
