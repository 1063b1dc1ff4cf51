//! The files that `sqlite3` reads and writes by its own commands and functions.

use super::{Access, Files};
use crate::shell::word::Word;

/// The functions that take the name of a file.
const FUNCTIONS: [(&str, Access); 2] = [("readfile(", Access::Read), ("writefile(", Access::Write)];

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
    for (function, access) in FUNCTIONS {
        for (at, _) in lower.match_indices(function) {
            // The case of letters changes no length.
            let after = text.get(at + function.len()..).unwrap_or_default().trim_start();
            if let Some((file, _)) = after.strip_prefix('\'').and_then(|rest| rest.split_once('\'')) {
                files.add(&Word::plain(file), access);
            }
        }
    }
}
