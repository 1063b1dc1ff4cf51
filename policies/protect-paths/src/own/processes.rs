//! Commands that end hookbox, by its name or by what finds its processes.

use super::looks_it_up;
use crate::code::language;
use hookbox_policy::{Command, Findings, Word};
use hookbox_sdk::Access;

/// Programs that end processes.
const KILLERS: &[&str] = &["kill", "killall", "killall5", "pkill", "skill", "taskkill", "xkill"];

/// Programs that list processes.
const LISTERS: &[&str] = &["fuser", "lsof", "pgrep", "pidof", "procs", "ps", "pstree", "top"];

/// Programs that search texts or processes for patterns in their arguments.
const SEARCHERS: &[&str] = &["ack", "ag", "egrep", "fgrep", "grep", "pgrep", "procs", "rg", "ugrep"];

/// Programs whose arguments hold patterns among other code.
const SCRIPTED: &[&str] = &["awk", "gawk", "gsed", "mawk", "nawk", "perl", "ruby", "sed"];

/// Words by which code ends a process.
const ENDS: &[&str] = &["kill", "killall", "killpg", "pkill", "send_signal", "taskkill", "terminate"];

/// Files in `/proc` that tell the name of a process.
const TELLING: &[&str] = &["cmdline", "comm", "exe", "stat", "status"];

/// Variables of the shell that no search for processes sets.
const OWN: &[&str] = &["$!", "${!}", "$$"];

/// How many commands a call may have for the ways of their outputs to be followed.
const MAX_COMMANDS: usize = 256;

/// Judges a command that ends processes. `text` is the text of the call.
pub(super) fn judge(command: &Command<'_>, all: &[Command<'_>], text: Option<&str>, found: &mut Findings) {
    let is_kill = |word: &Word| {
        let letters = word.text().strip_prefix('-').filter(|letters| !letters.starts_with('-'));
        word.text() == "--kill" || letters.is_some_and(|letters| letters.contains('k'))
    };
    let kills = KILLERS.contains(&command.name) || command.name == "fuser" && command.args().iter().any(is_kill);
    if kills && ends_it(command, all, text) {
        found.deny(format!("{} ends hookbox, which checks what agents do; leave it running", command.quote()));
    } else if language(command.name).is_some() && is_code_that_ends_it(command) {
        found.ask(format!("{} may end hookbox; is that meant?", command.quote()));
    }
}

fn ends_it(command: &Command<'_>, all: &[Command<'_>], text: Option<&str>) -> bool {
    let is_all = match command.name {
        "killall5" => true,
        // After a signal or another process, `-1` stands for all processes.
        "kill" => command.args().iter().skip(1).any(|word| word.text() == "-1"),
        "pkill" => command.args().iter().any(negates),
        _ => false,
    };
    let is_open = |word: &Word| word.known().is_none() && !OWN.contains(&word.raw().trim_matches('"'));
    let is_found = || {
        let finds = |(at, other): (usize, &Command<'_>)| {
            LISTERS.contains(&other.name) && names_it(other) || has_its_number(other) || picks_it(at, all)
        };
        // The patterns of `case` and the words of `[[` belong to no command.
        let is_mentioned = || text.is_some_and(mentions_it) || all.iter().any(|other| mentions_it(&other.facts.text));
        all.iter().enumerate().any(finds) || all.iter().any(reads_name) && is_mentioned()
    };
    is_all
        || names_it(command)
        || command.name == "fuser" && looks_it_up(command)
        || command.args().iter().any(is_open) && is_found()
}

/// Whether an option of `pkill` negates its pattern, alone or among others without a value: `-fv`.
fn negates(word: &Word) -> bool {
    let is_flags = |letters: &str| letters.contains('v') && letters.chars().all(|c| "afilnoqvx".contains(c));
    word.text() == "--inverse" || word.text().strip_prefix('-').is_some_and(is_flags)
}

/// Whether a command may read the name of a process: `cat "$p/comm"`.
fn reads_name(command: &Command<'_>) -> bool {
    let is_telling = |path: &str| {
        let Some((dir, file)) = path.trim_matches('"').rsplit_once('/') else { return false };
        TELLING.contains(&file) && (dir.starts_with("/proc/") || dir.starts_with(['$', '[', '*']))
    };
    let mut files = command.facts.files.iter().filter(|file| file.access == Access::Read);
    files.any(|file| is_telling(file.path.written())) || command.args().iter().any(|word| is_telling(word.raw()))
}

