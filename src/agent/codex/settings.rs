//! Where Codex names its hooks.

use crate::agent::settings::{Entries, Settings};

const ANY: Option<&str> = Some("*");

pub(super) const SETTINGS: Settings = Settings::Entries(Entries {
    user: ".codex/hooks.json",
    project: ".codex/hooks.json",
    events: &[
        ("PreToolUse", ANY),
        ("PermissionRequest", ANY),
        ("PostToolUse", ANY),
        ("UserPromptSubmit", None),
        ("SessionStart", None),
        ("Stop", None),
        ("SubagentStart", None),
        ("PreCompact", None),
    ],
    then: Some("Codex skips hooks that are not trusted: start it, and trust these with `/hooks`"),
    ..Entries::CLAUDE
});
