//! `hookbox completions` and `hookbox __man`: create the files that packages install beside the program.

use super::{Cli, Exit, print_raw};
use anyhow::Context;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::path::PathBuf;

/// Print the script with which a shell completes hookbox's commands and options
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    hookbox completions bash > ~/.local/share/bash-completion/completions/hookbox\n  \
    hookbox completions zsh > ~/.zfunc/_hookbox        # in a directory of $fpath\n  \
    hookbox completions fish > ~/.config/fish/completions/hookbox.fish")]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "hookbox", &mut script);
        let script = String::from_utf8(script).context("the script is not text")?;
        Ok(if print_raw(script.trim_end()) { Exit::Success } else { Exit::Failure })
    }
}

/// Write the manual pages of hookbox and its commands
#[derive(Args)]
pub(super) struct Man {
    /// Where to write them
    dir: PathBuf,
}

impl Man {
    pub(super) fn exec(self) -> anyhow::Result<Exit> {
        let failed = || format!("the pages cannot be written to `{}`", self.dir.display());
        clap_mangen::generate_to(Cli::command(), &self.dir).with_context(failed)?;
        Ok(Exit::Success)
    }
}
