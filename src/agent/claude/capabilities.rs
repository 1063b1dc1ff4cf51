//! What Claude Code does with each part of an answer.

use crate::agent::capabilities::{BEFORE_THE_TOOL, SWITCHED_OFF_BY_PROJECT};
use crate::agent::{Asking, Capabilities, Hole, Rewriting};

/// The ways past Claude Code's hooks.
pub(super) const HOLES: &[Hole] =
    &[Hole::new("after a tool that failed, the model sees its whole result", BEFORE_THE_TOOL), SWITCHED_OFF_BY_PROJECT];

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
