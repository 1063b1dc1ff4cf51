//! `vim`, whose commands may write files other than those that it opens.

use super::{Access, Files};
use crate::shell::word::Word;

pub(super) fn read(arguments: &[Word], files: &mut Files) {
    let mut words = arguments.iter();
    let mut is_silent = false;
    while let Some(word) = words.next() {
        let text = word.text();
        match text {
            "--" => {
                files.add_all(words.as_slice(), Access::Write);
                break;
            }
            "-c" | "--cmd" => words.next().map(Word::text).into_iter().for_each(|command| written(command, files)),
            "-S" | "-u" | "-U" | "-i" | "-t" | "-q" | "-T" => drop(words.next()),
            "-w" | "-W" => files.add_all(words.next(), Access::Write),
            "-s" if !is_silent => files.add_all(words.next(), Access::Read),
            text if text.starts_with('+') => written(text.get(1..).unwrap_or_default(), files),
            text if text.len() > 1 && text.starts_with('-') => {
                // `-es` and `-Es` print nothing, and their letters may be separate.
                is_silent |= matches!(text, "-e" | "-E" | "-es" | "-Es");
                if let Some(command) = text.strip_prefix("-sc").or_else(|| text.strip_prefix("-esc")) {
                    let command = if command.is_empty() { words.next().map_or("", Word::text) } else { command };
                    written(command, files);
                }
            }
            _ => files.add(word, Access::Write),
        }
    }
}

/// `w file` and the like in a vim command.
fn written(command: &str, files: &mut Files) {
    for part in command.split('|') {
        let part = part.trim_start_matches(|c: char| c.is_ascii_digit() || " :%,.$".contains(c));
        let end = part.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        let writes = ["w", "wq", "wa", "wri", "write", "sav", "saveas", "up", "update", "x", "xit", "redi", "redir"]
            .contains(&name);
        let file = rest.trim_start_matches('!').trim_start().trim_start_matches('>').trim();
        if writes && !file.is_empty() && !file.starts_with('!') {
            files.add(&Word::plain(file), Access::Write);
        }
    }
}
