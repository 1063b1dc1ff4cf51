//! Programs that run a text in a language of their own: awk, sed, Python.

use super::options::Spec;
use super::{Context, Inner, unversioned};
use crate::shell::command::Stdin;
use crate::shell::marks::has_unknown;
use crate::shell::word::Word;

const OUTPUT: &str = "the output of another command";

/// How an interpreter reads its arguments.
struct Interpreter {
    names: &'static [&'static str],
    /// The short options with a value.
    shorts: &'static str,
    longs: &'static [&'static str],
    /// The options that name the program, or something that is none.
    inline: &'static [&'static str],
}

const INTERPRETERS: &[Interpreter] = &[
    Interpreter {
        names: &["python", "pypy"],
        shorts: "cmWXQ",
        longs: &["check-hash-based-pycs"],
        inline: &["-c", "-m", "-V", "-h", "--version", "--help"],
    },
    Interpreter {
        names: &["node", "nodejs", "bun", "deno", "tsx", "ts-node"],
        shorts: "eprC",
        longs: &["eval", "print", "require", "import", "loader", "env-file", "input-type", "conditions"],
        inline: &["-e", "-p", "-v", "-h", "--eval", "--print", "--version", "--help", "--test"],
    },
    Interpreter {
        names: &["perl"],
        shorts: "eEIMm",
        longs: &[],
        inline: &["-e", "-E", "-v", "-V", "--version", "--help"],
    },
    Interpreter {
        names: &["ruby", "irb"],
        shorts: "eIrCEKF",
        longs: &["encoding"],
        inline: &["-e", "-v", "--version", "--help"],
    },
    Interpreter {
        names: &["php"],
        shorts: "rfBRFEdzctS",
        longs: &["run", "file"],
        inline: &["-r", "-f", "-S", "-v", "-m", "-i", "-l", "--run", "--file", "--version"],
    },
    Interpreter { names: &["lua", "luajit"], shorts: "el", longs: &[], inline: &["-e", "-v"] },
    Interpreter { names: &["osascript"], shorts: "els", longs: &[], inline: &["-e"] },
    Interpreter {
        names: &["Rscript", "R", "julia", "tclsh", "wish", "guile", "ghci"],
        shorts: "e",
        longs: &["eval"],
        inline: &["-e", "--eval"],
    },
];

/// Whether a program is in the table.
pub(super) fn is_interpreter(name: &str) -> bool {
    find(name).is_some()
}

fn find(name: &str) -> Option<&'static Interpreter> {
    INTERPRETERS.iter().find(|interpreter| interpreter.names.contains(&unversioned(name)))
}

/// An interpreter runs a text of its own language, which is known if it stands in an option or in a file. Its standard
/// input may be another command's output.
pub(super) fn interpreter(name: &str, arguments: &[Word], context: &Context<'_>) -> Vec<Inner> {
    let Some(interpreter) = find(name) else {
        return Vec::new();
    };
    let read = Spec { shorts: interpreter.shorts, longs: interpreter.longs, flags: &[] }.read(arguments);
    if read.has(interpreter.inline) {
        return Vec::new();
    }
    let is_unknown = match read.rest.first() {
        Some(file) => match context.script_file(file) {
            None => false,
            Some(text) => text.is_none_or(|text| has_unknown(&text)),
        },
        None => match context.stdin {
            Stdin::Inherited => false,
            Stdin::Pipe => true,
            Stdin::Text(text) => has_unknown(text),
        },
    };
    if is_unknown { vec![Inner::Unknown(OUTPUT)] } else { Vec::new() }
}

/// What a file with a program holds, if it is none that lies on a disk.
fn of_file(file: Option<&Word>, context: &Context<'_>, inners: &mut Vec<Inner>, read: impl Fn(&str) -> Vec<Inner>) {
    match file.and_then(|file| context.script_file(file)) {
        None => {}
        Some(None) => inners.push(Inner::Unknown(OUTPUT)),
        Some(Some(text)) => inners.extend(read(&text)),
    }
}

/// An awk program can run commands with `system` and pipes.
pub(super) fn awk(arguments: &[Word], context: &Context<'_>) -> Vec<Inner> {
    let mut inners = Vec::new();
    let mut words = arguments.iter();
    let mut has_program = false;
    while let Some(word) = words.next() {
        let text = word.text();
        match text {
            "-F" | "-v" | "--field-separator" | "--assign" => drop(words.next()),
            "-f" | "--file" => {
                has_program = true;
                of_file(words.next(), context, &mut inners, of_awk);
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
pub(super) fn sed(arguments: &[Word], context: &Context<'_>) -> Vec<Inner> {
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
            "-f" | "--file" => {
                of_file(words.next(), context, &mut inners, |text| of_sed(text).into_iter().collect());
            }
            "-l" | "--line-length" => drop(words.next()),
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
    let Some(delimiter) = rest.chars().next().filter(|c| !c.is_ascii_alphanumeric()) else {
        return false;
    };
    let flags = rest.rsplit(delimiter).next().unwrap_or_default();
    flags.chars().all(|c| c.is_ascii_alphanumeric()) && flags.contains('e')
}
