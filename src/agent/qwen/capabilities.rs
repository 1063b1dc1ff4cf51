//! What Qwen Code does with each part of an answer. It ignores a new input, and the tool would run with the old one.
//! Before a tool, it also drops context.

use crate::agent::capabilities::{BEFORE_THE_TOOL, OPEN_WITHOUT_HOOKBOX, SWITCHED_OFF_BY_PROJECT};
use crate::agent::{Asking, Capabilities, Hole};

/// The ways past Qwen Code's hooks.
pub(super) const HOLES: &[Hole] = &[
    Hole::new("a hook that allows overrides an earlier hook's deny", "put hookbox last in the list of each event"),
    Hole::new("after a tool that failed, the model sees its whole result", BEFORE_THE_TOOL),
    OPEN_WITHOUT_HOOKBOX,
    SWITCHED_OFF_BY_PROJECT,
];

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
