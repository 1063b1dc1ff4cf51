//! Variables that `env` takes from a file: `env $(grep -v '^#' .env | xargs) ./server`.

use crate::names::Names;
use hookbox_policy::{Command, Program, UNKNOWN, Word, options, program};
use hookbox_sdk::{ShellAssignment, ShellFile};

/// Programs that may read from a pipe, and do not run what they read.
const FILTERS: &[&str] = &["cat", "egrep", "fgrep", "grep", "head", "jq", "less", "sort", "tail", "tee", "uniq", "wc"];

/// The options of `xargs` with a value.
const XARGS: &[&str] = &["-L", "-a", "-d", "-n", "-s", "--arg-file", "--delimiter", "--max-args", "--max-lines"];

/// Whether this is a note of hookbox about a command that begins with the output of another one, and with nothing else
/// that is hidden: `$(cat .env)$CMD` may run `$CMD`.
pub(crate) fn is_of_output(note: &str) -> bool {
    let word = note.strip_prefix("which program `").and_then(|rest| rest.strip_suffix("` is"));
    let is_whole = |word: &str| {
        let is_output = word.starts_with("$(") && word.ends_with(')') || word.starts_with('`') && word.ends_with('`');
        let mut names = word
            .split('$')
            .skip(1)
            .filter(|after| after.starts_with(|c: char| c.is_alphanumeric() || "_{@*".contains(c)));
        is_output && names.next().is_none()
    };
    note == "the output of another command" || word.is_some_and(is_whole)
}

/// Whether the only hidden commands are those with which `env` would begin if a file had more than variables. Such a
/// file is as harmless as one that a shell reads (`. ./.env`), unless the same call writes it.
pub(crate) fn only_loads(commands: &[Command<'_>]) -> bool {
    let mut loaded: Vec<&ShellFile> = Vec::new();
    let mut readers = Vec::new();
    for command in commands.iter().filter(|command| is_unseen(command)) {
        let sources = sources(command, commands);
        let is_loaded = command.facts.via.as_deref() == Some("env")
            && command.words.first().is_some_and(|word| word.text().chars().all(|c| c == UNKNOWN))
            && sources.iter().all(|at| prints_variables(*at, commands));
        let before = loaded.len();
        loaded.extend(sources.iter().filter_map(|at| commands.get(*at)).flat_map(|source| &source.facts.files));
        if !is_loaded || loaded.len() == before {
            return false;
        }
        readers.extend(sources);
    }
    let is_known =
        |(at, command): (usize, &Command<'_>)| readers.contains(&at) || is_unseen(command) || is_seen(command);
    let mut changed = commands.iter().flat_map(|command| &command.facts.files).filter(|file| file.access.changes());
    !loaded.is_empty()
        && commands.iter().enumerate().all(is_known)
        && changed.all(|changed| !loaded.iter().any(|file| may_be(changed, file)))
}

/// Whether a command begins with a word that is known only when it runs.
fn is_unseen(command: &Command<'_>) -> bool {
    command.name.is_empty() && command.words.first().is_some_and(Word::is_unknown)
}

/// Returns the indices of the commands in substitutions among the words of the `env` that runs a command.
fn sources(command: &Command<'_>, all: &[Command<'_>]) -> Vec<usize> {
    let mut above = Vec::new();
    let mut next = command.facts.parent;
    while let Some(by) = next.filter(|_| above.len() < 64) {
        above.push(by);
        next = all.get(by).and_then(|by| by.facts.parent);
    }
    let is_source = |other: &Command<'_>| {
        other.facts.via.as_deref() == Some("substitution") && other.facts.parent.is_some_and(|by| above.contains(&by))
    };
    all.iter().enumerate().filter(|(_, other)| is_source(other)).map(|(at, _)| at).collect()
}

