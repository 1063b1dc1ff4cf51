//! Where Cline finds its hooks: programs that are named after their events.

use crate::agent::settings::{OwnFile, Settings};

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
