//! Commands that run the command in their arguments, such as `sudo rm`.

use super::{Inner, shells};
use crate::shell::word::{UNKNOWN, Word};

/// How to read the arguments of such a command.
struct Prefix {
    name: &'static str,
    /// The short options that take a value.
    shorts: &'static str,
    /// The long options whose value is the next word.
    longs: &'static [&'static str],
    /// The number of arguments before the command.
    operands: usize,
}

const fn prefix(name: &'static str, shorts: &'static str, longs: &'static [&'static str], operands: usize) -> Prefix {
    Prefix { name, shorts, longs, operands }
}

#[rustfmt::skip] // A table reads better with one row per line.
const PREFIXES: &[Prefix] = &[
    prefix("builtin", "", &[], 0),
    prefix("busybox", "", &[], 0),
    prefix("caffeinate", "tw", &[], 0),
    prefix("chroot", "", &[], 1),
    prefix("chrt", "TPD", &[], 1),
    prefix("command", "", &[], 0),
    prefix("doas", "uC", &[], 0),
    prefix("env", "uC", &["--unset", "--chdir"], 0),
    prefix("exec", "a", &[], 0),
    prefix("fakeroot", "lsib", &[], 0),
    prefix("flock", "wE", &["--timeout", "--wait", "--conflict-exit-code"], 1),
    prefix("gtimeout", "ks", &["--kill-after", "--signal"], 1),
    prefix("ionice", "cnpPu", &["--class", "--classdata", "--pid"], 0),
    prefix("ltrace", "aAeFlnopsuDSwx", &[], 0),
    prefix("nice", "n", &["--adjustment"], 0),
    prefix("nohup", "", &[], 0),
    prefix("pkexec", "", &["--user"], 0),
    prefix("runuser", "ugG", &["--user", "--group", "--supp-group"], 0),
    prefix("setsid", "", &[], 0),
    prefix("stdbuf", "ioe", &["--input", "--output", "--error"], 0),
    prefix("strace", "aeEIoOpPsSuUXb", &[], 0),
    prefix("sudo", "ughpCTUrtDR", &[
        "--user", "--group", "--host", "--prompt", "--close-from", "--command-timeout",
        "--other-user", "--role", "--type", "--chdir", "--chroot",
    ], 0),
    prefix("taskset", "", &[], 1),
    prefix("time", "fo", &["--format", "--output"], 0),
    prefix("timeout", "ks", &["--kill-after", "--signal"], 1),
    prefix("toybox", "", &[], 0),
    prefix("unbuffer", "", &[], 0),
    prefix("unshare", "SGR", &["--setuid", "--setgid", "--root", "--wd"], 0),
    prefix("watch", "nq", &["--interval", "--equexit"], 0),
    prefix("xargs", "nPILsdEa", &[
        "--max-args", "--max-procs", "--max-lines", "--max-chars", "--delimiter", "--arg-file",
    ], 0),
];

/// What the command `name` with these arguments runs.
pub(super) fn inner(name: &str, arguments: &[Word]) -> Vec<Inner> {
    if name == "parallel" && !arguments.is_empty() {
        return vec![Inner::Unknown("commands that it makes up")];
    }
    let Some(prefix) = PREFIXES.iter().find(|prefix| prefix.name == name) else {
        return Vec::new();
    };
    let Split { options, settings, command } = prefix.split(arguments);
    let has = |is_it: fn(&str) -> bool| options.iter().any(|word| is_it(word.pattern()));
    match name {
        // `command -v rm` only says where `rm` is.
        "command" if has(|text| text.starts_with('-') && text.contains(['v', 'V'])) => Vec::new(),
        "env" if has(splits_text) => {
            vec![Inner::Unknown("a text that env splits into words")]
        }
        _ if command.is_empty() => Vec::new(),
        "xargs" => vec![Inner::command(with_input(options, command))],
        // It hands its arguments to a shell.
        "watch" => vec![shells::joined(command)],
        _ => vec![Inner::Command { words: command.to_vec(), settings: settings.to_vec() }],
    }
}

/// Whether an option of `env` is `-S`, on its own or in a cluster.
fn splits_text(option: &str) -> bool {
    match option.strip_prefix('-') {
        Some(rest) if rest.starts_with('-') => rest.starts_with("-split-string"),
        Some(letters) => letters.contains('S'),
        None => false,
    }
}

/// The arguments of such a command.
struct Split<'a> {
    options: &'a [Word],
    /// The arguments that set variables.
    settings: &'a [Word],
    command: &'a [Word],
}

impl Prefix {
    fn split<'a>(&self, arguments: &'a [Word]) -> Split<'a> {
        let mut at = 0;
        while let Some(word) = arguments.get(at) {
            if word.pattern() == "--" {
                at += 1;
                break;
            }
            if !word.pattern().starts_with('-') {
                break;
            }
            at += if self.takes_next(word.pattern()) { 2 } else { 1 };
        }
        at += self.operands;
        let rest = arguments.get(at..).unwrap_or_default();
        // Any word with a `=` sets an environment variable.
        let is_assignment = |word: &&Word| word.pattern().contains('=');
        let count = rest.iter().take_while(is_assignment).count();
        let (settings, command) = rest.split_at_checked(count).unwrap_or((rest, &[]));
        Split { options: arguments.get(..at).unwrap_or(arguments), settings, command }
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

/// The command of `xargs`: it gets unknown arguments, at its end or wherever the placeholder of `-I` appears.
fn with_input(options: &[Word], command: &[Word]) -> Vec<Word> {
    let placeholder = options.iter().enumerate().find_map(|(at, word)| {
        let value = word.pattern().strip_prefix("-I")?;
        if value.is_empty() { options.get(at + 1).map(Word::pattern) } else { Some(value) }
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
