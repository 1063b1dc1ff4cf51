//! The words of a program that hookbox does not know, any of which may be a file.

use crate::{Command, Word};

/// The arguments of a command whose program may do anything with them, each with its number. None if hookbox knows the
/// program, or if they are another command, which is judged itself.
#[must_use]
pub fn unlisted_words<'c>(at: usize, commands: &'c [Command<'_>]) -> Vec<(usize, &'c Word)> {
    let Some(command) = commands.get(at).filter(|command| command.facts.unlisted) else { return Vec::new() };
    let runs_another = || commands.iter().any(|inner| inner.facts.parent == Some(at));
    if command.name.is_empty() || runs_another() {
        return Vec::new();
    }
    command.args().iter().enumerate().filter(|(at, _)| !is_left_out(command, *at)).collect()
}

/// What a word has attached that may be a file: the value of `--file=PATH`, `-fPATH`, `@PATH` or `file://PATH`.
pub fn attached(text: &str) -> impl Iterator<Item = &str> {
    let value = text.split_once('=').map(|(_, value)| value);
    let of_letter = text.strip_prefix('-').filter(|rest| !rest.starts_with('-')).and_then(|rest| rest.get(1..));
    let parts = [value, of_letter, text.strip_prefix('@'), text.strip_prefix("file://")];
    parts.into_iter().flatten().filter(|part| !part.is_empty() && !part.contains(char::is_whitespace))
}

/// Whether an argument says what the program is to leave alone: `--exclude .env`, `--ignore=.env`.
fn is_left_out(command: &Command<'_>, at: usize) -> bool {
    is_value_of(command, at, &["exclu", "ignore", "skip"])
}

/// Whether an argument is the value of an option whose name has one of these parts, or that option with its value.
#[must_use]
pub fn is_value_of(command: &Command<'_>, at: usize, parts: &[&str]) -> bool {
    let args = command.args();
    let is_option = |word: &Word| {
        let option = word.text().split('=').next().unwrap_or_default();
        option.starts_with('-') && parts.iter().any(|part| option.contains(part))
    };
    let before = at.checked_sub(1).and_then(|before| args.get(before));
    args.get(at).is_some_and(is_option)
        || before.is_some_and(|before| is_option(before) && !before.text().contains('='))
}
