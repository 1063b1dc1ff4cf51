//! What Codex does with each part of an answer. An answer with anything else in it counts as a failure, and the tool
//! runs.

use crate::agent::capabilities::{OPEN_WITHOUT_HOOKBOX, SWITCHED_OFF_BY_PROJECT};
use crate::agent::{Asking, Capabilities, Hole, Rewriting};

/// The ways past Codex's hooks.
pub(super) const HOLES: &[Hole] = &[
    Hole::new(
        "what is typed into a program that runs already (`write_stdin`) is not asked about",
        "deny programs that read commands, such as a shell without arguments: the policy `command-allowlist`",
    ),
    Hole::new(
        "hooks that are not trusted are skipped without a word",
        "trust them with `/hooks`; `hookbox doctor` checks it",
    ),
    OPEN_WITHOUT_HOOKBOX,
    SWITCHED_OFF_BY_PROJECT,
];

pub(super) fn of(event: &str) -> Capabilities {
    let noticed = Capabilities { notice: true, ..Capabilities::NONE };
    let context = Capabilities { context: true, ..noticed };
    match event {
        // Without an answer, the call runs without a question if the sandbox would let it.
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
