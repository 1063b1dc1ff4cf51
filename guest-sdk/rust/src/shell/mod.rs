//! Takes a shell command apart into all the commands that it would run.
//!
//! [`parse`] finds the simple commands of pipelines, lists, subshells, loops, functions and substitutions, and those behind
//! other commands: `sudo rm`, `bash -c '…'`, `find -exec`, `xargs`, here-documents for a shell, `ssh host '…'`. What a
//! policy judges is the flat list.
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
//! Much of a command is decided only when it runs: the value of `$DIR`, the files of `*.txt`, the script that `curl` fetches
//! for `sh`. The types keep that apart, so that a policy cannot take it for harmless by accident:
//!
//! * [`Script::commands`] is an error if there are commands that nobody can list, as in `curl … | sh` or behind a syntax
//!   error. [`Script::known_commands`] has the others, for a policy that denies what it sees and asks about the rest.
//! * [`SimpleCommand::name`] is `None` for `$CMD` and the like.
//! * [`Word::known`] is `None` for a word that is not known to its last letter; [`Word::pattern`] has the parts that are.
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
//! Variables, aliases and files are not looked up. A function's body counts as run. All of this lowers the risk of an
//! accident; it is no wall against somebody who wants to hide a command.
//!
//! # Bounds
//!
//! Hostile text takes no more than bounded time, memory and stack: at most 64 KiB, 8 nested scripts, 1,000 commands, 64
//! words from one brace expansion. What goes beyond is an [`Unknown`].

mod arguments;
mod collect;
mod command;
mod edit;
mod inner;
mod syntax;
mod unknown;
mod word;

pub use arguments::Arguments;
pub use command::{Assignment, Redirect, SimpleCommand, Stdin};
pub use edit::Edit;
pub use inner::find_starts;
pub use unknown::{Unknown, UnknownKind};
pub use word::{FOUND, GLOB, HOME, UNKNOWN, Word};

use crate::{CommandLine, Error, Input};

/// Everything that a command would run.
#[derive(Debug, Clone, Default)]
pub struct Script {
    commands: Vec<SimpleCommand>,
    redirects: Vec<Redirect>,
    unknowns: Vec<Unknown>,
}

impl Script {
    /// Every command that would run: a command stands before those that it runs.
    ///
    /// # Errors
    /// There are others that cannot be known. A policy that hands the error on by `?` fails, and so denies.
    pub fn commands(&self) -> Result<&[SimpleCommand], Unknown> {
        match self.unknowns.first() {
            Some(unknown) => Err(unknown.clone()),
            None => Ok(&self.commands),
        }
    }

    /// The commands that can be known. The policy must also do something about [`unknowns`](Self::unknowns).
    #[must_use]
    pub fn known_commands(&self) -> &[SimpleCommand] {
        &self.commands
    }

    /// Why there are commands that cannot be known; empty if there are none.
    #[must_use]
    pub fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }

    /// The redirections to and from files, of whichever command.
    #[must_use]
    pub fn redirects(&self) -> &[Redirect] {
        &self.redirects
    }
}

/// Takes a text for a shell apart.
#[must_use]
pub fn parse(text: &str) -> Script {
    collect::text(text)
}

impl CommandLine {
    /// Takes the command apart.
    #[must_use]
    pub fn parse(&self) -> Script {
        match self {
            CommandLine::Text(text) => collect::text(text),
            CommandLine::Arguments(arguments) => collect::arguments(arguments),
        }
    }
}

impl<S> Input<S> {
    /// What the commands of the tool call would run, taken apart; empty if the tool runs none.
    ///
    /// # Errors
    /// As [`commands`](Input::commands).
    pub fn script(&self) -> Result<Script, Error> {
        let mut all = Script::default();
        for command in self.commands()? {
            let script = command.line.parse();
            all.commands.extend(script.commands);
            all.redirects.extend(script.redirects);
            all.unknowns.extend(script.unknowns);
        }
        Ok(all)
    }
}
