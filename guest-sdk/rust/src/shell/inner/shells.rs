//! Commands that run a text: shells and `su`.

use super::{Context, Inner, Text, is_wholly_unknown};
use crate::shell::command::Stdin;
use crate::shell::word::{HOME, Word};

const OUTPUT: &str = "the output of another command";

/// Whether `name` is a shell whose scripts the parser can read.
pub(super) fn is_shell(name: &str) -> bool {
    matches!(
        unversioned(name.trim_start_matches('-')),
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "mksh" | "oksh" | "ash" | "rbash" | "yash" | "posh"
    )
}

/// Whether a file is the standard input under another name.
pub(in crate::shell) fn is_own_input(file: &str) -> bool {
    matches!(file, "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")
}

/// Whether a file's content comes from a descriptor or the network, judging by its name.
pub(in crate::shell) fn is_stream(file: &str) -> bool {
    let names = ["/dev/fd/", "/dev/stdin", "/dev/tcp/", "/dev/udp/"];
    names.iter().any(|name| file.starts_with(name)) || file.starts_with("/proc/") && file.contains("/fd/")
}

/// Returns a name without its version, such as `python` for `python3.12`.
pub(in crate::shell) fn unversioned(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-')
}

/// Whether `name` is a PowerShell command.
pub(in crate::shell) fn is_cmdlet(name: &str) -> bool {
    const VERBS: [&str; 24] = [
        "Add", "Clear", "Copy", "Disable", "Enable", "Expand", "Export", "ForEach", "Format", "Get", "Import",
        "Install", "Invoke", "Move", "New", "Out", "Remove", "Rename", "Restart", "Set", "Start", "Stop", "Where",
        "Write",
    ];
    let is_noun = |noun: &str| noun.starts_with(|c: char| c.is_ascii_uppercase());
    let is_pair = name.split_once('-').is_some_and(|(verb, noun)| VERBS.contains(&verb) && is_noun(noun));
    is_pair || matches!(name, "iex" | "irm" | "iwr")
}

/// The long options that bash also takes with one dash.
const LONG: [&str; 13] = [
    "debugger",
    "help",
    "init-file",
    "login",
    "noediting",
    "noprofile",
    "norc",
    "posix",
    "pretty-print",
    "rcfile",
    "restricted",
    "verbose",
    "version",
];

/// Returns what a shell runs with these arguments.
pub(super) fn inner(arguments: &[Word], context: &Context<'_>) -> Vec<Inner> {
    let mut inners = Vec::new();
    let mut command = false;
    let mut reads_stdin = false;
    let mut only_says = false;
    // Interactive shells ignore `-n`.
    let (mut only_reads, mut interactive) = (false, false);
    let mut words = arguments.iter().peekable();
    while let Some(word) = words.next_if(|word| word.text().starts_with(['-', '+'])) {
        let short = word.text().strip_prefix('-').filter(|name| LONG.contains(name));
        match (word.text(), word.text().strip_prefix("--").or(short)) {
            // A single dash ends the options, too.
            ("--" | "-", _) => break,
            (_, Some("rcfile" | "init-file")) => {
                let file = words.next().and_then(|file| context.script_file(file));
                match file {
                    Some(Some(text)) => inners.push(Inner::script(&text)),
                    Some(None) => inners.push(Inner::Unknown(OUTPUT)),
                    None => {}
                }
            }
            (_, Some("version" | "help")) => only_says = true,
            // zsh takes the name of a shell.
            (_, Some("emulate")) => drop(words.next()),
            (_, Some(_)) => {}
            (text, None) => {
                match text.starts_with('-') {
                    true => only_reads |= text.contains('n'),
                    false => only_reads &= !text.contains('n'),
                }
                interactive |= text.contains('i');
                command |= text.starts_with('-') && text.contains('c');
                reads_stdin |= text.starts_with('-') && text.contains('s');
                // An option name follows, as in `-eo pipefail`.
                for _ in text.chars().filter(|c| matches!(c, 'o' | 'O')) {
                    words.next();
                }
            }
        }
    }
    if only_says || (only_reads && !interactive) {
        return inners;
    }
    let rest: Vec<&Word> = words.collect();
    let texts = |from: usize| rest.iter().skip(from).map(|word| word.text().to_owned()).collect::<Vec<_>>();
    if command {
        if let Some(text) = rest.first() {
            let mut inner = with_arguments(text.text(), texts(2), None);
            if let Inner::Script(script) = &mut inner {
                script.zero = texts(1).into_iter().next();
            }
            inners.push(inner);
        }
        return inners;
    }
    let file = rest.first().filter(|_| !reads_stdin);
    match file.map(|file| (file, context.script_file(file))) {
        Some((_, Some(Some(text)))) => inners.push(with_arguments(&text, texts(1), Some(()))),
        Some((_, Some(None))) => inners.push(Inner::Unknown(OUTPUT)),
        // A file with an unknown name is as unknown as any other file.
        Some((_, None)) => {}
        None => match context.stdin {
            Stdin::Inherited => {}
            Stdin::Pipe => inners.push(Inner::Unknown(OUTPUT)),
            // The parser drops some here-document bodies, and a truly empty script is rare.
            Stdin::Text(text) if text.is_empty() => inners.push(Inner::Unknown("an unreadable text")),
            Stdin::Text(text) => inners.push(with_arguments(text, texts(0), Some(()))),
        },
    }
    inners
}

