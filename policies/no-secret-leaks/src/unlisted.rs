//! Files that are given to a program that nobody listed. It may show them.

use crate::files::may_be_path;
use crate::listed::SHOWING;
use crate::logins::is_login;
use crate::reads::{COPIERS, Reading, unversioned};
use crate::stores::Class;
use crate::users::{USERS, WORDY};
use hookbox_policy::{Command, Findings, Word};

/// Words that take in a file, in languages of programs.
const INCLUDING: &[&str] = &["include", "input", "insert", "load", "open", "read", "require", "source", "type"];

/// Judges what an unlisted program may read.
pub(crate) fn judge(index: usize, commands: &[Command], reading: &Reading, found: &mut Findings) {
    let Some(command) = commands.get(index).filter(|command| command.facts.unlisted && !command.name.is_empty()) else {
        return;
    };
    let name = unversioned(command.name);
    // Its words are those of another command, which is judged itself.
    let runs = commands.iter().any(|inner| inner.facts.parent == Some(index));
    if runs || [USERS, WORDY, COPIERS].iter().any(|names| names.contains(&name)) {
        return;
    }
    let words =
        command.args().iter().enumerate().filter(|(at, _)| !is_login(command, *at) && !is_left_out(command, *at));
    if let Some(word) = words.map(|(_, word)| word).find(|word| is_secret(word, reading)) {
        found.ask(format!(
            "{} may read {}, which may hold secrets, and show it; use a program that is known, or add the file to `readable`",
            command.quote(),
            word.raw()
        ));
    }
}

/// Whether an argument says what the program is to leave alone: `--exclude .env`, `--ignore=.env`.
fn is_left_out(command: &Command, at: usize) -> bool {
    let args = command.args();
    let is_option = |word: &Word| {
        let option = word.text().split('=').next().unwrap_or_default();
        option.starts_with('-') && ["exclu", "ignore", "skip"].iter().any(|part| option.contains(part))
    };
    let before = at.checked_sub(1).and_then(|before| args.get(before));
    args.get(at).is_some_and(is_option)
        || before.is_some_and(|before| is_option(before) && !before.text().contains('='))
}

/// Whether a word names a file of secrets, or has one attached: `-fPATH`, `--file=PATH`, `@PATH`.
fn is_secret(word: &Word, reading: &Reading) -> bool {
    let text = word.text();
    let is_class = |class: Option<Class>| matches!(class, Some(Class::Ask | Class::Deny));
    if may_be_path(text) && is_class(reading.class_of_word(word)) {
        return true;
    }
    let value = text.split_once('=').map(|(_, value)| value);
    let attached = text.strip_prefix('-').filter(|rest| !rest.starts_with('-')).and_then(|rest| rest.get(1..));
    let parts = [value, attached, text.strip_prefix('@'), text.strip_prefix("file://")];
    let parts = parts.into_iter().flatten().filter(|part| !part.contains(char::is_whitespace)).chain(in_code(text));
    parts.filter(|part| may_be_path(part)).any(|part| is_class(reading.class_of_text(part)))
}

/// The words of a command line or a piece of code in one word: `!cat .env`, `source .env`, `\\input{.env}`. Prose has none.
fn in_code(text: &str) -> impl Iterator<Item = &str> {
    let is_mark = |c: char| "(){}\"'`!\\".contains(c);
    let mut words = text.split(move |c: char| c.is_whitespace() || is_mark(c)).filter(|word| !word.is_empty());
    let verb = words.next().unwrap_or_default();
    let is_code = match text.contains(char::is_whitespace) {
        true => SHOWING.contains(&verb) || INCLUDING.contains(&verb),
        false => text.contains(is_mark),
    };
    words.filter(move |_| is_code)
}
