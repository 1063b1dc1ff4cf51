//! What Claude Code does with an answer.

use crate::agent::{Asking, Capabilities, Rewriting};

pub(super) fn of(event: &str) -> Capabilities {
    let noticed = Capabilities { notice: true, ..Capabilities::NONE };
    let context = Capabilities { context: true, ..noticed };
    match event {
        // `continue: false` ends the run, but only after the tool.
        "PreToolUse" => Capabilities { deny: true, ask: Asking::Yes, grant: true, input: Rewriting::Whole, ..context },
        "PermissionRequest" => Capabilities { deny: true, ask: Asking::BySilence, grant: true, ..noticed },
        "PostToolUse" => Capabilities { result: true, halt: true, ..context },
        "UserPromptSubmit" => Capabilities { deny: true, halt: true, ..context },
        "Stop" => Capabilities { deny: true, ..context },
        "PreCompact" | "ConfigChange" => Capabilities { deny: true, ..noticed },
        "PostToolUseFailure" | "SessionStart" | "SubagentStart" | "Notification" => context,
        _ => Capabilities::NONE,
    }
}
