//! Where Cline finds its hooks: programs named after their events.

use crate::agent::settings::{Flaw, OwnFile, Settings, UNTRIED};

const PROGRAM: &str = "#!/bin/sh\n# Written by `hookbox install cline`.\nexec {{command line}}\n";

const fn program(user: &'static str, project: &'static str) -> OwnFile {
    OwnFile { user, project, content: PROGRAM, is_program: true }
}

pub(super) const SETTINGS: Settings = Settings::Files(&[
    program(".cline/hooks/PreToolUse", ".cline/hooks/PreToolUse"),
    program(".cline/hooks/PostToolUse", ".cline/hooks/PostToolUse"),
    program(".cline/hooks/UserPromptSubmit", ".cline/hooks/UserPromptSubmit"),
    program(".cline/hooks/TaskStart", ".cline/hooks/TaskStart"),
]);

pub(super) const FLAWS: &[Flaw] = &[Flaw::before([3, 0, 0], UNTRIED)];
