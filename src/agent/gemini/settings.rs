//! Where Gemini CLI names its hooks.

use crate::agent::settings::{Entries, Member, Settings, WAIT_SECONDS};

/// A regular expression: `*` alone is none, and would match nothing.
const ANY: Option<&str> = Some(".*");

pub(super) const SETTINGS: Settings = Settings::Entries(Entries {
    user: ".gemini/settings.json",
    project: ".gemini/settings.json",
    events: &[
        ("BeforeTool", ANY),
        ("AfterTool", ANY),
        ("BeforeAgent", None),
        ("AfterAgent", None),
        ("SessionStart", None),
    ],
    wait: ("timeout", WAIT_SECONDS * 1000),
    more: &[("name", Member::Text("hookbox"))],
    ..Entries::CLAUDE
});
