//! What a plugin can make OpenCode do.

use crate::agent::{Capabilities, Rewriting};

pub(super) fn of(event: &str) -> Capabilities {
    match event {
        "tool.execute.before" | "pre" => Capabilities { deny: true, input: Rewriting::Merged, ..Capabilities::NONE },
        "tool.execute.after" | "post" => Capabilities { result: true, ..Capabilities::NONE },
        "chat.message" | "prompt" => Capabilities { deny: true, ..Capabilities::NONE },
        _ => Capabilities::NONE,
    }
}
