//! Programs that are not shells but can be told to run a command.

use super::{Context, Inner, is_wholly_unknown};
use crate::shell::command::Stdin;
use crate::shell::word::Word;

/// `tar --to-command`, `--checkpoint-action=exec=` and `--use-compress-program`.
pub(super) fn tar(arguments: &[Word]) -> Vec<Inner> {
    const OPTIONS: [&str; 5] =
        ["--to-command", "--use-compress-program", "--info-script", "--new-volume-script", "--rsh-command"];
    let mut inners = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.text();
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let is_cut_short = |option: &&str| name.len() > "--t".len() && option.starts_with(name);
        if text.starts_with("--check") {
            let action = value.or_else(|| words.next().map(Word::text)).unwrap_or_default();
            inners.extend(action.strip_prefix("exec=").map(Inner::script));
        } else if OPTIONS.iter().any(is_cut_short) || matches!(text, "-I" | "-F") {
            let script = value.or_else(|| words.next().map(Word::text));
            inners.extend(script.map(Inner::script));
        }
    }
    inners
}

/// An awk program can run commands with `system` and pipes.
pub(super) fn awk(arguments: &[Word]) -> Vec<Inner> {
    let mut inners = Vec::new();
    let mut words = arguments.iter();
    let mut has_program = false;
    while let Some(word) = words.next() {
        let text = word.text();
        match text {
            "-F" | "-v" | "--field-separator" | "--assign" => drop(words.next()),
            "-f" | "--file" => {
                has_program = true;
                words.next();
            }
            text if text.starts_with("-F") || text.starts_with("-v") => {}
            _ if has_program => {}
            text if text.starts_with('-') && text.len() > 1 && !text.starts_with("-e") => {}
            text => {
                has_program = !text.starts_with("-e");
                inners.extend(of_awk(text));
            }
        }
    }
    inners
}

fn of_awk(program: &str) -> Vec<Inner> {
    let text = program.replace("||", "");
    let calls = text.matches("system").count();
    if calls == 0 && !text.contains(['|', '@']) {
        return Vec::new();
    }
    let mut inners = Vec::new();
    for after in text.split("system").skip(1) {
        let literal = after.trim_start().strip_prefix('(').and_then(|after| after.trim_start().strip_prefix('"'));
        let literal = literal.and_then(|after| after.split_once('"'));
        match literal {
            Some((script, rest)) if rest.trim_start().starts_with(')') && !script.contains('\\') => {
                inners.push(Inner::script(script));
            }
            _ => return vec![Inner::Unknown("what an awk program makes up")],
        }
    }
    if text.contains(['|', '@']) {
        inners.push(Inner::Unknown("what an awk program makes up"));
    }
    inners
}

/// A sed program can run commands with `e`.
pub(super) fn sed(arguments: &[Word]) -> Vec<Inner> {
    let mut inners = Vec::new();
    let mut has_program = arguments.iter().any(|word| {
        let text = word.text();
        matches!(text, "-f" | "--file") || text.starts_with("--file=") || is_expression(text)
    });
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.text();
        match text {
            "-e" | "--expression" => inners.extend(words.next().and_then(|word| of_sed(word.text()))),
            "-f" | "--file" | "-l" | "--line-length" => drop(words.next()),
            text if text.starts_with("--expression=") => {
                inners.extend(text.strip_prefix("--expression=").and_then(of_sed));
            }
            text if is_expression(text) => {
                let program = text.split_once('e').map_or("", |(_, program)| program);
                let program = if program.is_empty() { words.next().map_or("", Word::text) } else { program };
                inners.extend(of_sed(program));
            }
            text if text.starts_with('-') => {}
            text if !has_program => {
                has_program = true;
                inners.extend(of_sed(text));
            }
            _ => {}
        }
    }
    inners
}

/// Whether a cluster such as `-ne` names a program.
fn is_expression(text: &str) -> bool {
    let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-')).unwrap_or_default();
    // What follows an `i` is a suffix.
    letters.split('e').next().is_some_and(|before| before.len() < letters.len() && !before.contains(['i', 'l', 'f']))
}

/// The commands of a sed program, or that they are not known. A program in which no `e` can be a command has none.
fn of_sed(program: &str) -> Option<Inner> {
    let unknown = Some(Inner::Unknown("what a sed program makes up"));
    let trimmed = program.trim_start_matches(|c: char| c.is_ascii_digit() || " \t,$".contains(c));
    if let Some(script) = trimmed.strip_prefix("e ") {
        return if script.contains('\n') { unknown } else { Some(Inner::script(script)) };
    }
    if trimmed == "e" {
        return unknown;
    }
    if program.split([';', '\n', '{', '}']).any(runs) { unknown } else { None }
}

