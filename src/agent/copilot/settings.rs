//! Where Copilot CLI names its hooks: it reads every file in a folder.

use crate::agent::settings::{Entries, Settings, WAIT_SECONDS};

pub(super) const SETTINGS: Settings = Settings::Entries(Entries {
    user: ".copilot/hooks/hookbox.json",
    project: ".github/hooks/hookbox.json",
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
