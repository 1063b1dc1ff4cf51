//! Where the output of a command goes: to the screen, into a file, or to a program that uses it.

use crate::environment::{code, has_letter};
use crate::harmless::{counts, picks_harmless};
use crate::held::{is_kept_and_shown, is_reading, is_shown_later};
use crate::lines::{Lines, passed_on, written};
use crate::outputs::{PRINTERS, is_diverted, is_written, prints_input};
use crate::quiet::shows_names;
use crate::reads::{copies_to_output, is_quiet};
use hookbox_policy::{Command, Names, Word, options};
use hookbox_secrets::is_secret_name;

/// Programs that repeat all of their input, possibly in another encoding.
#[rustfmt::skip] // Many names to a line.
static SPELLERS: Names = Names::new(&[
    "base64", "base32", "basenc", "bzip2", "cat", "fold", "gzip", "hd", "hexdump", "iconv", "less", "more", "od", "pv",
    "rev", "tac", "tr", "xxd", "xz", "zstd",
]);

/// Programs that repeat parts of their input.
#[rustfmt::skip] // Many names to a line.
static FILTERS: Names = Names::new(&[
    "awk", "bat", "column", "cut", "egrep", "envsubst", "expand", "fgrep", "fmt", "gawk", "gojq", "grep", "gsed", "head", "jaq", "jq",
    "mawk", "nawk", "nl", "openssl", "paste", "pr", "rg", "sed", "sort", "strings", "tail", "tee", "uniq", "yq",
]);

/// Words of code that prints something.
pub(crate) const PRINTS: &[&str] = &[
    "print",
    "console.log",
    "puts",
    "p ",
    "p(ENV",
    "echo",
    "var_dump",
    "stdout",
    "stderr",
    "os.write",
    "writeSync",
    "dump",
    "=>",
    "json",
    "pp",
    "phpinfo",
    "say ",
    "warn ",
    "die ",
    "princ",
    "parray",
];

/// The number of characters of a secret that may be shown, to tell which one it is.
const FEW: u8 = 10;

/// The maximum number of commands that are followed from a command through those that read its output.
const MAX_READERS: usize = 64;

/// Whether a count of characters is so small that they reveal little of a secret.
pub(crate) fn is_few(count: &str) -> bool {
    count.bytes().all(|byte| byte.is_ascii_digit()) && count.parse::<u8>().is_ok_and(|count| count <= FEW)
}

/// Whether the output of a command that lists all variables is shown: directly, or by the commands that read it.
pub(crate) fn shows(index: usize, commands: &[Command]) -> bool {
    let listed = commands.get(index).map_or(Lines::Mixed, written);
    let passes = |_: usize, reader: &Command, lines: Lines| (!hides(reader, lines)).then(|| passed_on(reader, lines));
    is_seen_as(index, listed, commands, passes)
}

pub(crate) fn readers<'c>(index: usize, commands: &'c [Command]) -> impl Iterator<Item = usize> + use<'c> {
    commands
        .iter()
        .enumerate()
        .filter(move |(_, command)| command.facts.reads_from.contains(&index))
        .map(|(reader, _)| reader)
}

pub(crate) fn is_read(index: usize, commands: &[Command]) -> bool {
    readers(index, commands).next().is_some()
}

/// Whether readers pass the output of a command on to one whose output no other command reads.
fn is_seen(from: usize, commands: &[Command], passes: impl Fn(usize, &Command) -> bool) -> bool {
    is_seen_as(from, (), commands, |at, reader, ()| passes(at, reader).then_some(()))
}

/// Whether readers pass the output of a command on, as [`is_seen`] does. `form` is what the output looks like; each
/// reader that passes it on returns what it looks like then.
fn is_seen_as<F: Copy>(
    from: usize,
    form: F,
    commands: &[Command],
    passes: impl Fn(usize, &Command, F) -> Option<F>,
) -> bool {
    let (mut seen, mut at) = (vec![(from, form)], 0);
    while let Some((index, form)) = seen.get(at).copied() {
        at += 1;
        let mut next = readers(index, commands).peekable();
        if next.peek().is_none() || at > MAX_READERS || shows_aside(index, commands) {
            return true;
        }
        for reader in next {
            let is_new = seen.iter().all(|(other, _)| *other != reader);
            let passed = commands.get(reader).filter(|_| is_new).and_then(|command| passes(reader, command, form));
            seen.extend(passed.map(|form| (reader, form)));
        }
    }
    false
}

