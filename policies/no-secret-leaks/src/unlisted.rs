//! Files among the arguments of an unknown program, which may show them.

use crate::files::may_be_path;
use crate::listed::SHOWING;
use crate::logins::is_login;
use crate::reads::{COPIERS, Reading, unversioned};
use crate::stores::Class;
use crate::users::USERS;
use hookbox_policy::{Command, Findings, Word, attached, unlisted_words};

/// Words that include a file, in the languages of various programs.
const INCLUDING: &[&str] = &["include", "input", "insert", "load", "open", "read", "require", "source", "type"];

/// Judges which files an unlisted program may read.
pub(crate) fn judge(index: usize, commands: &[Command], reading: &Reading, found: &mut Findings) {
    let words = unlisted_words(index, commands);
    let Some(command) = commands.get(index).filter(|_| !words.is_empty()) else { return };
    let name = unversioned(command.name);
    if USERS.contains(&name) || COPIERS.contains(&name) {
        return;
    }
    let mut words = words.into_iter().filter(|(at, _)| !is_login(command, *at)).map(|(_, word)| word);
    if let Some(word) = words.find(|word| is_secret(word, reading)) {
        found.ask(format!(
            "{} may read {}, which may hold secrets, and show it; use a program that is known, or add the file to `readable`",
            command.quote(),
            word.raw()
        ));
    }
}

/// Whether a word names a secret file, has one attached, or has one in its code.
fn is_secret(word: &Word, reading: &Reading) -> bool {
    let text = word.text();
    let is_class = |class: Option<Class>| matches!(class, Some(Class::Ask | Class::Deny));
    if may_be_path(text) && is_class(reading.class_of_word(word)) {
        return true;
    }
    let mut parts = attached(text).chain(in_code(text)).filter(|part| may_be_path(part));
    parts.any(|part| is_class(reading.class_of_text(part)))
}

/// Returns the words of a command line or a piece of code inside one word: `!cat .env`, `source .env`, `\\input{.env}`.
/// Returns none for prose.
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
