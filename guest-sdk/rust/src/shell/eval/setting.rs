//! Variables whose value is a command that another program runs.

use super::{Place, Shell};
use crate::shell::Unknown;
use crate::shell::command::Stdin;
use crate::shell::inner::is_wholly_unknown;
use std::rc::Rc;

/// Variables whose value is a command.
const COMMANDS: [&str; 32] = [
    "AWS_PAGER",
    "BAT_PAGER",
    "BROWSER",
    "CVS_RSH",
    "DELTA_PAGER",
    "EDITOR",
    "FCEDIT",
    "GH_EDITOR",
    "GH_PAGER",
    "GIT_ASKPASS",
    "GIT_EDITOR",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_PROXY_COMMAND",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "KUBE_EDITOR",
    "LESSCLOSE",
    "LESSOPEN",
    "MANPAGER",
    "PAGER",
    "PROMPT_COMMAND",
    "PSQL_PAGER",
    "RSYNC_RSH",
    "RUSTC_WRAPPER",
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
    "SUDO_EDITOR",
    "SVN_SSH",
    "SYSTEMD_PAGER",
    "VISUAL",
];
/// Variables that a shell expands when it uses them.
const EXPANDED: [&str; 6] = ["PS0", "PS1", "PS2", "PS4", "BASH_ENV", "ENV"];

impl Shell {
    /// Walks through what a program runs because of this variable, which the command at `index` sets.
    pub(super) fn setting(&mut self, name: &str, value: &str, index: usize, place: &Place) {
        let is_expanded = EXPANDED.contains(&name);
        if name.starts_with("BASH_FUNC_") {
            return self.fail(Unknown::script("a shell", "a function in its environment"));
        }
        // This is `CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER`.
        let is_cargo = name.starts_with("CARGO_") && (name.ends_with("_RUNNER") || name.ends_with("_WRAPPER"));
        if !is_expanded && !is_cargo && !COMMANDS.contains(&name) {
            return;
        }
        let place = Place {
            stdin: Stdin::Inherited,
            reads: Rc::default(),
            parent: Some(index),
            via: Some("variable".into()),
            run_by: Some(name.into()),
            steps: place.steps + 1,
            ..place.clone()
        };
        if !is_expanded {
            // `LESSOPEN` begins with a pipe character.
            let script = value.trim_start_matches(['|', '-', ' ']);
            return self.read_setting(name, script, &place);
        }
        if value.contains(['$', '`']) {
            let first = self.script.commands.len();
            self.quoted(value, &place);
            self.adopt(first..self.script.commands.len(), index);
        }
        // The file that a shell reads first may be the output of another command.
        if let Some(stream) = self.stream_of(value) {
            match stream.printed {
                Some(script) => self.read_setting(name, &script, &place),
                None => self.fail(Unknown::script("a shell", "the output of another command")),
            }
        }
    }

    fn read_setting(&mut self, name: &str, script: &str, place: &Place) {
        if is_wholly_unknown(script) {
            self.fail(Unknown::script(&format!("what reads {name}"), "a text that is not known yet"));
        } else if !script.trim().is_empty() {
            self.script(script, place, false);
        }
    }
}