/// Whether a command outputs something past the commands that read its output: `env >&2 | wc -l`, `tee /dev/tty`.
fn shows_aside(index: usize, commands: &[Command]) -> bool {
    let Some(command) = commands.get(index) else { return true };
    copies_aside(command)
        || command.facts.text.contains(">&2")
        || is_any_around(command, reader_runs_in(index, commands), commands, is_diverted)
}

/// Whether `tee` copies its input to the terminal or to a program.
fn copies_aside(command: &Command) -> bool {
    let is_program = |word: &Word| word.raw().starts_with(">(");
    command.name == "tee" && (copies_to_output(command) || command.args().iter().any(is_program))
}

/// Returns the command that runs the reader of another one. What is around both changes nothing between them.
fn reader_runs_in(index: usize, commands: &[Command]) -> Option<usize> {
    readers(index, commands).next().and_then(|reader| commands.get(reader)).and_then(|reader| reader.facts.parent)
}

/// Whether other commands read the output of a command and show it, in parts or in another encoding.
pub(crate) fn is_passed_on(index: usize, commands: &[Command]) -> bool {
    let passes = |at: usize, reader: &Command| {
        // A substitution passes its part of a secret to the command around it, and does not show it.
        let is_part = is_filter(reader) && !is_captured(reader, commands);
        (is_part || spells(reader)) && !is_in_file(reader, commands)
            || copies_aside(reader)
            || is_reading(reader) && is_shown_later(at, "", commands)
    };
    let is_value = || commands.get(index).is_some_and(prints_value) && is_taken_for_names(index, commands);
    is_read(index, commands) && (is_value() || is_seen(index, commands, passes))
}

/// Whether what a program prints on request is a single value without a name, by the words for it: `gh auth token`.
fn prints_value(command: &Command) -> bool {
    command.args().iter().any(|word| word.text().ends_with("token") || word.text().ends_with("password"))
}

/// Whether the output of a command is shown, by itself or by the commands that read it.
pub(crate) fn is_visible(index: usize, commands: &[Command]) -> bool {
    let passes = |_: usize, reader: &Command| {
        (is_filter(reader) || spells(reader)) && !is_in_file(reader, commands) || copies_aside(reader)
    };
    commands.get(index).is_some_and(|command| !is_in_file(command, commands)) && is_seen(index, commands, passes)
}

/// Whether a command repeats all of its input, possibly in another encoding.
pub(crate) fn spells(command: &Command) -> bool {
    let is_dd = command.name == "dd" && !command.args().iter().any(|word| word.text().starts_with("of="));
    is_dd || SPELLERS.contains(command.name)
}

/// Whether a reader that would show only names shows a secret, because the output is a single value without a name:
/// `echo $KEY | cut -d= -f1`.
pub(crate) fn is_taken_for_names(index: usize, commands: &[Command]) -> bool {
    let mut readers = readers(index, commands).filter_map(|reader| commands.get(reader));
    readers.any(|reader| shows_names(reader) && !is_captured(reader, commands) && !is_in_file(reader, commands))
}

/// Whether other commands read the output of a command and repeat all of it, or pick a secret from it by its name.
pub(crate) fn is_repeated(index: usize, commands: &[Command]) -> bool {
    is_read(index, commands)
        && is_seen(index, commands, |_, reader| {
            let is_part = is_filter(reader) && reader.args().iter().any(names_secret);
            (is_part || spells(reader)) && !is_in_file(reader, commands)
        })
}