fn with_arguments(text: &str, arguments: Vec<String>, from_stdin: Option<()>) -> Inner {
    match Inner::script(text) {
        Inner::Script(script) => Inner::Script(Text { arguments, consumes_stdin: from_stdin.is_some(), ..script }),
        Inner::Unknown(_) if from_stdin.is_some() => Inner::Unknown(OUTPUT),
        other => other,
    }
}

/// Whether an argument is `-c` or `--command`, whose value is a script.
pub(super) fn has_command_option(arguments: &[Word]) -> bool {
    arguments.iter().any(|word| command_option(word).is_some())
}

/// Returns the script in an option such as `-c`, `-c'…'` or `--command=…`; an inner `None` means that the script is the
/// next word.
fn command_option(word: &Word) -> Option<Option<&str>> {
    let text = word.text();
    if let Some(long) = text.strip_prefix("--") {
        let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
        let is_it = name.len() > 1 && ("command".starts_with(name) || "session-command".starts_with(name));
        return is_it.then_some(value);
    }
    let letters = text.strip_prefix('-')?;
    let at = letters.find('c')?;
    // Options that take a value come last in a cluster.
    if letters.get(..at)?.contains(['s', 'g', 'G', 'u', 'w', 'E']) {
        return None;
    }
    let value = letters.get(at + 1..).unwrap_or_default();
    Some((!value.is_empty()).then_some(value))
}

/// Returns the script of `-c`.
pub(super) fn with_command_option(arguments: &[Word]) -> Vec<Inner> {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match command_option(word) {
            Some(Some(script)) => return vec![Inner::script(script)],
            Some(None) => return words.next().map(|word| Inner::script(word.text())).into_iter().collect(),
            None => {}
        }
    }
    Vec::new()
}

/// Returns what `su` and `runuser` run.
pub(super) fn su(name: Option<&str>, arguments: &[Word], context: &Context<'_>) -> Vec<Inner> {
    if has_command_option(arguments) {
        return with_command_option(arguments);
    }
    if name == Some("runuser")
        && arguments.iter().any(|word| matches!(word.text(), "-u" | "--user") || word.text().starts_with("--user="))
    {
        return super::prefix::inner("runuser", arguments, context.stdin);
    }
    of_stdin(context.stdin).into_iter().collect()
}

/// Returns what a shell runs if it reads its commands from standard input.
pub(super) fn of_stdin(stdin: &Stdin) -> Option<Inner> {
    match stdin {
        Stdin::Inherited => None,
        Stdin::Text(text) if !is_wholly_unknown(text) => Some(with_arguments(text, Vec::new(), Some(()))),
        _ => Some(Inner::Unknown(OUTPUT)),
    }
}

/// Whether `name` is a shell whose scripts the parser cannot read.
pub(super) fn is_other_shell(name: &str) -> bool {
    let name = name.strip_suffix(".exe").unwrap_or(name);
    matches!(
        name,
        "fish"
            | "csh"
            | "tcsh"
            | "nu"
            | "elvish"
            | "xonsh"
            | "pwsh"
            | "powershell"
            | "cmd"
            | "rc"
            | "es"
            | "oil"
            | "osh"
            | "ysh"
    )
}

/// Returns what a shell with a different language runs: its script is unknown, unless it only runs a file.
pub(super) fn of_other_shell(arguments: &[Word], stdin: &Stdin) -> Vec<Inner> {
    // PowerShell leaves out empty words, takes longer dashes for short ones, and runs a command in place of a file.
    let is_of_code = |c: char| c.is_whitespace() || "();|&{}".contains(c);
    let is_file = |word: &Word| {
        let file = word.pattern();
        file.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '~' | HOME))
            && !file.contains(is_of_code)
    };
    match (arguments.first(), stdin) {
        (Some(first), _) if !is_file(first) => vec![Inner::Unknown("a script of another shell's language")],
        (None, Stdin::Pipe | Stdin::Text(_)) => vec![Inner::Unknown("a script of another shell's language")],
        _ => Vec::new(),
    }
}
