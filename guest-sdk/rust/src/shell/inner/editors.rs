//! Editors, whose options can contain shell commands.

use super::{Inner, is_wholly_unknown};
use crate::shell::command::Stdin;
use crate::shell::word::Word;

const UNKNOWN: &str = "a command of its editor's language";
/// Commands of vim that only write a file, open one or leave, whatever is unsaved.
#[rustfmt::skip] // Many names to a line.
const ENDS: &[&str] = &[
    "q!", "quit!", "qa!", "qall!", "quitall!", "cq!", "cquit!", "w!", "write!", "wa!", "wall!", "wq!", "wqa!", "wqall!", "x!", "xit!",
    "xa!", "xall!", "e!", "edit!", "bd!", "bdelete!", "bw!", "bwipeout!", "sav!", "saveas!", "up!", "update!",
];

/// Returns what `vim -c`, `+cmd` and the like run.
pub(super) fn vim(arguments: &[Word], stdin: &Stdin) -> Vec<Inner> {
    let mut inners = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.text();
        let command = match text {
            "-c" | "--cmd" | "-S" => words.next().map(Word::text),
            text if text.starts_with('+') => text.strip_prefix('+'),
            text if text.starts_with("-c") => text.strip_prefix("-c"),
            // `ex -sc '…'`
            text if is_cluster(text) => words.next().map(Word::text),
            _ => None,
        };
        inners.extend(command.and_then(of_command));
    }
    // What does not come from a terminal counts as typed.
    if !matches!(stdin, Stdin::Inherited) {
        let runs = |text: &str| text.contains('!') || text.contains("system");
        if !matches!(stdin, Stdin::Text(text) if !runs(text)) {
            inners.push(Inner::Unknown(UNKNOWN));
        }
    }
    inners
}

/// Whether short options end with the one that takes a command.
fn is_cluster(text: &str) -> bool {
    let letters = text.strip_prefix('-').and_then(|text| text.strip_suffix('c'));
    letters.is_some_and(|letters| !letters.is_empty() && letters.chars().all(|c| "esEnuRmvZ".contains(c)))
}

/// Returns what `ed` runs. It reads its commands from standard input.
pub(super) fn ed(stdin: &Stdin) -> Vec<Inner> {
    match stdin {
        Stdin::Inherited => Vec::new(),
        Stdin::Text(text) if !text.contains('!') && !is_wholly_unknown(text) => Vec::new(),
        _ => vec![Inner::Unknown(UNKNOWN)],
    }
}

fn of_command(command: &str) -> Option<Inner> {
    let trimmed = command.trim_start_matches([':', ' ']);
    // The file is among those of the command. In `w !cmd`, `e +cmd` and between backquotes, it is a command.
    let only_ends = |part: &str| {
        let (name, file) = part.trim().split_once(' ').unwrap_or((part.trim(), ""));
        ENDS.contains(&name) && file.trim().chars().all(|c| c.is_alphanumeric() || "/._-~".contains(c))
    };
    let kept: Vec<&str> = trimmed.split('|').filter(|part| !only_ends(part)).collect();
    let joined = kept.join("|");
    let (command, trimmed) =
        if kept.len() < trimmed.split('|').count() { (joined.as_str(), joined.as_str()) } else { (command, trimmed) };
    let script =
        ["%!", "silent !", "sil !", "r!", "r !", "read !", "!"].iter().find_map(|prefix| trimmed.strip_prefix(prefix));
    let is_simple = script.is_some_and(|script| !script.contains(['|', '%', '#', '!', '\n']));
    if is_simple {
        return script.map(Inner::script);
    }
    let words = [
        "system(",
        "term",
        "!",
        "execute",
        "exe ",
        "py",
        "lua",
        "perl",
        "ruby",
        "tcl",
        "jobstart",
        "libcall",
        "job_start",
    ];
    words.iter().any(|word| command.contains(word)).then_some(Inner::Unknown(UNKNOWN))
}
