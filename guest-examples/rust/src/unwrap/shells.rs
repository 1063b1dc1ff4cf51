//! Commands that run a text: shells, `eval`, `trap`, `source` and `su`.

use super::Inner;
use crate::shell::{Stdin, Word};

/// Whether `name` is a shell whose scripts the parser can read.
pub(super) fn is_shell(name: &str) -> bool {
    matches!(name, "sh" | "bash" | "zsh" | "dash" | "ksh" | "mksh" | "ash" | "rbash")
}

/// What a shell with these arguments runs.
pub(super) fn inner(arguments: &[Word], stdin: &Stdin) -> Vec<Inner> {
    let mut command = false;
    let mut reads_stdin = false;
    let mut words = arguments.iter().peekable();
    while let Some(word) = words.next_if(|word| word.text.starts_with(['-', '+'])) {
        match word.text.as_str() {
            "--" => break,
            "-" => reads_stdin = true,
            "--rcfile" | "--init-file" => drop(words.next()),
            text if text.starts_with("--") => {}
            text => {
                command |= text.starts_with('-') && text.contains('c');
                reads_stdin |= text.starts_with('-') && text.contains('s');
                // The name of a setting follows, as in `-eo pipefail`.
                if text.ends_with(['o', 'O']) {
                    words.next();
                }
            }
        }
    }
    match words.next() {
        Some(text) if command => vec![script(text)],
        Some(file) if file.is_process_substitution() => {
            vec![Inner::Unknown("the output of another command")]
        }
        Some(file) if !reads_stdin && file.text != "/dev/stdin" => Vec::new(),
        _ if command => Vec::new(),
        _ => match stdin {
            Stdin::Inherited => Vec::new(),
            Stdin::Pipe => vec![Inner::Unknown("the output of another command")],
            // The parser leaves some bodies out, and an empty script is rare.
            Stdin::Text(text) if text.is_empty() => vec![Inner::Unknown("an unreadable text")],
            Stdin::Text(text) => vec![Inner::Script(text.to_string())],
        },
    }
}

/// The script that a word holds.
pub(super) fn script(word: &Word) -> Inner {
    if word.is_wholly_unknown() {
        Inner::Unknown("a text that is not known yet")
    } else {
        Inner::Script(word.text.clone())
    }
}

/// The script of `eval`, which joins its arguments.
pub(super) fn joined(arguments: &[Word]) -> Inner {
    let arguments = match arguments.split_first() {
        Some((first, rest)) if first.text == "--" => rest,
        _ => arguments,
    };
    let text = |word: &Word| word.text.clone();
    let raw = |word: &Word| word.raw.clone();
    script(&Word {
        raw: arguments.iter().map(raw).collect::<Vec<_>>().join(" "),
        text: arguments.iter().map(text).collect::<Vec<_>>().join(" "),
        source: None,
    })
}

/// A named script is not looked into, but the output of a command has no name.
pub(super) fn sourced(arguments: &[Word]) -> Vec<Inner> {
    match arguments.first() {
        Some(file) if file.is_process_substitution() => {
            vec![Inner::Unknown("the output of another command")]
        }
        _ => Vec::new(),
    }
}

/// The script of `su -c`.
pub(super) fn su(arguments: &[Word]) -> Vec<Inner> {
    let is_command = |word: &Word| {
        let text = word.text.as_str();
        text == "--command" || (text.starts_with('-') && !text.starts_with("--") && text.ends_with('c'))
    };
    let mut words = arguments.iter();
    match words.find(|word| is_command(word)) {
        Some(_) => words.next().map(script).into_iter().collect(),
        None => Vec::new(),
    }
}
