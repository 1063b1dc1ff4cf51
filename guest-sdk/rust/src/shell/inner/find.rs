//! `find -exec`.

use super::Inner;
use crate::shell::word::{FOUND, UNKNOWN, Word};

/// The maximum number of starting directories for which commands are listed separately.
const MAX_STARTS: usize = 8;

/// The commands of `find … -exec`, one for each starting directory.
pub(super) fn executed(arguments: &[Word]) -> Vec<Inner> {
    let places = places(arguments);
    let is_action = |word: &Word| matches!(word.pattern(), "-exec" | "-execdir" | "-ok" | "-okdir");
    let end = |word: &Word| matches!(word.pattern(), ";" | "+");
    arguments
        .split(is_action)
        .skip(1)
        .filter_map(|after| after.split(end).next())
        .flat_map(|command| {
            let at = |place: &String| command.iter().map(|word| word.with_replaced("{}", place)).collect::<Vec<_>>();
            places.iter().map(at).map(Inner::command).collect::<Vec<_>>()
        })
        .collect()
}

/// What `{}` stands for.
fn places(arguments: &[Word]) -> Vec<String> {
    let starts = find_starts(arguments);
    if starts.is_empty() {
        return vec![format!(".{FOUND}")];
    }
    if starts.len() > MAX_STARTS {
        return vec![UNKNOWN.to_string()];
    }
    starts.iter().map(|start| format!("{}{FOUND}", start.pattern())).collect()
}

/// The starting directories of `find` with these arguments; empty for the working directory.
#[must_use]
pub fn find_starts(arguments: &[Word]) -> &[Word] {
    let is_option = |word: &&Word| matches!(word.pattern(), "-H" | "-L" | "-P" | "--");
    let options = arguments.iter().take_while(is_option).count();
    let starts = arguments.get(options..).unwrap_or_default();
    let is_start = |word: &&Word| !word.pattern().starts_with(['-', '(', '!', ',']);
    let count = starts.iter().take_while(is_start).count();
    starts.get(..count).unwrap_or_default()
}
