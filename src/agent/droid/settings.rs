//! Where Droid names its hooks.

use crate::agent::settings::{Entries, Settings};

const ANY: Option<&str> = Some("*");

pub(super) const SETTINGS: Settings = Settings::Entries(&Entries {
    user: ".factory/hooks.json",
    project: ".factory/hooks.json",
    also: &[".factory/settings.json"],
    switches: &[("/hooksDisabled", true)],
    under: None,
    events: &[
        ("PreToolUse", ANY),
        ("PostToolUse", ANY),
        ("UserPromptSubmit", None),
        ("SessionStart", None),
        ("Stop", None),
    ],
    then: Some("Droid reviews changed hooks: start it, and look at them with `/hooks`"),
    ..Entries::CLAUDE
});