fn mentions_it(text: &str) -> bool {
    text.to_ascii_lowercase().contains("hookbox")
}

fn names_it(command: &Command<'_>) -> bool {
    command.args().iter().any(|word| finds_it(command.name, word))
}

/// Whether a command reads the file in which hookbox keeps the number of its process.
fn has_its_number(command: &Command<'_>) -> bool {
    let is_it =
        |path: &str| path.contains("hookbox") && path.rsplit('/').next().is_some_and(|name| name.contains("pid"));
    command.facts.files.iter().any(|file| file.access == Access::Read && is_it(file.path.written()))
}

/// Whether a command picks hookbox out of a list of processes: `ps aux | awk '/hookbox/'`.
fn picks_it(at: usize, all: &[Command<'_>]) -> bool {
    let Some(command) = all.get(at) else { return false };
    let passes_all_on = matches!(command.name, "gxargs" | "parallel" | "tee" | "xargs");
    let is_of_system = |path: &str| path.starts_with("/proc/");
    let reads = || {
        !command.facts.reads_from.is_empty()
            || SEARCHERS.contains(&command.name)
            || command.facts.files.iter().any(|file| is_of_system(file.path.written()))
    };
    !passes_all_on && reads() && names_it(command) && is_used(at, all)
}

/// Whether another command may get what this one prints.
fn is_used(at: usize, all: &[Command<'_>]) -> bool {
    if all.len() > MAX_COMMANDS {
        return true;
    }
    let mut next = Some(at);
    while let Some((at, command)) = next.and_then(|at| Some((at, all.get(at)?))) {
        let via = command.facts.via.as_deref().unwrap_or_default();
        if matches!(via, "alias" | "function" | "heredoc" | "substitution" | "variable")
            || command.facts.function.is_some()
            || all.iter().any(|other| other.facts.reads_from.contains(&at))
        {
            return true;
        }
        // A command that runs others comes before them.
        next = command.facts.parent.filter(|parent| *parent < at);
    }
    // Another command may read the file later.
    let mut files = all.iter().flat_map(|command| &command.facts.files);
    files.any(|file| file.access.changes() && file.path.known() != Some("/dev/null"))
}

/// Whether an argument of a program that looks for processes is the name of hookbox or a pattern that matches it.
fn finds_it(program: &str, word: &Word) -> bool {
    let text = word.raw().to_ascii_lowercase();
    // A class of one character is that character: `[h]ookbox`.
    if text.contains("hookbox") || text.replace(['[', ']', '(', ')', '\\'], "").contains("hookbox") {
        return true;
    }
    let is_part = |piece: &str, least: usize| "hookbox".contains(piece) && piece.len() >= least;
    if SCRIPTED.contains(&program) {
        // The patterns are between slashes or quotes: `$4 ~ /^hook/`.
        let is_pattern =
            |text: &str| pieces(text).any(|piece| is_part(piece, 3)) && pieces(text).all(|piece| is_part(piece, 1));
        return text.split(['/', '"', '\'']).any(is_pattern);
    }
    // A pattern matches a name that contains it: `pkill hook`, `killall -r 'h.*x'`.
    let takes_pattern = matches!(program, "pkill" | "killall" | "skill") || SEARCHERS.contains(&program);
    let has_signs = word.known().is_some() && text.contains(['.', '*', '+', '?', '[', '^', '$']);
    // `pkill .` matches every name.
    let is_any = matches!(program, "pkill" | "killall" | "skill") && has_signs;
    let least = if has_signs { 1 } else { 2 };
    takes_pattern
        && !text.starts_with('-')
        && (is_any || pieces(&text).next().is_some())
        && pieces(&text).all(|piece| is_part(piece, least))
}

/// Returns the letters and digits of a pattern that stand together.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|piece| !piece.is_empty())
}

/// Whether an interpreter gets code that names hookbox and ends processes.
fn is_code_that_ends_it(command: &Command<'_>) -> bool {
    let stdin = command.facts.stdin.as_ref().map(Word::from);
    command.args().iter().chain(&stdin).any(|word| {
        let text = word.text().to_ascii_lowercase();
        let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        text.contains("hookbox") && words.any(|word| ENDS.contains(&word))
    })
}
