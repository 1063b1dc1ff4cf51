//! Where Droid configures its hooks.

use crate::agent::loading;
use crate::agent::settings::{Entries, OtherFile, Precedence, Settings, Switches};

const ANY: Option<&str> = Some("*");

/// Droid reads this switch only beside the events, and for all of its files: at the top of `settings.json`, it has no
/// effect.
const SWITCHES: Switches = &[("/hooksDisabled", true)];

pub(super) const SETTINGS: Settings = Settings::Entries(&Entries {
    user: ".factory/hooks.json",
    project: ".factory/hooks.json",
    others: &[
        OtherFile {
            user: ".factory/hooks/hooks.json",
            project: ".factory/hooks/hooks.json",
            under: None,
            switches: SWITCHES,
            precedence: Precedence::InPlace,
        },
        OtherFile {
            user: ".factory/settings.json",
            project: ".factory/settings.json",
            under: Some("hooks"),
            switches: &[("/hooks/hooksDisabled", true)],
            precedence: Precedence::Behind,
        },
    ],
    refuses: loading::DROID,
    switches: SWITCHES,
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
