//! What Copilot CLI does with each part of an answer.

use crate::agent::capabilities::{BEFORE_THE_TOOL, SWITCHED_OFF_BY_PROJECT};
use crate::agent::{Asking, Capabilities, Hole, Rewriting};

/// The ways past Copilot CLI's hooks.
pub(super) const HOLES: &[Hole] = &[
    Hole::new("after a tool that failed, the model sees its whole result", BEFORE_THE_TOOL),
    Hole::new(
        "with `-p`, hooks of a project are skipped unless `GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS` is `true`",
        "install hookbox in the user's own settings",
    ),
    SWITCHED_OFF_BY_PROJECT,
    Hole::new(
        "where hookbox is killed at a prompt or after a tool, they pass",
        "have policies before the tool as well",
    ),
];

pub(super) fn of(event: &str) -> Capabilities {
    match event {
        "preToolUse" | "PreToolUse" => {
            Capabilities { deny: true, ask: Asking::Yes, grant: true, input: Rewriting::Whole, ..Capabilities::CONTEXT }
        }
        // This event is also sent with `--allow-all-tools`, where silence lets the tool run.
        "permissionRequest" | "PermissionRequest" => Capabilities { deny: true, grant: true, ..Capabilities::NONE },
        "postToolUse" => Capabilities { result: true, ..Capabilities::CONTEXT },
        "PostToolUse" => Capabilities { result: true, ..Capabilities::NONE },
        "userPromptSubmitted" => Capabilities { deny: true, message: true, ..Capabilities::CONTEXT },
        "UserPromptSubmit" | "agentStop" | "Stop" => Capabilities { deny: true, ..Capabilities::NONE },
        "sessionStart" | "SessionStart" | "subagentStart" | "notification" => Capabilities::CONTEXT,
        _ => Capabilities::NONE,
    }
}
