//! URLs that a command only hands to a program of the project: `./scripts/import.sh https://example.com`.

use super::{Contact, Reach, Target, fetched, has_input, host};
use crate::{Command, Word};

/// Endings of scripts. A shell or another interpreter that is given such a file does not request the URLs after it
/// either.
const SCRIPTS: &[&str] = &["sh", "bash", "zsh", "py", "rb", "pl", "php", "js", "mjs", "cjs", "ts"];
/// Directories in which projects keep scripts without an ending. In `bin`, there are also programs of others, which
/// request URLs: `bin/kustomize`.
const DIRECTORIES: &[&str] = &["script", "scripts"];
/// The most commands of a call that are read for each command that gets URLs.
const MAX_COMMANDS: usize = 256;

/// Whether a command only hands its URLs to a script of the project.
pub(super) fn hands_on(command: &Command) -> bool {
    // What is read from the input may be sent to the URL.
    !has_input(command) && is_script(command)
}

/// Whether the program is a script by its path.
fn is_script(command: &Command) -> bool {
    let Some((directory, name)) = command.words.first().and_then(Word::known).and_then(|path| path.rsplit_once('/'))
    else {
        return false;
    };
    let has_ending = name.rsplit_once('.').is_some_and(|(_, ending)| SCRIPTS.contains(&ending));
    let directory = directory.strip_prefix("./").unwrap_or(directory);
    has_ending || DIRECTORIES.contains(&directory)
}

/// Returns the URL as a contact if it can be handed on. What is not known may carry data.
pub(super) fn contact(url: &Word) -> Option<Contact> {
    let target = host::target(url.known()?);
    let is_metadata = matches!(&target, Target::Host(host) if host.reach() == Reach::Metadata);
    (!is_metadata).then(|| Contact { target, word: url.raw().to_owned(), sends: None })
}

/// Whether another command of the call may put another program in the place of the one that gets the URLs:
/// `cp /usr/bin/curl a.sh; ./a.sh https://example.com`.
pub(super) fn is_replaced(index: usize, commands: &[Command]) -> bool {
    let Some(command) = commands.get(index).filter(|_| commands.len() <= MAX_COMMANDS) else { return true };
    let Some(program) = command.words.first().map(|word| fetched::path(command, word)) else { return false };
    let names = |other: &Command| {
        fetched::written(other)
            .chain(other.args().iter().map(|word| fetched::path(other, word)))
            .any(|it| it == program)
    };
    let is_other = |at: usize| at != index && command.facts.parent != Some(at);
    commands.iter().enumerate().any(|(at, other)| is_other(at) && other.name != "chmod" && names(other))
}
