//! Files that a search is restricted to: `rg -g .env`, `grep -r --include='.env*'`.

use crate::files::class_of_found;
use crate::reads::{Reading, is_quiet};
use crate::stores::{Class, class_of_directory};
use hookbox_policy::{Command, Word};

/// Programs that show lines of the files that they find, and the options whose value is a pattern for file names.
const SEARCHES: &[(&[&str], &[&str])] = &[
    (&["rg"], &["-g", "--glob", "--iglob"]),
    (&["grep", "egrep", "fgrep", "ggrep", "zgrep", "ugrep", "ug"], &["--include", "-g", "--glob"]),
    (&["ag", "ack"], &["-G", "--file-search-regex"]),
];

/// Returns the secret file that a search is restricted to. A pattern with `!` excludes files.
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
        // The anchors of a regular expression are removed.
        let name = name.trim_start_matches('^').trim_end_matches('$').replace('\\', "");
        // These patterns match everything in a directory.
        let directory = name.trim_end_matches(['*', '/']);
        let class = class_of_found(&name, reading);
        let class = class.or_else(|| class_of_directory(directory).filter(|_| directory.len() < name.len()));
        Some((class?, name))
    });
    files.max()
}

/// Returns the value that is attached to an option: `-g.env`, `--glob=.env`.
fn attached<'w>(word: &'w str, option: &str) -> Option<&'w str> {
    let rest = word.strip_prefix(option).filter(|rest| !rest.is_empty())?;
    if option.starts_with("--") { rest.strip_prefix('=') } else { Some(rest) }
}