/// Whether one command of a sed program may run something.
fn runs(command: &str) -> bool {
    let command = command.trim();
    let skipped = command.trim_start_matches(|c: char| c.is_ascii_digit() || " \t,$!~+".contains(c));
    // An address such as `/x/` comes before the command.
    let skipped = match skipped.strip_prefix('/') {
        Some(rest) => rest.rsplit('/').next().unwrap_or_default().trim_start_matches([' ', '!', ',', 'I']),
        None => skipped,
    };
    if skipped == "e" || skipped.starts_with("e ") {
        return true;
    }
    let Some(rest) = skipped.strip_prefix('s').or_else(|| command.split_once("/s").map(|(_, rest)| rest)) else {
        return false;
    };
    let Some(delimiter) = rest.chars().next().filter(|c| !c.is_alphanumeric()) else {
        return false;
    };
    let flags = rest.rsplit(delimiter).next().unwrap_or_default();
    flags.chars().all(|c| c.is_ascii_alphanumeric()) && flags.contains('e')
}

/// `npm exec -c`, `npx -c` and `npx PROGRAM`.
pub(super) fn npm(name: Option<&str>, arguments: &[Word]) -> Vec<Inner> {
    let is_runner = matches!(name, Some("npx" | "bunx" | "pnpx"));
    let rest = if is_runner {
        arguments
    } else {
        let at = arguments.iter().position(|word| matches!(word.text(), "exec" | "x" | "dlx"));
        match at.and_then(|at| arguments.get(at + 1..)) {
            Some(rest) => rest,
            None => return Vec::new(),
        }
    };
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        match word.text() {
            "-c" | "--call" | "--shell-mode" => {
                return words.next().map(|word| Inner::script(word.text())).into_iter().collect();
            }
            "-p" | "--package" | "-w" | "--workspace" => drop(words.next()),
            "--" => return command(words.as_slice()),
            text if text.starts_with("--call=") => {
                return text.strip_prefix("--call=").map(Inner::script).into_iter().collect();
            }
            text if text.starts_with('-') => {}
            _ => return command(&[std::slice::from_ref(word), words.as_slice()].concat()),
        }
    }
    Vec::new()
}

fn command(words: &[Word]) -> Vec<Inner> {
    if words.is_empty() { Vec::new() } else { vec![Inner::command(words)] }
}

/// `make -f -`, and variables that are run: `make SHELL=…`, `make --eval`.
pub(super) fn make(arguments: &[Word], context: &Context<'_>) -> Vec<Inner> {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.text();
        let file = match text {
            "-f" | "--file" | "--makefile" => words.next(),
            _ => None,
        };
        let is_stream = file.is_some_and(|file| context.script_file(file).is_some() || file.text() == "-");
        let is_attached = matches!(text, "-f-" | "--file=-" | "--makefile=-" | "-f/dev/stdin" | "--file=/dev/stdin");
        if is_stream || is_attached || text == "--eval" || text.starts_with("--eval=") || text.starts_with("-E") {
            return vec![Inner::Unknown("a makefile that is no file")];
        }
    }
    Vec::new()
}

/// `at`, `batch` and `crontab -`, which read commands that run later.
pub(super) fn scheduled(name: Option<&str>, arguments: &[Word], stdin: &Stdin) -> Vec<Inner> {
    let is_crontab = name == Some("crontab");
    if is_crontab && !arguments.iter().any(|word| matches!(word.text(), "-" | "/dev/stdin")) {
        return Vec::new();
    }
    match stdin {
        Stdin::Inherited => Vec::new(),
        Stdin::Text(text) if !is_wholly_unknown(text) && !is_crontab => vec![Inner::script(text)],
        Stdin::Text(text) if is_crontab && !is_wholly_unknown(text) => {
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
            lines.map(of_crontab).collect()
        }
        _ => vec![Inner::Unknown("the output of another command")],
    }
}

/// The command in a line of a crontab, behind its five fields or its name such as `@daily`.
fn of_crontab(line: &str) -> Inner {
    let count = if line.starts_with('@') { 1 } else { 5 };
    let mut rest = line;
    for _ in 0..count {
        rest = rest.trim_start().split_once([' ', '\t']).map_or("", |(_, rest)| rest);
    }
    Inner::script(rest)
}

/// `gdb --args PROGRAM`, and `gdb -ex 'shell …'`.
pub(super) fn gdb(arguments: &[Word]) -> Vec<Inner> {
    let mut inners = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.text().trim_start_matches('-') {
            "args" if word.text().starts_with('-') => {
                inners.extend(command(words.as_slice()));
                return inners;
            }
            "ex" | "eval-command" | "iex" | "init-eval-command" if word.text().starts_with('-') => {
                let text = words.next().map_or("", Word::text).trim();
                let script = ["shell ", "!"].iter().find_map(|prefix| text.strip_prefix(prefix));
                match script {
                    Some(script) => inners.push(Inner::script(script)),
                    None if text.starts_with("python") || text.starts_with("pi") || text.starts_with("make") => {
                        inners.push(Inner::Unknown("a script of its debugger"));
                    }
                    None => {}
                }
            }
            _ => {}
        }
    }
    inners
}
