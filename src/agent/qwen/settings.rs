//! Where Qwen Code names its hooks.

use crate::agent::settings::{Entries, Settings};

const ANY: Option<&str> = Some("*");

pub(super) const SETTINGS: Settings = Settings::Entries(Entries {
    user: ".qwen/settings.json",
    project: ".qwen/settings.json",
    events: &[
        ("PreToolUse", ANY),
        ("PermissionRequest", ANY),
        ("PostToolUse", ANY),
        ("PostToolUseFailure", ANY),
        ("UserPromptSubmit", None),
        ("SessionStart", None),
        ("Stop", None),
    ],
    ..Entries::CLAUDE
});
