//! Finds the command inside a command: after `sudo`, in `bash -c`, after `find -exec`.

mod find;
mod prefix;
mod programs;
mod shells;

use super::command::Stdin;
use super::word::Word;

pub use find::find_starts;

/// What a command runs in addition to itself.
#[derive(Debug)]
pub(super) enum Inner {
    /// Another command.
    Command {
        words: Vec<Word>,
        /// The words before the command that set variables.
        settings: Vec<Word>,
    },
    /// A script in the text of a word.
    Script(String),
    /// Something that cannot be known; the text completes "… runs …".
    Unknown(&'static str),
}

impl Inner {
    fn command(words: impl Into<Vec<Word>>) -> Self {
        Inner::Command { words: words.into(), settings: Vec::new() }
    }
}

/// What `argv` runs. `stdin` is its standard input.
pub(super) fn inner(argv: &[Word], stdin: &Stdin) -> Vec<Inner> {
    let Some((name, arguments)) = argv.split_first() else {
        return Vec::new();
    };
    match name.command_name() {
        Some("find") => find::executed(arguments),
        Some("eval") => vec![shells::joined(arguments)],
        Some("trap") => arguments.first().map(shells::script).into_iter().collect(),
        Some("source" | ".") => shells::sourced(arguments),
        Some("su" | "runuser") if shells::has_command_option(arguments) => shells::with_command_option(arguments),
        Some("flock" | "script") if shells::has_command_option(arguments) => shells::with_command_option(arguments),
        Some("ssh") => shells::ssh(arguments, stdin),
        Some("alias") => programs::aliased(arguments),
        Some("git") => programs::git(arguments),
        Some("tar" | "gtar" | "bsdtar") => programs::tar(arguments),
        Some("awk" | "gawk" | "mawk" | "nawk") => programs::awk(arguments),
        Some("vi" | "vim" | "nvim" | "view" | "ex" | "gvim") => programs::vim(arguments),
        Some(name) if shells::is_shell(name) => shells::inner(arguments, stdin),
        Some(name) if shells::is_other_shell(name) => shells::of_other_shell(arguments, stdin),
        Some(name) => prefix::inner(name, arguments),
        None if name.is_output() => vec![Inner::Unknown("the output of another command")],
        None => Vec::new(),
    }
}
