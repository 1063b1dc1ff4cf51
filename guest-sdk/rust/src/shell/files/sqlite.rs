//! The files that `sqlite3` reads and writes by its own commands and functions.

use super::{Access, Files};
use crate::shell::word::Word;

/// The texts before the name of a file.
const BEFORE: [(&str, Access); 5] = [
    ("readfile(", Access::Read),
    ("writefile(", Access::Write),
    ("vacuum into", Access::Write),
    ("attach database", Access::Write),
    ("attach", Access::Write),
];

/// Adds the files of a text that `sqlite3` runs: `.output x`, `select readfile('x')`.
pub(super) fn read(text: &str, files: &mut Files) {
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let access = match words.next() {
            Some(".output" | ".once" | ".log" | ".backup" | ".save" | ".clone" | ".open" | ".excel" | ".trace") => {
                Access::Write
            }
            Some(".read" | ".import" | ".restore" | ".load") => Access::Read,
            _ => continue,
        };
        let file = words.map(|word| word.trim_matches(['"', '\''])).find(|word| !word.starts_with('-'));
        if let Some(file) = file.filter(|file| !file.starts_with('|')) {
            files.add(&Word::plain(file), access);
        }
    }
    let lower = text.to_ascii_lowercase();
    for (before, access) in BEFORE {
        for (at, _) in lower.match_indices(before) {
            // Changing the case of letters does not change the length.
            let after = text.get(at + before.len()..).unwrap_or_default().trim_start();
            let quoted = ['\'', '"'].iter().find_map(|quote| after.strip_prefix(*quote)?.split_once(*quote));
            if let Some((file, _)) = quoted.filter(|(file, _)| !file.is_empty() && *file != ":memory:") {
                files.add(&Word::plain(file), access);
            }
        }
    }
}
