//! Commands that run a text: shells, `eval`, `trap`, `source` and `su`.

use super::Inner;
use crate::shell::command::Stdin;
use crate::shell::word::Word;

/// Whether `name` is a shell whose scripts the parser can read.
pub(super) fn is_shell(name: &str) -> bool {
    matches!(name, "sh" | "bash" | "zsh" | "dash" | "ksh" | "mksh" | "ash" | "rbash")
}

/// What a shell with these arguments runs.
pub(super) fn inner(arguments: &[Word], stdin: &Stdin) -> Vec<Inner> {
    let mut command = false;
    let mut reads_stdin = false;
    let mut words = arguments.iter().peekable();
    while let Some(word) = words.next_if(|word| word.pattern().starts_with(['-', '+'])) {
        match word.pattern() {
            "--" => break,
            "-" => reads_stdin = true,
            "--rcfile" | "--init-file" => drop(words.next()),
            text if text.starts_with("--") => {}
            text => {
                command |= text.starts_with('-') && text.contains('c');
                reads_stdin |= text.starts_with('-') && text.contains('s');
                // An option name follows, as in `-eo pipefail`.
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
        Some(file) if !reads_stdin && file.pattern() != "/dev/stdin" => Vec::new(),
        _ if command => Vec::new(),
        _ => match stdin {
            Stdin::Inherited => Vec::new(),
            Stdin::Pipe => vec![Inner::Unknown("the output of another command")],
            // The parser drops some here-document bodies, and a truly empty script is rare.
            Stdin::Text(text) if text.is_empty() => vec![Inner::Unknown("an unreadable text")],
            Stdin::Text(text) => vec![Inner::Script(text.to_string())],
        },
    }
}

/// The script in a word.
pub(super) fn script(word: &Word) -> Inner {
    if word.is_wholly_unknown() {
        Inner::Unknown("a text that is not known yet")
    } else {
        Inner::Script(word.pattern().to_owned())
    }
}

/// The script of `eval`, which joins its arguments.
pub(super) fn joined(arguments: &[Word]) -> Inner {
    let arguments = match arguments.split_first() {
        Some((first, rest)) if first.pattern() == "--" => rest,
        _ => arguments,
    };
    let join = |part: fn(&Word) -> &str| arguments.iter().map(part).collect::<Vec<_>>().join(" ");
    script(&Word::of_pattern(&join(Word::raw), join(Word::pattern)))
}

/// A script named by its path is not read, but the output of a command has no path.
pub(super) fn sourced(arguments: &[Word]) -> Vec<Inner> {
    match arguments.first() {
        Some(file) if file.is_process_substitution() => {
            vec![Inner::Unknown("the output of another command")]
        }
        _ => Vec::new(),
    }
}

/// Whether an argument is `-c` or `--command`, whose value is a script.
pub(super) fn has_command_option(arguments: &[Word]) -> bool {
    arguments.iter().any(is_command_option)
}

fn is_command_option(word: &Word) -> bool {
    let text = word.pattern();
    text == "--command"
        || text.starts_with("--command=")
        || (text.starts_with('-') && !text.starts_with("--") && text.ends_with('c'))
}

/// The script of `su -c`.
pub(super) fn with_command_option(arguments: &[Word]) -> Vec<Inner> {
    let mut words = arguments.iter();
    let option = words.find(|word| is_command_option(word));
    match option.and_then(|word| word.pattern().strip_prefix("--command=")) {
        Some(value) => vec![Inner::Script(value.to_owned())],
        None => words.next().map(script).into_iter().collect(),
    }
}

/// Whether `name` is a shell whose scripts the parser cannot read.
pub(super) fn is_other_shell(name: &str) -> bool {
    let name = name.strip_suffix(".exe").unwrap_or(name);
    matches!(name, "fish" | "csh" | "tcsh" | "nu" | "elvish" | "xonsh" | "pwsh" | "powershell" | "cmd")
}

/// A shell with a different language: its script is unknown, unless it only runs a file.
pub(super) fn of_other_shell(arguments: &[Word], stdin: &Stdin) -> Vec<Inner> {
    let is_file = |word: &Word| !word.may_be_option() && !word.pattern().starts_with('/');
    match (arguments.first(), stdin) {
        (Some(first), _) if !is_file(first) => vec![Inner::Unknown("a script of another shell's language")],
        (None, Stdin::Pipe | Stdin::Text(_)) => vec![Inner::Unknown("a script of another shell's language")],
        _ => Vec::new(),
    }
}

/// What `ssh` runs on the remote machine, and what its options run locally.
pub(super) fn ssh(arguments: &[Word], stdin: &Stdin) -> Vec<Inner> {
    const WITH_VALUE: &str = "BbcDEeFIiJLlmOopQRSWw";
    let mut inners = Vec::new();
    let mut words = arguments.iter();
    let mut host = None;
    while let Some(word) = words.next() {
        let Some(letters) = word.pattern().strip_prefix('-') else {
            if host.is_none() {
                host = Some(word);
                continue;
            }
            let rest: Vec<Word> = std::iter::once(word).chain(words).cloned().collect();
            inners.push(joined(&rest));
            return inners;
        };
        let at = letters.find(|letter| WITH_VALUE.contains(letter));
        let option = match at.and_then(|at| letters.split_at_checked(at + 1)) {
            Some((flags, "")) if flags.ends_with('o') => words.next().map(Word::pattern),
            Some((_, "")) => words.next().and(None),
            Some((flags, value)) if flags.ends_with('o') => Some(value),
            _ => None,
        };
        let (key, value) = option.and_then(|option| option.split_once(['=', ' '])).unwrap_or_default();
        if ["proxycommand", "localcommand", "knownhostscommand"].contains(&key.to_ascii_lowercase().as_str()) {
            inners.push(Inner::Script(value.trim().to_owned()));
        }
    }
    match stdin {
        _ if host.is_none() => {}
        Stdin::Inherited => {}
        Stdin::Pipe => inners.push(Inner::Unknown("the output of another command")),
        Stdin::Text(text) => inners.push(Inner::Script(text.to_string())),
    }
    inners
}
