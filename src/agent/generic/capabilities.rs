//! What can be said to an agent of which only the family is known: what all of it understands.

use crate::agent::Capabilities;

pub(super) fn of(event: &str) -> Capabilities {
    match event {
        "PreToolUse" | "UserPromptSubmit" | "Stop" => Capabilities { deny: true, ..Capabilities::NONE },
        _ => Capabilities::NONE,
    }
}
