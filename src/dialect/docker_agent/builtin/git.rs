//! Questions to git, asked with settings that make it run no other program.

use crate::runtime::Caller;
use crate::runtime::shell::{Bounds, Call, Command, End, Overflow, PipeGrace, Processes, Spawner};
use std::ffi::OsString;
use std::time::Duration;

/// The options that keep git from running other programs and from asking anybody.
const QUIET: [&str; 9] = [
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "log.showSignature=false",
    // git must not fetch what a partial clone lacks, whichever command its settings name for that.
    "-c",
    "protocol.allow=never",
];

/// The limits of a question to git.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asking {
    /// The time limit.
    pub(super) limit: Duration,
    /// The most output of git that is kept, in bytes.
    pub(super) output: usize,
    /// What happens to further output.
    pub(super) overflow: Overflow,
}

impl Asking {
    /// Asks git about a directory. Returns whether it succeeded, and what it wrote; `None` if it did not end by itself.
    /// `variables` are added to its environment, and `stdin` is what it reads.
    pub(super) async fn ask(
        self,
        dir: &str,
        args: &[&str],
        variables: &[(&str, OsString)],
        stdin: Vec<u8>,
        caller: &Caller,
    ) -> Option<(bool, Vec<u8>)> {
        let path = std::env::var_os("PATH");
        let mut command = Command::new("git", dir);
        command.args = QUIET.iter().chain(&["-C", dir]).chain(args).map(Into::into).collect();
        // Neither the user's settings nor those of this process count, so that everybody gets the same text.
        command.env = [
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_OPTIONAL_LOCKS", "0"),
            ("GIT_TERMINAL_PROMPT", "0"),
            ("LC_ALL", "C"),
        ]
        .map(|(name, value)| (name.into(), value.into()))
        .to_vec();
        command.env.extend(variables.iter().map(|(name, value)| (name.into(), value.clone())));
        command.env.extend(path.clone().map(|path| ("PATH".into(), path)));
        command.search_path = path;
        let grace = PipeGrace { with_answer: Duration::ZERO, without_answer: Duration::ZERO };
        let bounds = Bounds::new(self.output, 4096, self.overflow, grace);
        match Processes.run(Call { command: &command, payload: stdin, bounds, limit: Some(self.limit), caller }).await {
            End::Ended { status, stdout, .. } => Some((status.success(), stdout)),
            _ => None,
        }
    }
}
