//! The words of a program that hookbox does not know. Any of them may be a file.

use crate::{Command, Word};

/// Returns how many words of a command come before the command that it runs. This is all words if it runs none, and
/// `None` if it runs a text that is not one of its last words. A command in a substitution among the words does not
/// count.
#[must_use]
pub fn words_before_run(at: usize, commands: &[Command<'_>]) -> Option<usize> {
    let Some(command) = commands.get(at) else { return Some(0) };
    let argv = &command.facts.argv;
    // A policy may have shortened the name of the command.
    let name = command.facts.name.as_deref().unwrap_or_default();
    let is_run = |inner: &&Command<'_>| inner.facts.parent == Some(at) && inner.facts.via.as_deref() == Some(name);
    let mut inner = commands.iter().filter(is_run).peekable();
    if inner.peek().is_none() {
        return Some(argv.len());
    }
    let inner = inner.find(|inner| !inner.facts.argv.is_empty() && argv.ends_with(&inner.facts.argv))?;
    Some(argv.len() - inner.facts.argv.len())
}

/// Returns the arguments of a command whose program may do anything with them, each with its index. Returns none if
/// hookbox knows the program. Arguments that form a command which the program runs are left out, since that command is
/// judged separately.
#[must_use]
pub fn unlisted_words<'c>(at: usize, commands: &'c [Command<'_>]) -> Vec<(usize, &'c Word)> {
    let is_unlisted = |command: &&Command<'_>| command.facts.unlisted && !command.name.is_empty();
    let Some(command) = commands.get(at).filter(is_unlisted) else { return Vec::new() };
    let end = words_before_run(at, commands).unwrap_or(usize::MAX).saturating_sub(1);
    command.args().iter().enumerate().take(end).filter(|(at, _)| !is_left_out(command, *at)).collect()
}

/// Returns the parts of a word that may be an attached file: the value of `--file=PATH`, `-fPATH`, `@PATH`, `name:PATH`
/// or `file://PATH`.
pub fn attached(text: &str) -> impl Iterator<Item = &str> {
    let [value, last] = [text.split_once('='), text.rsplit_once('=')].map(|pair| pair.map(|(_, value)| value));
    let of_letter = text.strip_prefix('-').filter(|rest| !rest.starts_with('-')).and_then(|rest| rest.get(1..));
    let named = text.rsplit_once(':').map(|(_, value)| value);
    let parts = [value, last, of_letter, named, text.strip_prefix('@'), text.strip_prefix("file://")];
    parts.into_iter().flatten().filter(|part| !part.is_empty() && !part.contains(char::is_whitespace))
}

/// Whether an argument names what the program is to leave alone: `--exclude .env`, `--ignore-file=.env`.
fn is_left_out(command: &Command<'_>, at: usize) -> bool {
    is_value_of(command, at, &["exclude", "ignore", "skip"])
}

/// Whether an argument is the value of a long option whose name ends in one of these words, such as `config` in
/// `--config` and `--mcp-config-file`, or is such an option with its value. An option whose name only begins with the
/// word, such as `--skip-empty`, is most often a flag.
#[must_use]
pub fn is_value_of(command: &Command<'_>, at: usize, words: &[&str]) -> bool {
    const KINDS: [&str; 6] = ["dir", "file", "from", "glob", "path", "pattern"];
    let args = command.args();
    let is_option = |word: &Word| {
        let option = word.text().split('=').next().unwrap_or_default();
        let Some(name) = option.strip_prefix("--").filter(|name| !name.starts_with("no-")) else { return false };
        let mut parts = name.rsplit('-');
        let last = parts.next().unwrap_or_default();
        words.contains(&last) || KINDS.contains(&last) && parts.next().is_some_and(|before| words.contains(&before))
    };
    let has_value = |word: &Word| word.text().contains('=');
    let before = at.checked_sub(1).and_then(|before| args.get(before));
    args.get(at).is_some_and(|word| has_value(word) && is_option(word))
        || before.is_some_and(|before| !has_value(before) && is_option(before))
}
