//! What Codex does with an answer. An answer with anything else in it counts as a failure, and the tool runs.

use crate::agent::{Asking, Capabilities, Rewriting};

pub(super) fn of(event: &str) -> Capabilities {
    let noticed = Capabilities { notice: true, ..Capabilities::NONE };
    let context = Capabilities { context: true, ..noticed };
    match event {
        // Silence lets the call run without a question if the sandbox would.
        "PreToolUse" => Capabilities { deny: true, input: Rewriting::Whole, ..context },
        "PermissionRequest" => Capabilities { deny: true, ask: Asking::BySilence, grant: true, ..Capabilities::NONE },
        "PostToolUse" => Capabilities { result: true, halt: true, ..context },
        "UserPromptSubmit" => Capabilities { deny: true, halt: true, ..context },
        "SessionStart" => Capabilities { halt: true, ..context },
        "SubagentStart" => context,
        "Stop" => Capabilities { deny: true, ..noticed },
        "PreCompact" => Capabilities { deny: true, ..noticed },
        _ => Capabilities::NONE,
    }
}
