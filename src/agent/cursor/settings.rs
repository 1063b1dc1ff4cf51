//! Where Cursor configures its hooks.

use crate::agent::settings::{Entries, Member, Settings};

pub(super) const SETTINGS: Settings = Settings::Entries(&Entries {
    user: ".cursor/hooks.json",
    project: ".cursor/hooks.json",
    header: &[("version", 1)],
    events: &[
        ("preToolUse", None),
        ("beforeShellExecution", None),
        ("beforeMCPExecution", None),
        ("beforeReadFile", None),
        ("postToolUse", None),
        ("beforeSubmitPrompt", None),
        ("sessionStart", None),
        ("subagentStart", None),
        ("stop", None),
    ],
    is_grouped: false,
    more: &[("failClosed", Member::True)],
    ..Entries::CLAUDE
});
