//! Programs that run a text in their own language, such as Python.

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
    /// The options that name the program, or something else in its place.
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

/// Returns what an interpreter runs: a text in its own language, which is known if it is in an option or in a file. The
/// interpreter's standard input may be another command's output.
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

/// Adds what the content of a program file runs, if the file is not on a disk.
pub(super) fn of_file(
    file: Option<&Word>,
    context: &Context<'_>,
    inners: &mut Vec<Inner>,
    read: impl Fn(&str) -> Vec<Inner>,
) {
    match file.and_then(|file| context.script_file(file)) {
        None => {}
        Some(None) => inners.push(Inner::Unknown(OUTPUT)),
        Some(Some(text)) => inners.extend(read(&text)),
    }
}
