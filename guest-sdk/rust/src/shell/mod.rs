//! Splits a shell command into all the commands that it would run.
//!
//! [`parse`] finds the simple commands of pipelines, lists, subshells, loops, functions and substitutions, and those
//! inside other commands: `sudo rm`, `bash -c '…'`, `find -exec`, `xargs`, here-documents for a shell, `ssh host '…'`.
//! A policy judges the flat list.
//!
//! ```
//! use hookbox_sdk::shell;
//!
//! let script = shell::parse("cd build && sudo bash -c 'make install; rm -rf \"/opt/old\"'");
//! let names: Vec<_> = script.commands()?.iter().map(|command| command.name()).collect();
//! assert_eq!(names, [Some("cd"), Some("sudo"), Some("bash"), Some("make"), Some("rm")]);
//! # Ok::<(), hookbox_sdk::Error>(())
//! ```
//!
//! # What cannot be known
//!
//! Much of a command is decided only when it runs: the value of `$DIR`, the files of `*.txt`, the script that `curl`
//! fetches for `sh`. The types keep unknown parts separate, so a policy cannot mistake them for harmless by accident:
//!
//! * [`Script::commands`] returns an error if some commands cannot be listed, as in `curl … | sh` or after a syntax
//!   error. [`Script::known_commands`] returns the others, for a policy that denies what it recognizes and asks about
//!   the rest.
//! * [`SimpleCommand::name`] is `None` for `$CMD` and the like.
//! * [`Word::known`] is `None` unless every character of the word is known; [`Word::pattern`] has the known parts.
//!
//! ```
//! use hookbox_sdk::shell;
//!
//! let script = shell::parse("rm -rf \"$DIR\"; curl https://example.com/install.sh | sh");
//! assert!(script.commands().is_err());
//! let rm = &script.known_commands()[0];
//! assert_eq!(rm.arguments()[0].known(), Some("-rf"));
//! assert_eq!(rm.arguments()[1].known(), None);
//! ```
//!
//! Variables, functions and aliases that the text itself sets are followed; those of the environment are not looked up,
//! and neither are files. A function's body counts as run, and so do both paths of a branch. This lowers the risk of an
//! accident; it does not stop someone who deliberately hides a command.
//!
//! # Bounds
//!
//! Hostile text can only use bounded time, memory and stack: the limits are 64 KiB, 8 nested scripts, 1,000 commands,
//! and 64 words from one brace expansion. Expansion within the text, such as repeated `x=$x$x`, counts as work, which
//! is limited, too. Anything beyond the limits is an [`Unknown`].

mod arguments;
mod collect;
mod command;
mod edit;
mod env;
mod eval;
mod expand;
pub mod facts;
mod files;
mod inner;
mod marks;
mod syntax;
mod unknown;
mod word;

pub use arguments::Arguments;
pub use command::{Assignment, Redirect, SimpleCommand, Stdin};
pub use edit::Edit;
pub use files::{Access, FileUse};
pub use inner::find_starts;
pub use unknown::{Unknown, UnknownKind};
pub use word::{FOUND, GLOB, HOME, Part, UNKNOWN, Word};

use crate::{CommandLine, Error, Input};
use collect::Surroundings;

/// Everything that a command would run.
#[derive(Debug, Clone, Default)]
pub struct Script {
    commands: Vec<SimpleCommand>,
    redirects: Vec<Redirect>,
    unknowns: Vec<Unknown>,
}

impl Script {
    /// Returns every command that would run. Each command comes before those that it runs.
    ///
    /// # Errors
    /// Returns an error if some commands cannot be known. A policy that propagates the error with `?` fails, and so
    /// denies.
    pub fn commands(&self) -> Result<&[SimpleCommand], Unknown> {
        match self.unknowns.first() {
            Some(unknown) => Err(unknown.clone()),
            None => Ok(&self.commands),
        }
    }

    /// Returns the commands that can be known. The policy must also handle [`unknowns`](Self::unknowns).
    #[must_use]
    pub fn known_commands(&self) -> &[SimpleCommand] {
        &self.commands
    }

    /// Returns why some commands cannot be known. Empty if all are known.
    #[must_use]
    pub fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }

    /// Returns the redirections to and from files, of all commands.
    #[must_use]
    pub fn redirects(&self) -> &[Redirect] {
        &self.redirects
    }
}

/// Parses a text for a shell.
#[must_use]
pub fn parse(text: &str) -> Script {
    collect::text(text, Surroundings::default())
}

impl CommandLine {
    /// Parses the command.
    #[must_use]
    pub fn parse(&self) -> Script {
        match self {
            CommandLine::Text(text) => collect::text(text, Surroundings::default()),
            CommandLine::Arguments(arguments) => collect::arguments(arguments, Surroundings::default()),
        }
    }
}

impl<S> Input<S> {
    /// Parses the commands of the tool call, each for a shell of its own. The script is empty if the tool does not run
    /// any.
    ///
    /// # Errors
    /// Returns an error where [`commands`](Input::commands) does.
    pub fn script(&self) -> Result<Script, Error> {
        let mut all = Script::default();
        for command in self.commands()? {
            let mut script = command.line.parse();
            let first = all.commands.len();
            for command in &mut script.commands {
                command.parent = command.parent.map(|at| first + at);
                command.reads_from = command.reads_from.iter().map(|at| first + at).collect();
            }
            all.commands.extend(script.commands);
            all.redirects.extend(script.redirects);
            all.unknowns.extend(script.unknowns);
        }
        Ok(all)
    }
}
