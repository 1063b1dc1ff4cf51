//! Editors: their options can contain shell commands.

use super::{Inner, is_wholly_unknown};
use crate::shell::command::Stdin;
use crate::shell::word::Word;

const UNKNOWN: &str = "a command of its editor's language";

/// What `vim -c`, `+cmd` and the like run.
pub(super) fn vim(arguments: &[Word], stdin: &Stdin) -> Vec<Inner> {
    let mut inners = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.text();
        let command = match text {
            "-c" | "--cmd" | "-S" => words.next().map(Word::text),
            text if text.starts_with('+') => text.strip_prefix('+'),
            text if text.starts_with("-c") => text.strip_prefix("-c"),
            _ => None,
        };
        inners.extend(command.and_then(of_command));
    }
    let is_batch = arguments.iter().any(|word| matches!(word.text(), "-s" | "-es" | "-e" | "-E" | "-Es" | "-"));
    if is_batch && !matches!(stdin, Stdin::Inherited) {
        let runs = |text: &str| text.contains('!') || text.contains("system");
        if !matches!(stdin, Stdin::Text(text) if !runs(text)) {
            inners.push(Inner::Unknown(UNKNOWN));
        }
    }
    inners
}

/// What `ed` runs. It reads its commands from standard input.
pub(super) fn ed(stdin: &Stdin) -> Vec<Inner> {
    match stdin {
        Stdin::Inherited => Vec::new(),
        Stdin::Text(text) if !text.contains('!') && !is_wholly_unknown(text) => Vec::new(),
        _ => vec![Inner::Unknown(UNKNOWN)],
    }
}

fn of_command(command: &str) -> Option<Inner> {
    let trimmed = command.trim_start_matches([':', ' ']);
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
