//! Files that a search is for: `rg -g .env`, `grep -r --include='.env*'`.

use crate::files::class_of_found;
use crate::reads::{Reading, is_quiet};
use crate::stores::Class;
use hookbox_policy::{Command, Word};

/// Programs that show lines of the files that they find, and the options whose value is a pattern for their names.
const SEARCHES: &[(&[&str], &[&str])] = &[
    (&["rg"], &["-g", "--glob", "--iglob"]),
    (&["grep", "egrep", "fgrep", "ggrep", "zgrep", "ugrep", "ug"], &["--include", "-g", "--glob"]),
    (&["ag", "ack"], &["-G", "--file-search-regex"]),
];

/// The secret file that a search is for. A pattern with `!` says what it is not for.
pub(crate) fn searched(command: &Command, reading: &Reading) -> Option<(Class, String)> {
    let (_, options) = SEARCHES.iter().find(|(names, _)| names.contains(&command.name))?;
    if is_quiet(command) {
        return None;
    }
    let before = command.words.iter().map(Word::text);
    let values = before.zip(command.args()).filter_map(|(before, word)| match options.contains(&before) {
        true => Some(word.text()),
        false => options.iter().find_map(|option| attached(word.text(), option)),
    });
    let names = values.filter(|value| !value.starts_with('!')).flat_map(|value| value.split(['{', '}', ',']));
    let files = names.filter_map(|name| {
        // The ends of a regular expression.
        let name = name.trim_start_matches('^').trim_end_matches('$').replace('\\', "");
        Some((class_of_found(&name, reading)?, name))
    });
    files.max()
}

/// The value in the word of an option: `-g.env`, `--glob=.env`.
fn attached<'w>(word: &'w str, option: &str) -> Option<&'w str> {
    let rest = word.strip_prefix(option).filter(|rest| !rest.is_empty())?;
    if option.starts_with("--") { rest.strip_prefix('=') } else { Some(rest) }
}
