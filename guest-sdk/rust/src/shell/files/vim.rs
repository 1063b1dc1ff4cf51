//! `vim`, `ex` and `ed`, whose commands may write files other than those that they open.

use super::{Access, Files};
use crate::shell::word::Word;

/// Editors that take commands as their standard input.
pub(super) const EDITORS: &[&str] = &["ed", "ex", "red", "vi", "view", "vim", "nvim"];

/// How deeply commands in commands are read.
const MAX_DEPTH: usize = 4;

pub(super) fn read(name: &str, arguments: &[Word], files: &mut Files) {
    let mut words = arguments.iter();
    // For `ex`, `-s` takes no file.
    let mut is_silent = name == "ex";
    while let Some(word) = words.next() {
        let text = word.text();
        match text {
            "--" => {
                files.add_all(words.as_slice(), Access::Write);
                break;
            }
            "-c" | "--cmd" => words.next().map(Word::text).into_iter().for_each(|command| written(command, files, 0)),
            "-S" | "-u" | "-U" | "-i" | "-t" | "-q" | "-T" => drop(words.next()),
            "-w" | "-W" => files.add_all(words.next(), Access::Write),
            "-s" if !is_silent => files.add_all(words.next(), Access::Read),
            text if text.starts_with('+') => written(text.get(1..).unwrap_or_default(), files, 0),
            text if text.len() > 1 && text.starts_with('-') => {
                // `-es` and `-Es` print nothing, and their letters may be separate.
                is_silent |= matches!(text, "-e" | "-E" | "-es" | "-Es");
                if let Some(command) = text.strip_prefix("-sc").or_else(|| text.strip_prefix("-esc")) {
                    let command = if command.is_empty() { words.next().map_or("", Word::text) } else { command };
                    written(command, files, 0);
                }
            }
            _ => files.add(word, Access::Write),
        }
    }
}

/// Adds the files of the commands that an editor reads from its standard input.
pub(super) fn typed(input: &str, files: &mut Files) {
    input.lines().for_each(|line| written(line, files, 0));
}

/// Returns what follows a pattern between two delimiters.
fn behind_pattern(text: &str) -> Option<&str> {
    let mut chars = text.chars();
    let delimiter = chars.next()?;
    while let Some(c) = chars.next() {
        if c == delimiter {
            return Some(chars.as_str());
        }
        if c == '\\' {
            chars.next();
        }
    }
    None
}

/// Adds the files of `w file` and the like in a command.
fn written(command: &str, files: &mut Files, depth: usize) {
    /// Commands that write into a file.
    const WRITES: &[&str] =
        &["w", "W", "wq", "wa", "wri", "write", "sav", "saveas", "up", "update", "x", "xit", "redi", "redir"];
    /// Commands that name the file that others write.
    const OPENS: &[&str] = &[
        "E", "e", "ed", "edit", "f", "file", "n", "ne", "new", "next", "sp", "split", "tabe", "tabedit", "tabnew",
        "vi", "visual", "vs", "vsplit", "vsp",
    ];
    /// Commands that read a file.
    const READS: &[&str] = &["r", "re", "read", "so", "source"];
    /// Commands that run others.
    const RUNS: &[&str] =
        &["exe", "execute", "keepalt", "noa", "noautocmd", "sil", "silent", "windo", "bufdo", "argdo"];
    for part in command.split('|') {
        let part = part.trim_start_matches(|c: char| c.is_ascii_digit() || " \t:%,.$".contains(c));
        let end = part.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        let inner = match name {
            name if RUNS.contains(&name) => Some(rest.trim_start_matches(['!', ' ', '"', '\''])),
            // `g/pattern/w file`
            "g" | "global" | "v" => behind_pattern(rest),
            _ => None,
        };
        if let Some(inner) = inner.filter(|_| depth < MAX_DEPTH) {
            written(inner, files, depth + 1);
        }
        let access = match name {
            name if WRITES.contains(&name) || OPENS.contains(&name) => Access::Write,
            name if READS.contains(&name) => Access::Read,
            _ => continue,
        };
        let file = rest.trim_start_matches('!').trim_start().trim_start_matches('>').trim();
        let file = file.trim_end_matches(['"', '\'']);
        if !file.is_empty() && !file.starts_with(['!', '#']) {
            files.add(&Word::plain(file), access);
        }
    }
}
