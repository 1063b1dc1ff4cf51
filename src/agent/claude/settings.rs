//! Where Claude Code names its hooks.

use crate::agent::settings::{Entries, Member, Settings};

const ANY: Option<&str> = Some("*");

pub(super) const SETTINGS: Settings = Settings::Entries(Entries {
    events: &[
        ("PreToolUse", ANY),
        ("PermissionRequest", ANY),
        ("PostToolUse", ANY),
        ("PostToolUseFailure", ANY),
        ("UserPromptSubmit", None),
        ("SessionStart", None),
        ("Stop", None),
        ("SubagentStart", None),
        ("PreCompact", None),
        ("ConfigChange", None),
    ],
    more: &[("onFailure", Member::Text("block"))],
    ..Entries::CLAUDE
});