/// Whether a filter contains the name of a secret.
fn names_secret(word: &Word) -> bool {
    let mut names = word.text().split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    names.any(|name| is_secret_name(name) || is_secret_name(&name.to_uppercase()))
}

/// Whether the output of a command goes into a file, by its own redirection or by one of the command that runs it.
pub(crate) fn is_in_file(command: &Command, commands: &[Command]) -> bool {
    is_any_around(command, None, commands, is_written)
}

/// Whether this is true for a command or for one that runs it inside of `outer`, whose redirections apply to both.
fn is_any_around(
    command: &Command,
    outer: Option<usize>,
    commands: &[Command],
    is_so: impl Fn(&Command) -> bool,
) -> bool {
    let mut next = Some(command);
    for _ in 0..=commands.len() {
        let Some(command) = next else { return false };
        if is_so(command) {
            return true;
        }
        let is_own = matches!(command.facts.via.as_deref(), Some("substitution" | "heredoc"));
        if is_own || command.facts.parent == outer {
            return false;
        }
        next = command.facts.parent.and_then(|parent| commands.get(parent));
    }
    false
}

/// Whether the output of a command becomes a word of another one that neither prints it nor keeps it for one that does.
pub(crate) fn is_captured(command: &Command, commands: &[Command]) -> bool {
    is_word(command, commands) && !is_kept_and_shown(command, commands)
}

/// Whether the output of a command becomes a word of another one that does not print it.
pub(crate) fn is_word(command: &Command, commands: &[Command]) -> bool {
    const COMPARERS: [&str; 3] = ["diff", "sdiff", "comm"];
    let is_substituted = |command: &Command| command.facts.via.as_deref() == Some("substitution");
    let repeats = |reader: usize| commands.get(reader).is_some_and(spells);
    let is_file = |word: &Word| word.raw().starts_with("<(") && word.raw().contains(command.facts.text.as_str());
    let shows = |taker: &Command| {
        PRINTERS.contains(&taker.name)
            || (is_showing_input(taker) || COMPARERS.contains(&taker.name))
                && !is_quiet(taker)
                && taker.args().iter().any(is_file)
    };
    let prints = |at: usize| {
        commands.get(at).is_some_and(|taker| shows(taker) && !is_substituted(taker) && !is_in_file(taker, commands))
            && readers(at, commands).all(repeats)
    };
    // In `read T < <(…)`, it is an input instead. In a loop, it belongs to no command.
    let is_input = |reader: usize| match command.facts.parent {
        Some(parent) => reader == parent,
        None => !commands.get(reader).is_some_and(is_substituted),
    };
    let at = || commands.iter().position(|other| std::ptr::eq(other, command));
    is_substituted(command)
        && !command.facts.parent.is_some_and(prints)
        && !at().is_some_and(|at| readers(at, commands).any(is_input))
}

/// Whether a command shows a text that it gets as its input.
pub(crate) fn is_showing_input(command: &Command) -> bool {
    spells(command) || is_filter(command) || shows_names(command)
}

/// Whether a program repeats more of its input than counts, names or a few characters.
fn is_filter(command: &Command) -> bool {
    let args = || command.args().iter().map(Word::text);
    match command.name {
        "jq" | "jaq" | "gojq" | "yq" => !args().any(is_for_names),
        "head" | "tail" | "cut" => !is_quiet(command) && !picks_few(command),
        "sed" | "gsed" => !is_quiet(command) && !args().any(masks),
        // With this option, the code changes each line that is then printed.
        "perl" | "ruby" if args().any(|word| has_letter(&[word], 'p', "eEIFMmr")) => !args().any(masks),
        "awk" | "gawk" | "mawk" | "nawk" => {
            !is_quiet(command) && !args().any(|program| program.contains("length") || program.contains("substr"))
        }
        // Without a command, it runs `echo`.
        "xargs" => {
            args().all(|word| word.starts_with('-'))
                || args().any(|word| matches!(word.split(' ').next(), Some("echo" | "printf")))
        }
        name if FILTERS.contains(name) => !is_quiet(command),
        name => code(name, command).map_or_else(
            || name.starts_with("python") && args().any(|word| word == "json.tool"),
            |code| PRINTS.iter().any(|word| code.contains(word)) && !code.contains("len(") && !code.contains("length"),
        ),
    }
}

