//! Where Qwen Code configures its hooks.

use crate::agent::loading;
use crate::agent::settings::{Entries, Flaw, Settings, UNTRIED};

const ANY: Option<&str> = Some("*");

pub(super) const SETTINGS: Settings = Settings::Entries(&Entries {
    user: ".qwen/settings.json",
    home: Some("QWEN_HOME"),
    project: ".qwen/settings.json",
    refuses: loading::QWEN,
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

pub(super) const FLAWS: &[Flaw] = &[Flaw::before([0, 24, 0], UNTRIED)];
