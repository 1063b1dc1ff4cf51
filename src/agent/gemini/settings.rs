//! Where Gemini CLI configures its hooks.

use crate::agent::loading::{self, Kind};
use crate::agent::settings::{Entries, Flaw, GEMINI_HOME, Member, Settings, Switches, UNTRIED, WAIT_SECONDS};

/// The matcher for all tools, a regular expression: `*` alone is not valid, and would match nothing.
const ANY: Option<&str> = Some(".*");

const SWITCHES: Switches = &[("/hooksConfig/enabled", false), ("/hooksConfig/disabled", true)];

pub(super) const SETTINGS: Settings = Settings::Entries(&Entries {
    user: ".gemini/settings.json",
    home: Some(GEMINI_HOME),
    project: ".gemini/settings.json",
    refuses: loading::GEMINI,
    also: &[("/etc/gemini-cli/settings.json", SWITCHES)],
    switches: SWITCHES,
    shapes: &[("/hooks", Kind::Object), ("/hooksConfig/enabled", Kind::Flag)],
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

pub(super) const FLAWS: &[Flaw] = &[Flaw::before([0, 61, 0], UNTRIED)];
