//! `vim`, `ex` and `ed`, whose commands may write files other than those that they open.

use super::{Access, Files};
use crate::shell::word::Word;

/// Editors that take commands as their standard input.
pub(super) const EDITORS: &[&str] = &["ed", "ex", "red", "vi", "view", "vim", "nvim"];

/// How deeply commands in commands are read.
const MAX_DEPTH: usize = 4;

/// Adds the files of an editor. `is_typed` says that it gets commands as its standard input.
pub(super) fn read(name: &str, arguments: &[Word], is_typed: bool, files: &mut Files) {
    let opened = if !is_typed && only_shows(name, arguments) { Access::Read } else { Access::Write };
    let mut words = arguments.iter();
    // For `ex`, `-s` takes no file.
    let mut is_silent = name == "ex";
    while let Some(word) = words.next() {
        let text = word.text();
        match text {
            "--" => {
                files.add_all(words.as_slice(), opened);
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
            _ => files.add(word, opened),
        }
    }
}

/// Whether an editor is started only to read, and none of its arguments makes it write nevertheless.
fn only_shows(name: &str, arguments: &[Word]) -> bool {
    let mut reads = matches!(name, "view" | "rview");
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let is_harmless = match word.text() {
            "--" => break,
            "-R" => {
                reads = true;
                true
            }
            "-c" | "--cmd" => words.next().is_some_and(|command| only_displays(command.text())),
            "-n" | "-O" | "-o" | "-p" | "-d" => true,
            text => match text.strip_prefix('+') {
                Some(command) => only_displays(command),
                None => !word.may_be_option() && !word.is_unknown(),
            },
        };
        if !is_harmless {
            return false;
        }
    }
    reads
}

/// Whether a command only moves, ends the editor, or sets how text is shown: `10`, `q`, `set ft=sh`.
fn only_displays(command: &str) -> bool {
    const SHOWN: &[&str] = &["filetype=", "ft=", "list", "nu", "number", "relativenumber", "rnu", "syntax=", "wrap"];
    let command = command.trim_start_matches([':', ' ']).trim_end();
    let sets = |option: &str| {
        SHOWN.iter().any(|shown| option.strip_prefix(shown).is_some_and(|value| value.is_empty() || is_word(value)))
    };
    match command.split_once(' ') {
        Some(("se" | "set" | "setlocal", options)) => options.split(' ').all(sets),
        Some(_) => false,
        None => matches!(command, "$" | "q" | "q!" | "qa" | "qa!") || command.bytes().all(|byte| byte.is_ascii_digit()),
    }
}

/// Whether a text has only letters and digits.
fn is_word(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric())
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
