//! Where Codex configures its hooks.

use crate::agent::loading;
use crate::agent::settings::{Entries, Flaw, Settings, UNTRIED};

const ANY: Option<&str> = Some("*");

pub(super) const SETTINGS: Settings = Settings::Entries(&Entries {
    user: ".codex/hooks.json",
    home: Some("CODEX_HOME"),
    project: ".codex/hooks.json",
    refuses: loading::CODEX,
    also: &[
        (".codex/config.toml", &[("/features/hooks", false)]),
        // The switch has no effect in `config.toml`.
        ("/etc/codex/requirements.toml", &[("/allow_managed_hooks_only", true)]),
    ],
    switches: &[],
    events: &[
        ("PreToolUse", ANY),
        ("PermissionRequest", ANY),
        ("PostToolUse", ANY),
        ("UserPromptSubmit", None),
        ("SessionStart", None),
        ("Stop", None),
        ("SubagentStart", None),
        ("PreCompact", None),
    ],
    then: Some("Codex skips hooks that are not trusted: start it, and trust these with `/hooks`"),
    ..Entries::CLAUDE
});

pub(super) const FLAWS: &[Flaw] = &[Flaw::before([0, 164, 0], UNTRIED)];
