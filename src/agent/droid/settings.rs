//! Where Droid names its hooks.

use crate::agent::loading;
use crate::agent::settings::{Entries, OtherFile, Precedence, Settings};

const ANY: Option<&str> = Some("*");

pub(super) const SETTINGS: Settings = Settings::Entries(&Entries {
    user: ".factory/hooks.json",
    project: ".factory/hooks.json",
    others: &[
        OtherFile {
            user: ".factory/hooks/hooks.json",
            project: ".factory/hooks/hooks.json",
            under: None,
            precedence: Precedence::InPlace,
        },
        OtherFile {
            user: ".factory/settings.json",
            project: ".factory/settings.json",
            under: Some("hooks"),
            precedence: Precedence::Behind,
        },
    ],
    refuses: loading::DROID,
    switches: &[("/hooksDisabled", true), ("/hooks/hooksDisabled", true)],
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
