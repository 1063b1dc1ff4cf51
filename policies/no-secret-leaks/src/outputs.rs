//! Other ways to print a file than a program for it: a loop, a group, a shell that repeats what it runs.

use crate::listed::{SHOWING, is_shell, is_showing};
use hookbox_policy::{Command, Word};
use hookbox_sdk::{Access, ShellRedirect, ShellWord};

/// Programs that print the words or the input that they get.
pub(crate) const PRINTERS: [&str; 4] = ["echo", "printf", "print", "cat"];

/// Programs whose error messages contain the names of files that do not exist.
const COMPLAINING: [&str; 12] = ["ls", "stat", "file", "wc", "du", "cd", "find", "head", "tail", "tac", "less", "nl"];

/// Whether a file is printed although no program reads it: `echo "$(<.env)"`, `while read l; do echo "$l"; done <
/// .env`, `{ cat; } < .env`. A word that is not a file appears in an error message: `ls $(<.env)`.
pub(crate) fn is_printed(command: &Command, parent: Option<&Command>) -> bool {
    let by_parent = parent.is_some_and(|parent| PRINTERS.contains(&parent.name) || COMPLAINING.contains(&parent.name));
    let text = command.facts.text.trim_start();
    let is_loop = ["while ", "until ", "for ", "if "].iter().any(|word| text.starts_with(word));
    let is_group = text.starts_with(['{', '(']);
    let mut words = text.split(|c: char| c.is_whitespace() || ";()".contains(c));
    by_parent
        || (is_loop || is_group) && words.any(|word| PRINTERS.contains(&word) || is_group && SHOWING.contains(&word))
}

/// Whether a program that otherwise uses a file prints it, because of an option, of the commands that it runs, or of
/// the shell that runs it.
pub(crate) fn is_told_to_print(index: usize, commands: &[Command]) -> bool {
    let Some(command) = commands.get(index) else { return false };
    prints_input(command)
        || passes_input(index, command, commands)
        || matches!(command.name, "source" | ".") && is_traced(index, commands)
}

/// What the target of a redirection begins with if it is no file: the terminal, another descriptor, or a program.
const SHOWN: [&str; 8] =
    ["/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/pts/", "/dev/fd/", "/proc/self/fd/", "//dev/", ">("];

/// Whether the output of a command goes into a file, rather than to the terminal, another descriptor or a program.
pub(crate) fn is_written(command: &Command) -> bool {
    output(command).is_some_and(|redirect| redirect.target.as_ref().is_none_or(|target| !is_shown(target)))
}

/// Whether a redirection takes the output of a command to the terminal, another descriptor or a program, although a pipe
/// follows: `f >/dev/tty | wc -l`. A redirection to a descriptor is only in the text.
pub(crate) fn is_diverted(command: &Command) -> bool {
    output(command).is_some_and(|redirect| redirect.target.as_ref().is_some_and(is_shown))
        || command.facts.text.trim_end().ends_with(">&2")
}

/// Returns the redirection of a command's output. Each one replaces the one before it.
fn output<'c>(command: &'c Command) -> Option<&'c ShellRedirect> {
    let is_output = |redirect: &&ShellRedirect| {
        redirect.op.contains('>') && redirect.op != "<>" && matches!(redirect.fd, None | Some(1))
    };
    command.facts.redirects.iter().rfind(is_output)
}

fn is_shown(target: &ShellWord) -> bool {
    SHOWN.iter().any(|shown| target.written().starts_with(shown))
}

/// Whether a shell passes its input to a command that prints it: `bash -c 'while read l; do echo $l; done' < .env`.
fn passes_input(index: usize, shell: &Command, commands: &[Command]) -> bool {
    let is_input = shell.facts.redirects.iter().any(|redirect| redirect.access == Some(Access::Read));
    let runs = |child: &Command| child.facts.parent == Some(index) && child.facts.via.as_deref() == Some(shell.name);
    let shows = |child: &Command| PRINTERS.contains(&child.name) || is_showing(child);
    is_input && is_shell(shell.name) && commands.iter().any(|child| runs(child) && shows(child))
}

/// Returns the copies that a command makes.
pub(crate) fn copied<'c>(command: &'c Command) -> impl Iterator<Item = Word> + use<'c> {
    let files = command.facts.files.iter().filter(|file| file.access.changes() && file.access != Access::Delete);
    files.map(|file| Word::from(&file.path))
}

/// Whether a shell repeats a command with the values in it, or each line of a script that it sources:
/// `set -x; source .env`, `bash -xc '. ./.env'`.
pub(crate) fn is_traced(index: usize, commands: &[Command]) -> bool {
    let Some(command) = commands.get(index) else { return false };
    let by_shell = command.facts.parent.and_then(|parent| commands.get(parent));
    let before =
        commands.iter().take(index).filter(|set| set.name == "set" && set.facts.parent == command.facts.parent);
    by_shell.is_some_and(|shell| is_shell(shell.name) && prints_input(shell))
        || before.filter_map(sets_trace).next_back() == Some(true)
}

/// Returns whether `set` switches the tracing of commands on or off, or `None` if it does neither.
fn sets_trace(set: &Command) -> Option<bool> {
    let before = set.words.iter().map(Word::text);
    let mut traces = before.zip(set.args()).filter_map(|(before, word)| {
        let text = word.text();
        let is_named = before.ends_with('o') && matches!(text, "xtrace" | "verbose");
        let is_letter = !is_named && text.starts_with(['-', '+']) && text.contains(['x', 'v']);
        let sign = if is_named { before } else { text };
        (is_named || is_letter).then(|| sign.starts_with('-'))
    });
    traces.next_back()
}

/// Whether a program that otherwise uses a file prints it because of an option.
pub(crate) fn prints_input(command: &Command) -> bool {
    let args = || command.args().iter().map(Word::text);
    // After one of these letters, the rest is a value.
    let has_letter = |letters: &[char]| {
        let mut shorts = args().filter_map(|word| word.strip_prefix('-'));
        shorts.any(|short| short.chars().take_while(|c| !"-ei".contains(*c)).any(|c| letters.contains(&c)))
    };
    let has = |long: &str| {
        let mut names = args().map(|word| word.split_once('=').map_or(word, |(name, _)| name));
        names.any(|name| name.len() > 2 && long.starts_with(name))
    };
    match command.name {
        name if is_shell(name) => repeats_lines(command),
        "cmp" => has_letter(&['b', 'l']) || has("--verbose") || has("--print-bytes"),
        // A program that reads names from a file prints each name in an error message if no such file exists.
        "wc" | "du" => has("--files0-from"),
        "file" => has_letter(&['f']) || has("--files-from"),
        _ => false,
    }
}

/// Whether the options of a shell, which come before its other words, make it repeat each line.
fn repeats_lines(shell: &Command) -> bool {
    let mut before = "";
    for text in shell.args().iter().map(Word::text) {
        let last = std::mem::replace(&mut before, text);
        let is_long = last.starts_with("--");
        let is_named = !is_long && last.starts_with(['-', '+']) && last.ends_with(['o', 'O']);
        if is_named || matches!(last, "--rcfile" | "--init-file") {
            if is_named && last.starts_with('-') && matches!(text, "verbose" | "xtrace") {
                return true;
            }
            // This value is not an option, even if it looks like one.
            before = "";
            continue;
        }
        let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
        if matches!(text, "--verbose" | "--xtrace") || letters.is_some_and(|letters| letters.contains(['v', 'x'])) {
            return true;
        }
        if !text.starts_with(['-', '+']) || matches!(text, "-" | "--") {
            return false;
        }
    }
    false
}
