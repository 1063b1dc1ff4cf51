//! Where Copilot CLI names its hooks: it reads every file in a folder.

use crate::agent::settings::{Entries, Flaw, Settings, UNTRIED, WAIT_SECONDS};

pub(super) const SETTINGS: Settings = Settings::Entries(&Entries {
    user: ".copilot/hooks/hookbox.json",
    home: Some("COPILOT_HOME"),
    project: ".github/hooks/hookbox.json",
    also: &[
        ".copilot/settings.json",
        ".github/copilot/settings.json",
        ".github/copilot/settings.local.json",
        ".claude/settings.json",
        ".claude/settings.local.json",
    ],
    header: &[("version", 1)],
    events: &[
        ("preToolUse", None),
        ("permissionRequest", None),
        ("postToolUse", None),
        ("postToolUseFailure", None),
        ("userPromptSubmitted", None),
        ("sessionStart", None),
        ("agentStop", None),
    ],
    is_grouped: false,
    command: "bash",
    wait: ("timeoutSec", WAIT_SECONDS),
    ..Entries::CLAUDE
});

pub(super) const FLAWS: &[Flaw] = &[
    Flaw::before([1, 0, 13], "what its subagents do is not asked about: update it"),
    Flaw { from: [1, 0, 13], below: [1, 0, 41], meaning: UNTRIED },
];
