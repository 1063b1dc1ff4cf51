//! Commands that run the command in their arguments, such as `sudo rm`.

use super::Inner;
use crate::shell::{UNKNOWN, Word};

/// How the arguments of such a command are read.
struct Prefix {
    name: &'static str,
    /// The short options that take a value.
    shorts: &'static str,
    /// The long options whose value is the next word.
    longs: &'static [&'static str],
    /// How many arguments stand before the command.
    operands: usize,
}

const fn prefix(name: &'static str, shorts: &'static str, longs: &'static [&'static str], operands: usize) -> Prefix {
    Prefix { name, shorts, longs, operands }
}

#[rustfmt::skip] // A table reads better with one row per line.
const PREFIXES: &[Prefix] = &[
    prefix("builtin", "", &[], 0),
    prefix("busybox", "", &[], 0),
    prefix("command", "", &[], 0),
    prefix("doas", "uC", &[], 0),
    prefix("env", "uC", &["--unset", "--chdir"], 0),
    prefix("exec", "a", &[], 0),
    prefix("ionice", "cnpPu", &["--class", "--classdata", "--pid"], 0),
    prefix("nice", "n", &["--adjustment"], 0),
    prefix("nohup", "", &[], 0),
    prefix("setsid", "", &[], 0),
    prefix("stdbuf", "ioe", &["--input", "--output", "--error"], 0),
    prefix("sudo", "ughpCTUrtDR", &[
        "--user", "--group", "--host", "--prompt", "--close-from", "--command-timeout",
        "--other-user", "--role", "--type", "--chdir", "--chroot",
    ], 0),
    prefix("time", "fo", &["--format", "--output"], 0),
    prefix("timeout", "ks", &["--kill-after", "--signal"], 1),
    prefix("toybox", "", &[], 0),
    prefix("xargs", "nPILsdEa", &[
        "--max-args", "--max-procs", "--max-lines", "--max-chars", "--delimiter", "--arg-file",
    ], 0),
];

/// What the command `name` with these arguments runs.
pub(super) fn inner(name: &str, arguments: &[Word]) -> Vec<Inner> {
    let Some(prefix) = PREFIXES.iter().find(|prefix| prefix.name == name) else {
        return Vec::new();
    };
    let (options, command) = prefix.split(arguments);
    let has = |is_it: fn(&str) -> bool| options.iter().any(|word| is_it(&word.text));
    match name {
        // `command -v rm` only says where `rm` is.
        "command" if has(|text| text.starts_with('-') && text.contains(['v', 'V'])) => Vec::new(),
        "env" if has(splits_text) => {
            vec![Inner::Unknown("a text that env splits into words")]
        }
        "xargs" if !command.is_empty() => vec![Inner::Command(with_input(options, command))],
        _ if command.is_empty() => Vec::new(),
        _ => vec![Inner::Command(command.to_vec())],
    }
}

/// Whether an option of `env` is `-S`, alone or in a cluster.
fn splits_text(option: &str) -> bool {
    match option.strip_prefix('-') {
        Some(rest) if rest.starts_with('-') => rest.starts_with("-split-string"),
        Some(letters) => letters.contains('S'),
        None => false,
    }
}

impl Prefix {
    /// Splits the arguments into the options and the command.
    fn split<'a>(&self, arguments: &'a [Word]) -> (&'a [Word], &'a [Word]) {
        let mut at = 0;
        while let Some(word) = arguments.get(at) {
            if word.text == "--" {
                at += 1;
                break;
            }
            if !word.text.starts_with('-') {
                break;
            }
            at += if self.takes_next(&word.text) { 2 } else { 1 };
        }
        at += self.operands;
        let rest = arguments.get(at..).unwrap_or_default();
        // Any word with a `=` sets a variable of the environment.
        let is_assignment = |word: &&Word| word.text.contains('=');
        at += rest.iter().take_while(is_assignment).count();
        arguments.split_at_checked(at).unwrap_or((arguments, &[]))
    }

    /// Whether the value of `option` is the next word.
    fn takes_next(&self, option: &str) -> bool {
        if option.starts_with("--") {
            return self.longs.contains(&option);
        }
        let value = option.find(|letter| self.shorts.contains(letter));
        value.is_some_and(|at| at + 1 == option.len())
    }
}

/// The command of `xargs`: it gets arguments that nobody knows, at its end or
/// wherever the placeholder of `-I` stands.
fn with_input(options: &[Word], command: &[Word]) -> Vec<Word> {
    let placeholder = options.iter().enumerate().find_map(|(at, word)| {
        let value = word.text.strip_prefix("-I")?;
        if value.is_empty() { options.get(at + 1).map(|next| next.text.as_str()) } else { Some(value) }
    });
    let unknown = UNKNOWN.to_string();
    match placeholder {
        Some(name) => command.iter().map(|word| word.with_replaced(name, &unknown)).collect(),
        None => {
            let input = Word::unknown("…");
            command.iter().cloned().chain([input]).collect()
        }
    }
}
