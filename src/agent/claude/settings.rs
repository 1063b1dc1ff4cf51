//! Where Claude Code configures its hooks.

use crate::agent::loading;
use crate::agent::settings::{DISABLE_ALL, Entries, Flaw, HttpHooks, Member, Settings, Switches};

const ANY: Option<&str> = Some("*");

/// The switches in the managed settings. `allowManagedHooksOnly` has no effect in other files.
const MANAGED: Switches = &[("/disableAllHooks", true), ("/allowManagedHooksOnly", true)];

pub(super) const SETTINGS: Settings = Settings::Entries(&Entries {
    home: Some("CLAUDE_CONFIG_DIR"),
    refuses: loading::CLAUDE,
    also: &[(".claude/settings.local.json", DISABLE_ALL), ("/etc/claude-code/managed-settings.json", MANAGED)],
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
    http: Some(HttpHooks { never: &["SessionStart"] }),
    ..Entries::CLAUDE
});

pub(super) const FLAWS: &[Flaw] = &[
    Flaw::before(
        [2, 1, 295],
        "it knows no `onFailure`: where hookbox is gone, killed or too late, the tool runs; update it",
    ),
    Flaw {
        from: [2, 1, 227],
        below: [2, 1, 228],
        meaning: "it is said to ask no hook about tools of MCP servers after the first deny: update it",
    },
];
