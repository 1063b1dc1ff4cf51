//! What Droid does with each part of an answer.

use crate::agent::capabilities::{BEFORE_THE_TOOL, OPEN_WITHOUT_HOOKBOX};
use crate::agent::{Asking, Capabilities, Hole, Rewriting};

/// The ways past Droid's hooks.
pub(super) const HOLES: &[Hole] =
    &[Hole::new("the model sees the result of a tool as it is", BEFORE_THE_TOOL), OPEN_WITHOUT_HOOKBOX];

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
