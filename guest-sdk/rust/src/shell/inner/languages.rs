//! Programs in a language of their own that can run commands: awk and sed.

use super::Inner;
use crate::shell::word::Word;

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
