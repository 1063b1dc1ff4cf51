//! Where Copilot CLI configures its hooks: it reads every file in a folder.

use crate::agent::loading;
use crate::agent::settings::{DISABLE_ALL, Entries, Flaw, Settings, UNTRIED, WAIT_SECONDS};

pub(super) const SETTINGS: Settings = Settings::Entries(&Entries {
    user: ".copilot/hooks/hookbox.json",
    home: Some("COPILOT_HOME"),
    project: ".github/hooks/hookbox.json",
    refuses: loading::COPILOT,
    skips: loading::COPILOT_SKIPS,
    also: &[
        // In this file, the switch only affects the hooks of the file itself.
        (".copilot/settings.json", &[]),
        (".github/copilot/settings.json", DISABLE_ALL),
        (".github/copilot/settings.local.json", DISABLE_ALL),
        (".claude/settings.json", DISABLE_ALL),
        (".claude/settings.local.json", DISABLE_ALL),
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
