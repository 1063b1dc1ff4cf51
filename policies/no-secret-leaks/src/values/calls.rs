//! Functions: those that print their arguments, and those whose result has all of them.

use super::prints::{JOINERS, STATEMENTS};
use super::{Code, Frame, is_name};
use hookbox_policy::Names;

/// Functions that print their arguments.
#[rustfmt::skip] // Many words to a line.
static PRINTERS: Names = Names::new(&[
    "print", "println", "printf", "print_r", "eprintln", "puts", "pp", "pprint", "echo", "say", "die", "abort", "exit",
    "var_dump", "var_export", "princ", "prin1", "prn", "putStrLn", "putStr", "croak", "confess", "writeSync",
    "error_log", "trigger_error", "writeln",
]);

/// Functions of a log or of the console that print their arguments.
#[rustfmt::skip] // Many words to a line.
const LEVELS: &[&str] = &[
    "log", "error", "info", "debug", "dir", "table", "trace", "critical", "exception", "fatal", "warn", "warning",
];

/// The ends of the names of errors, whose message is printed if nothing handles them.
const FAILURES: [&str; 3] = ["Error", "Exception", "Exit"];

/// Functions whose result has all of their argument.
#[rustfmt::skip] // Many words to a line.
static KEEPERS: Names = Names::new(&[
    "str", "repr", "ascii", "String", "list", "tuple", "set", "dict", "sorted", "reversed", "bytes", "bytearray",
    "btoa", "Array", "Object", "strrev", "base64_encode", "json_encode", "bin2hex", "str_rot13", "strtoupper",
    "strtolower", "trim", "implode", "paste", "paste0", "toString", "string", "chars", "split", "str_split", "map",
    "reverse", "uc", "lc", "toupper", "tolower", "rev", "Some", "encodeURIComponent", "urlencode", "rawurlencode",
    "serialize", "scalar", "append", "pr-str", "str_pad",
]);

/// Functions that are the same in any module.
#[rustfmt::skip] // Many words to a line.
static FORMATTERS: Names = Names::new(&[
    "stringify", "dumps", "dump", "safe_dump", "b64encode", "urlsafe_b64encode", "standard_b64encode", "b32encode",
    "b16encode", "hexlify", "join", "format", "quote", "quote_plus", "from", "encode64", "strict_encode64", "inspect",
    "concat", "pformat", "escape", "sprintf", "Sprintf", "strip",
]);

/// What a call does with a value among its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// It prints the value.
    Prints,
    /// Its result does not have the value.
    Loses,
    /// Its result has the value. The call begins at this position.
    Keeps(usize),
}

impl Code<'_> {
    /// Judges the function of a call in which a value begins at `start`.
    pub(super) fn called(&self, frame: &Frame, start: usize) -> Call {
        let open = frame.start.saturating_sub(1);
        let near = self.near(0, open);
        let rest = near.trim_end_matches(' ').trim_end_matches(|c: char| is_name(c) || ".:->!?$@/\\".contains(c));
        let path = near.get(rest.len()..).unwrap_or_default().trim_end_matches(' ');
        let cut = path.rfind(['.', ':', '>', '/', '\\']).map_or(0, |at| at + 1);
        let (owner, function) = path.split_at_checked(cut).unwrap_or(("", path));
        let (owner, function) = (owner.to_ascii_lowercase(), function.trim_end_matches(['!', '?']));
        let is_of = |names: [&str; 2]| names.iter().any(|name| owner.contains(name));
        let prints = match function {
            "write" | "fwrite" | "fputs" | "fprintf" => {
                let told = self.near(frame.start, start).to_ascii_lowercase();
                let names_screen = ["stdout", "stderr"].iter().any(|name| told.contains(name));
                // The numbers of the standard output and of the standard error.
                let is_number = owner == "os." && told.trim_start().starts_with(['1', '2']);
                names_screen || is_number || is_of(["stdout", "stderr"]) || owner.starts_with("io")
            }
            "Write" | "WriteLine" => is_of(["console", "stderr"]),
            "inspect" => owner.starts_with("io"),
            "p" => self.name == "ruby",
            "cat" => self.name == "Rscript",
            _ if LEVELS.contains(&function) => owner.is_empty() || is_of(["log", "console"]),
            _ if STATEMENTS.contains(&function) && owner.is_empty() => true,
            _ => PRINTERS.contains(function) || FAILURES.iter().any(|end| function.ends_with(end)),
        };
        let is_plain = owner.is_empty() && (KEEPERS.contains(function) || JOINERS.contains(&function));
        match prints {
            true => Call::Prints,
            false if function.is_empty() => Call::Keeps(open),
            false if is_plain || FORMATTERS.contains(function) => Call::Keeps(open - (near.len() - rest.len())),
            false => Call::Loses,
        }
    }

    /// Judges the first word in brackets, which is the function in Lisp.
    pub(super) fn called_first(&self, inside: &str, open: usize) -> Call {
        let Some(word) = inside.split_whitespace().next() else { return Call::Keeps(open) };
        let function = word.rsplit(['.', '/']).next().unwrap_or(word);
        match function {
            "message" | "pr" => Call::Prints,
            _ if PRINTERS.contains(function) => Call::Prints,
            _ if KEEPERS.contains(function) || FORMATTERS.contains(function) => Call::Keeps(open),
            _ => Call::Loses,
        }
    }
}