/// Whether a command prints what is in a file of variables, or passes it on.
fn prints_variables(at: usize, all: &[Command<'_>]) -> bool {
    let Some(command) = all.get(at) else { return false };
    let files = &command.facts.files;
    let is_of_variables = |file: &ShellFile| match file.path.known() {
        Some(path) if file.access.changes() => path == "/dev/null",
        path => path.is_some_and(|path| Names::new(path).last().contains("env")),
    };
    let args = command.args();
    let is_plain = match command.name {
        // This is `$(< .env)`.
        "" => command.words.is_empty(),
        "cat" => true,
        // With `-o`, `grep` prints parts of lines.
        "egrep" | "fgrep" | "grep" => !options(args, &["-e", "-f", "-m"]).has(&["-o", "--only-matching"]),
        "sed" => is_filter_of_sed(args),
        "tr" => only_joins(args),
        "xargs" => options(args, XARGS).operands.is_empty(),
        _ => false,
    };
    let runs_nothing = !all.iter().any(|other| other.facts.parent == Some(at));
    is_plain
        && runs_nothing
        && command.facts.stdin.is_none()
        && files.iter().all(is_of_variables)
        && (!files.is_empty() || !command.facts.reads_from.is_empty())
}

/// Whether `tr` only removes characters, or replaces the ends of lines by spaces.
fn only_joins(args: &[Word]) -> bool {
    let texts: Vec<&str> = args.iter().map(Word::text).collect();
    matches!(texts.as_slice(), ["-d" | "--delete", _] | ["\\n", " "])
}

/// Whether `sed` only removes lines and parts of lines.
fn is_filter_of_sed(args: &[Word]) -> bool {
    const SCRIPTS: &[&str] = &["-e", "--expression"];
    let given = options(args, SCRIPTS);
    let is_plain = |name: &str| matches!(name, "-E" | "-e" | "-r" | "--expression" | "--regexp-extended");
    let own = given.operands.iter().take(usize::from(!given.has(SCRIPTS)));
    given.options.iter().all(|option| is_plain(&option.name))
        && given.values(SCRIPTS).chain(own).all(|script| only_removes(script.text()))
}

/// Whether a program of `sed` only removes lines and parts of lines: `/^#/d`, `s/#.*//`.
fn only_removes(script: &str) -> bool {
    let removes = |command: &str| match command.strip_prefix("s/") {
        Some(rest) => {
            let mut parts = rest.split('/');
            let (_, to, flags) = (parts.next(), parts.next(), parts.next());
            to == Some("") && matches!(flags, Some("" | "g")) && parts.next().is_none()
        }
        None => {
            let pattern = command.strip_prefix('/').and_then(|rest| rest.strip_suffix("/d"));
            pattern.is_some_and(|pattern| !pattern.contains('/'))
        }
    };
    !script.contains('\n') && script.split(';').map(str::trim).all(removes)
}

/// Whether a command surely runs nothing that it reads.
fn is_seen(command: &Command<'_>) -> bool {
    let has_pipe = !command.facts.reads_from.is_empty() || command.facts.stdin.is_some();
    let runs_known = match program(command) {
        Program::Nothing => !has_pipe || FILTERS.contains(&command.name),
        Program::Code(word) | Program::File(word) => !word.is_unknown(),
        Program::Input => false,
    };
    // A shell reads the file in `BASH_ENV`, which may be the output of another command.
    let is_hidden = |set: &ShellAssignment| Word::from(&set.value).text().starts_with(UNKNOWN);
    runs_known && !command.facts.assignments.iter().any(is_hidden)
}

/// Whether a file that a command changes may be this one, or have it inside.
fn may_be(changed: &ShellFile, file: &ShellFile) -> bool {
    let (Some(changed), Some(file)) = (changed.path.known(), file.path.known()) else { return true };
    let (changed, file) = (Names::new(changed), Names::new(file));
    changed.last() == file.last() || !changed.all.is_empty() && file.is_in(&changed)
}

#[cfg(test)]
mod tests {
    use super::only_removes;

    #[test]
    fn a_program_of_sed_that_only_removes() {
        for script in ["/^#/d", "s/#.*//", "s/\"//g", "/^#/d; s/ *$//", "/^$/d;/^#/d"] {
            assert!(only_removes(script), "{script}");
        }
        for script in [
            "",
            "p",
            "s/a/b/",
            "s/a//e",
            "s/a//w x",
            "s|a|b|",
            "1d",
            "/a/r x",
            "s/a//;s/^/rm /",
            "1i rm",
            "/a/s/x/rm /w/d",
            "/^#/d\ns/^/rm /",
        ] {
            assert!(!only_removes(script), "{script}");
        }
    }
}