/// Whether a script masks what it replaces.
fn masks(script: &str) -> bool {
    const MASKS: [&str; 7] = ["**", "...", "REDACTED", "redacted", "s/./", "*@", "+@"];
    // These only add something to a line.
    const ADDS: [&str; 4] = ["s/^/", "s/$/", "s/(.*)/", r"s/\(.*\)/"];
    let has = |words: &[&str]| words.iter().any(|word| script.contains(word));
    has(&MASKS) && !has(&ADDS) && !script.split('/').nth(2).is_some_and(|replacement| replacement.contains('&'))
}

/// Whether a filter of `jq` outputs names, a count, or metadata.
fn is_for_names(filter: &str) -> bool {
    let last = filter.rsplit('|').next().unwrap_or_default().trim();
    let path = last.strip_prefix(".items[]").unwrap_or(last);
    matches!(last, "keys" | "keys[]" | "keys_unsorted" | "keys_unsorted[]" | "length")
        || path.starts_with(".metadata.") && !path.contains([',', '(', ' ']) && !path.contains("annotations")
}

/// Whether a program outputs only the first or last few characters: `head -c4`, `cut -c1-4`.
fn picks_few(command: &Command) -> bool {
    const COUNTS: [&str; 4] = ["-b", "-c", "--bytes", "--characters"];
    let given = options(command.args(), &COUNTS);
    // Another option may choose other parts, or lines.
    let is_only = given.options.iter().all(|option| COUNTS.contains(&option.name.as_str()));
    given.value(&COUNTS).is_some_and(|count| {
        let count = count.text();
        let last = if command.name == "cut" { count.rsplit('-').next().unwrap_or_default() } else { count };
        is_only && is_few(last) && !count.contains(',')
    })
}

/// Whether a filter lets through only names, numbers or harmless variables of a list that is written like this.
fn hides(command: &Command, lines: Lines) -> bool {
    let is_for_names = || lines == Lines::Named && shows_names(command);
    match command.name {
        "wc" | "md5sum" | "sha256sum" => !prints_input(command),
        "grep" | "egrep" | "rg" | "ag" => {
            counts(command) || lines != Lines::Mixed && picks_harmless(command) || is_for_names()
        }
        _ => is_for_names(),
    }
}

/// Whether only names and numbers of a file that a command outputs are shown: `grep -v '^#' .env | cut -d= -f1`.
pub(crate) fn is_cut_to_names(index: usize, commands: &[Command], text: Option<&str>) -> bool {
    let (Some(command), Some(text)) = (commands.get(index), text) else { return false };
    // The redirection of a group to a descriptor belongs to no command: `{ cat .env; } >&2 | cut -d= -f1`.
    if text.replace("2>&1", "").contains(">&") {
        return false;
    }
    // Other programs may write elsewhere, too.
    let is_plain = matches!(command.name, "cat" | "grep" | "egrep" | "head" | "tail");
    let is_moved = |command: &Command| {
        let is_output =
            command.facts.redirects.iter().any(|redirect| redirect.op.contains('>') && redirect.fd != Some(2));
        is_output || command.facts.text.replace("2>", "").contains('>')
    };
    let is_around = |group: &Command| {
        group.name.is_empty() && group.words.is_empty() && group.facts.text.contains(command.facts.text.as_str())
    };
    let names = |reader: usize| {
        commands.get(reader).is_some_and(|reader| shows_names(reader) || reader.name == "wc" && !prints_input(reader))
    };
    is_plain
        && is_read(index, commands)
        && readers(index, commands).all(names)
        && !is_moved(command)
        && !is_any_around(command, reader_runs_in(index, commands), commands, |command| {
            is_written(command) || is_diverted(command)
        })
        && !commands.iter().any(|group| is_around(group) && is_moved(group))
}
