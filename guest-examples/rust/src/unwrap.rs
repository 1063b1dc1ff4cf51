//! Finds the command inside a command: behind `sudo`, in `bash -c`, after
//! `find -exec`.

mod prefix;
mod shells;

use crate::path::{self, Target};
use crate::shell::{Stdin, UNKNOWN, Word};

/// What a command runs besides itself.
#[derive(Debug)]
pub enum Inner {
    /// Another command.
    Command(Vec<Word>),
    /// A script in the text of a word.
    Script(String),
    /// Something that cannot be known; the text completes "… runs …".
    Unknown(&'static str),
}

/// Returns what `argv` runs. `stdin` is what it reads as its standard input.
#[must_use]
pub fn inner(argv: &[Word], stdin: &Stdin) -> Vec<Inner> {
    let Some((name, arguments)) = argv.split_first() else {
        return Vec::new();
    };
    match name.command_name() {
        Some("find") => executed_by_find(arguments),
        Some("eval") => vec![shells::joined(arguments)],
        Some("trap") => arguments.first().map(shells::script).into_iter().collect(),
        Some("source" | ".") => shells::sourced(arguments),
        Some("su") => shells::su(arguments),
        Some(name) if shells::is_shell(name) => shells::inner(arguments, stdin),
        Some(name) => prefix::inner(name, arguments),
        None if name.is_output() => vec![Inner::Unknown("the output of another command")],
        None => Vec::new(),
    }
}

/// The commands of `find … -exec`, with a path below the start for `{}`.
fn executed_by_find(arguments: &[Word]) -> Vec<Inner> {
    let place = place_of_found(arguments);
    let is_action = |word: &Word| matches!(word.text.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir");
    arguments
        .split(is_action)
        .skip(1)
        .map(|after| {
            let end = |word: &Word| word.text == ";" || word.text == "+";
            let command = after.split(end).next().unwrap_or_default();
            let command = command.iter().map(|word| word.with_replaced("{}", &place));
            Inner::Command(command.collect())
        })
        .collect()
}

/// What `{}` stands for: the protected start itself, since the files found
/// are everything in it, or else some path below the start.
fn place_of_found(arguments: &[Word]) -> String {
    let starts = find_starts(arguments);
    let protected = starts.iter().find(|start| matches!(path::target(start), Target::Protected(_)));
    match (protected, starts.first()) {
        (Some(start), _) => start.text.clone(),
        (None, _) if starts.iter().any(Word::is_unknown) => UNKNOWN.to_string(),
        (None, Some(start)) => format!("{}/{{}}", start.text),
        (None, None) => "./{}".to_owned(),
    }
}

/// The directories that `find` starts from.
#[must_use]
pub fn find_starts(arguments: &[Word]) -> &[Word] {
    let is_option = |word: &&Word| matches!(word.text.as_str(), "-H" | "-L" | "-P" | "--");
    let options = arguments.iter().take_while(is_option).count();
    let starts = arguments.get(options..).unwrap_or_default();
    let is_start = |word: &&Word| !word.text.starts_with(['-', '(', '!', ',']);
    let count = starts.iter().take_while(is_start).count();
    starts.get(..count).unwrap_or_default()
}
