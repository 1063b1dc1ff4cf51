//! The rules, each for a few commands.

mod delete;
mod device;
mod git_push;
mod permissions;

use crate::path::{self, Protected, Target};
use crate::shell::{Command, Redirect, Word};
use crate::verdict::{Finding, quote};

/// Judges a command by its name.
#[must_use]
pub fn command(argv: &[Word], branches: &[String]) -> Option<Finding> {
    let (command, arguments) = argv.split_first()?;
    let Some(name) = command.command_name() else {
        return unknown_command(argv, command, arguments);
    };
    match name {
        "rm" => delete::rm(argv, arguments),
        "mv" => delete::mv(argv, arguments),
        "find" => delete::find(argv, arguments),
        "chmod" | "chown" | "chgrp" => permissions::change(argv, arguments),
        "dd" => device::dd(argv, arguments),
        "git" => git_push::git(argv, arguments, branches),
        name if device::formats(name) => device::format(argv, arguments),
        _ => None,
    }
}

/// Judges a file that output goes to.
#[must_use]
pub fn redirect(redirect: &Redirect) -> Option<Finding> {
    device::redirect(redirect)
}

/// A command that is not known could be `rm`. One that is known in part is
/// strange enough to ask about whatever `rm` would be asked about.
fn unknown_command(argv: &[Word], command: &Word, arguments: &[Word]) -> Option<Finding> {
    let finding = delete::rm(argv, arguments)?;
    let asks = matches!(finding, Finding::Deny(_)) || !command.is_wholly_unknown();
    asks.then(|| {
        Finding::Ask(format!(
            "{} runs a command that is not known yet, and would destroy data if that is `rm`; \
             name the command",
            quote(argv)
        ))
    })
}

/// A function that runs itself twice, in the background: `:(){ :|:& };:`.
#[must_use]
pub fn fork_bomb(command: &Command) -> Option<Finding> {
    let name = command.words.first()?.text.as_str();
    let place = &command.place;
    let calls_itself = place.function.as_deref() == Some(name);
    (calls_itself && place.piped && place.background).then(|| {
        Finding::Deny(format!(
            "the function {} starts itself twice in the background until the system halts; \
             leave it out",
            quote(&command.words)
        ))
    })
}

/// The worst that one of `words` names.
fn worst_target<'a>(words: impl IntoIterator<Item = &'a Word>) -> Target {
    let rank = |target: &Target| match target {
        Target::Protected(_) => 3,
        Target::Unknown => 2,
        Target::Surroundings => 1,
        Target::Ordinary => 0,
    };
    words.into_iter().map(path::target).max_by_key(rank).unwrap_or(Target::Ordinary)
}

/// A denial of a command that would do something to something protected.
fn protected(argv: &[Word], would: &str, what: &Protected) -> Finding {
    let (what, instead) = match what {
        Protected::FileSystem => ("the whole file system".to_owned(), "name the directory that you mean"),
        Protected::Home => ("a whole home directory".to_owned(), "name the directory in it that you mean"),
        Protected::System(path) => (format!("the system directory {path}"), "name only files that belong to your work"),
    };
    Finding::Deny(format!("{} would {would} {what}; {instead}", quote(argv)))
}
