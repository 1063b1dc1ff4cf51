//! Files that `find` or `fd` passes to a command that changes them. The names that are searched for tell which files
//! those are.

use crate::fd::Fd;
use crate::languages::PROGRAMS;
use crate::names::Names;
use crate::regex;
use crate::rules::{Target, Verdict};
use crate::shell::Judge;
use crate::unlisted::{USERS, is_only_read};
use hookbox_policy::{Command, UNKNOWN, Word, unlisted_words};
use hookbox_sdk::{Access, ShellFile, ShellPart, ShellWord};

/// The tests of `find` whose value is a pattern for names.
const TESTS: &[&str] =
    &["-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex", "-samefile"];

/// The actions of `find` that run a command in the directory of the file.
const DIRS: &[&str] = &["-execdir", "-okdir"];

/// Programs that print names of files in the project, for `xargs` and loops.
const LISTS: &[&str] = &["fd", "fdfind", "find", "git", "grep", "ls", "rg", "sort", "uniq", "head", "tail"];

/// Common names that are protected in some directories.
const COMMON: &[&str] = &[
    "commit-msg",
    "hooks.json",
    "hooks.toml",
    "mcp.json",
    "post-checkout",
    "post-commit",
    "post-merge",
    "pre-commit",
    "pre-push",
    "settings.json",
    "settings.local.json",
];

/// The directories in which the common names are protected.
const HIDDEN: &[&str] = &[
    ".agents",
    ".claude",
    ".codex",
    ".cursor",
    ".factory",
    ".gemini",
    ".github/hooks",
    ".git/hooks",
    ".hookbox",
    ".qwen",
];

/// Beginnings of the names that a command gives to files where they were found.
const RENAMED: &[&str] = &["${0%", "${0/", "${1%", "${1/"];

/// The same for placeholders of `fd`: the path without its ending, and the directory.
const RENAMED_BY_FD: &[&str] = &["{.}", "{//}/"];

/// Names that are searched for.
pub(crate) struct Wanted {
    /// The pattern as written.
    pub(crate) shown: String,
    /// The pattern as a path with `*`.
    pub(crate) names: String,
}

/// How surely a command changes the files that another one finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    No,
    Possibly,
    Surely,
}

/// Judges the patterns of a `find` or `fd` that deletes, or whose results another command changes.
pub(crate) fn judge(at: usize, command: &Command<'_>, all: &[Command<'_>], judge: &mut Judge<'_>) {
    let fd = match command.name {
        "find" | "gfind" => None,
        "fd" | "fdfind" => Some(Fd::new(command.args())),
        _ => return,
    };
    let starts: Vec<&str> = match &fd {
        Some(fd) => fd.starts().collect(),
        None => starts(command).collect(),
    };
    let deletes = fd.is_none() && command.args().iter().any(|word| word.text() == "-delete");
    let change = if deletes { Change::Surely } else { change(at, &starts, all) };
    if change == Change::No {
        return;
    }
    // These have the directories in which common names are protected.
    let shows_hidden = fd.as_ref().is_none_or(Fd::shows_hidden);
    let is_here = shows_hidden && starts.iter().all(|start| *start == ".");
    let wanted = fd.as_ref().map_or_else(|| of_find(command.args()), Fd::wanted);
    if fd.is_none() && finds_all(command) && rewrites(at, all) {
        ask_about_git(command, judge);
    }
    let look = |judge: &mut Judge<'_>| wanted.iter().for_each(|wanted| look(wanted, command, is_here, judge));
    match change {
        Change::Surely => look(judge),
        _ => judge.possibly(&format!("what {} finds may be changed", command.quote()), look),
    }
}

/// Judges a pattern whose files are changed.
fn look(wanted: &Wanted, command: &Command<'_>, is_here: bool, judge: &mut Judge<'_>) {
    let Wanted { shown, names } = wanted;
    let target = Target {
        names: Names::with_wildcards(names),
        shown: shown.clone(),
        access: Access::Delete,
        place: None,
        keeps_content: false,
    };
    judge.rules.protected(&target).tell(judge.found);
    if is_here && COMMON.contains(&names.as_str()) {
        let hidden = HIDDEN.iter().map(|dir| format!("{dir}/{names}"));
        let mut targets = hidden.map(|shown| Target { names: Names::new(&shown), shown, ..target.clone() });
        if let Some(found) = targets.find(|target| matches!(judge.rules.protected(target), Verdict::Deny(_))) {
            judge.found.ask(format!("{} may find `{}`; name the files", command.quote(), found.shown));
        }
    }
}

/// Whether a `find` finds every file of the working directory: it has no test but `-type f`.
fn finds_all(find: &Command<'_>) -> bool {
    const PLAIN: &[&str] = &[".", "./", "-H", "-L", "-P", "-depth", "-mount", "-type", "-xdev", "f"];
    let is_action = |text: &&str| ["-exec", "-ok", "-print"].iter().any(|action| text.starts_with(*action));
    let mut tests = find.args().iter().map(Word::text).take_while(|text| !is_action(text));
    tests.all(|text| PLAIN.contains(&text))
}

/// Whether a command that gets the files that the one at this position finds gives them other content.
fn rewrites(at: usize, all: &[Command<'_>]) -> bool {
    const KEEPERS: &[&str] = &["chflags", "chgrp", "chmod", "chown", "touch"];
    let is_rewritten = |file: &ShellFile| file.access == Access::Write && file.path.known().is_none();
    all.iter().any(|other| {
        !KEEPERS.contains(&other.name) && other.facts.files.iter().any(is_rewritten) && is_run(other, at, all)
    })
}

/// Asks about a command that changes all that a `find` finds, if git's data is protected.
fn ask_about_git(command: &Command<'_>, judge: &mut Judge<'_>) {
    let shown = ".git/config".to_owned();
    let names = Names::new(&shown);
    let target = Target { names, shown, access: Access::Write, place: None, keeps_content: false };
    if matches!(judge.rules.protected(&target), Verdict::Deny(_)) {
        let instead = "leave it out with `-not -path './.git/*'`, or name the files";
        judge.found.ask(format!("{} finds git's data, too, and changes it; {instead}", command.quote()));
    }
}

/// Returns the patterns for which `find` searches.
fn of_find(words: &[Word]) -> Vec<Wanted> {
    let mut wanted = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let Some(pattern) = words.get(at + 1).filter(|_| TESTS.contains(&word.text())) else {
            continue;
        };
        let is_not = |word: &&Word| matches!(word.text(), "!" | "-not");
        let negations = words.iter().take(at).rev().take_while(is_not).count();
        // Excluded files are safe.
        if negations % 2 == 1 || is_pruned(words, at) {
            continue;
        }
        let shown = pattern.text();
        let is_regex = word.text().ends_with("regex");
        let names = if is_regex { regex::whole(shown) } else { vec![shown.to_owned()] };
        wanted.extend(names.into_iter().map(|names| Wanted { shown: shown.to_owned(), names }));
    }
    wanted
}

/// Returns how surely the files that the command at this position finds are changed.
fn change(at: usize, starts: &[&str], all: &[Command<'_>]) -> Change {
    let changes = |file: &ShellFile| file.access.changes();
    let changes_found =
        |other: &Command<'_>| other.facts.files.iter().any(|file| changes(file) && may_be_found(&file.path, starts));
    // In the directories of the files, any name may be one of theirs.
    let is_moved = all.get(at).is_some_and(|find| find.args().iter().any(|word| DIRS.contains(&word.text())));
    let changes_by_name = |other: &Command<'_>| {
        is_moved && other.facts.files.iter().any(|file| changes(file) && file.path.known().is_some_and(is_here))
    };
    let of = |other: &Command<'_>| {
        let is_loop = || may_change_found(other) && reaches(at, other, all);
        let is_in_script = || parents(other, all).any(|by| is_run(by, at, all));
        match is_run(other, at, all) {
            true => other.facts.files.iter().any(|file| changes(file) && (is_moved || file.path.known().is_none())),
            // This is `find … -exec sh -c 'mv "$1" "$1.bak"' _ {} \;`, or `find … | while read f; do mv "$f" "$f.bak"`.
            false => changes_found(other) && (is_loop() || is_in_script()) || changes_by_name(other) && is_in_script(),
        }
    };
    // This is `for f in $(find …); do mv "$f" "$f.bak"`.
    let is_list = all.get(at).is_some_and(|command| command.facts.via.as_deref() == Some("substitution"));
    let may = |(index, other): (usize, &Command<'_>)| {
        is_list && may_change_found(other) && changes_found(other)
            || is_run(other, at, all) && may_write(index, other, all)
    };
    match () {
        () if all.iter().any(of) => Change::Surely,
        () if all.iter().enumerate().any(may) => Change::Possibly,
        () => Change::No,
    }
}

/// Whether a command gets the files that the one at this position finds.
fn is_run(other: &Command<'_>, at: usize, all: &[Command<'_>]) -> bool {
    let Some(finder) = all.get(at).and_then(|command| command.facts.name.as_deref()) else { return false };
    let by_pipe = |index: usize| all.get(index).is_some_and(|xargs| reaches(at, xargs, all));
    match other.facts.via.as_deref() {
        Some("gxargs" | "parallel" | "xargs") => other.facts.parent.is_some_and(by_pipe),
        via => via == Some(finder) && other.facts.parent == Some(at),
    }
}

/// Whether a command reads what the one at this position prints, perhaps through filters.
fn reaches(at: usize, command: &Command<'_>, all: &[Command<'_>]) -> bool {
    let mut command = command;
    for _ in 0..8 {
        if command.facts.reads_from.contains(&at) {
            return true;
        }
        let [from] = command.facts.reads_from.as_slice() else { return false };
        match all.get(*from).filter(|filter| LISTS.contains(&filter.name)) {
            Some(filter) => command = filter,
            None => return false,
        }
    }
    false
}

/// Whether an unlisted program that is given files may write to them.
fn may_write(at: usize, command: &Command<'_>, all: &[Command<'_>]) -> bool {
    let is_given = |(place, word): &(usize, &Word)| word.known().is_none() && !is_only_read(command, *place);
    !USERS.contains(&command.name) && unlisted_words(at, all).iter().any(is_given)
}

/// Whether a command may change the files that a loop gives it: its operands, or the target of `> "$f"`.
fn may_change_found(other: &Command<'_>) -> bool {
    other.name != "tee" && PROGRAMS.contains(&other.name) || !other.facts.redirects.is_empty()
}

/// Whether a word may be a file that was found below one of these directories: what stands for it, or a variable.
fn may_be_found(path: &ShellWord, starts: &[&str]) -> bool {
    let ShellWord::Partly { parts, .. } = path else { return false };
    let is_below = |start: &str| {
        let start = start.trim_end_matches('/');
        starts.iter().any(|known| known.trim_end_matches('/') == start) || starts.is_empty() && start == "."
    };
    // `find` adds the names of the files to the directory.
    let has_found = parts.iter().any(|part| matches!(part, ShellPart::Glob { glob } if glob.starts_with("**")));
    // This is a file next to the one that was found: `> "$1.txt"`.
    if matches!(parts.last(), Some(ShellPart::Known(_))) {
        return false;
    }
    match parts.first() {
        Some(ShellPart::Known(start)) => is_below(start),
        // By convention, a variable in capitals comes from elsewhere.
        Some(ShellPart::Unknown { unknown }) => {
            let name = unknown.trim_matches('"').trim_start_matches(['$', '{']);
            has_found || !name.starts_with(|c: char| c.is_ascii_uppercase())
        }
        Some(ShellPart::Glob { .. }) | None => true,
    }
}

/// Returns the commands that run this one, nearest first.
fn parents<'c, 'a>(command: &Command<'_>, all: &'c [Command<'a>]) -> impl Iterator<Item = &'c Command<'a>> {
    let mut next = command.facts.parent;
    std::iter::from_fn(move || {
        let by = all.get(next?)?;
        next = by.facts.parent;
        Some(by)
    })
    .take(8)
}

/// Whether a command gives a file that was found in the project another name in the same directory: `find … -exec sh -c
/// 'mv "$1" "${1%.x}.y"'`, `fd … -x mv {} {.}.y`.
pub(crate) fn is_renamed(command: &Command<'_>, word: &ShellWord, all: &[Command<'_>]) -> bool {
    let written = word.written().trim_matches('"');
    let begins = |names: &[&str]| names.iter().any(|name| written.starts_with(name));
    let is_by = |by: &Command<'_>| match by.name {
        "find" | "gfind" => {
            begins(RENAMED)
                && starts(by).all(is_here)
                && !of_find(by.args()).iter().any(|wanted| is_hidden(&wanted.names))
        }
        "fd" | "fdfind" => begins(RENAMED_BY_FD) && Fd::new(by.args()).stays(),
        _ => false,
    };
    if !matches!(command.name, "mv" | "cp" | "git") || !stays_beside(written) {
        return false;
    }
    // A script may first go to another directory, to which the names of the files are relative.
    let own = command.facts.cwd.as_ref();
    let mut first = own;
    for by in parents(command, all) {
        if first == own && is_by(by) {
            return true;
        }
        first = by.facts.cwd.as_ref();
    }
    false
}

/// Whether a name that is made of that of a found file is surely one in the same directory. Otherwise, the change may
/// leave nothing of the directory, or put another in its place: `${1%%*}/x`, `${1/a*//etc/x}`, `{.}/../../x`.
fn stays_beside(written: &str) -> bool {
    if written.contains("..") {
        return false;
    }
    let Some((inside, rest)) = written.strip_prefix("${").and_then(|inside| inside.split_once('}')) else {
        return true;
    };
    let goes_down = rest.trim_start_matches('"').starts_with('/');
    let change = inside.get(1..).unwrap_or_default();
    match change.strip_prefix('/') {
        Some(change) => {
            !goes_down && !change.contains('$') && change.strip_prefix('/').unwrap_or(change).matches('/').count() < 2
        }
        // `${1%/*}` is the directory.
        None => !goes_down || change == "%/*",
    }
}

/// Whether `find` excludes what the test at this position finds, alone or in a group as in
/// `\( -name .git -o -name target \) -prune`. Without an `-o` after it, `-prune` does not exclude it.
fn is_pruned(words: &[Word], at: usize) -> bool {
    let text = |at: usize| words.get(at).map_or("", Word::text);
    let is_test = |at: usize| TESTS.contains(&text(at));
    let (mut first, mut end) = (at, at + 2);
    while first >= 3 && is_or(text(first - 1)) && is_test(first - 3) {
        first -= 3;
    }
    while is_or(text(end)) && is_test(end + 1) {
        end += 3;
    }
    let is_negated = first >= 2 && matches!(text(first - 2), "!" | "-not");
    let is_group = first >= 1 && text(first - 1) == "(" && text(end) == ")" && !is_negated;
    let mut after = words.iter().skip(if is_group { end + 1 } else { at + 2 }).map(Word::text);
    after.next() == Some("-prune") && after.find(|text| *text != ")").is_some_and(is_or)
}

fn is_or(text: &str) -> bool {
    matches!(text, "-o" | "-or")
}

/// Returns for each command whether its output names ordinary files in the project.
pub(crate) fn listers(all: &[Command<'_>]) -> Vec<bool> {
    let mut lists: Vec<bool> = Vec::with_capacity(all.len());
    for command in all {
        // What a command reads from comes before it.
        let is_lister = |from: &usize| lists.get(*from) == Some(&true);
        let is_one = lists_plain_files(command) && command.facts.reads_from.iter().all(is_lister);
        lists.push(is_one);
    }
    lists
}

/// Whether a command lists only ordinary files in the project, judging by its words.
fn lists_plain_files(command: &Command<'_>) -> bool {
    const ODD: &[&str] =
        &[".env", "env", ".git", "git/", "ssh", "key", "pem", "secret", "..", "~", "--hidden", "--no-ignore"];
    if !LISTS.contains(&command.name) {
        return false;
    }
    let is_odd = |text: &str| text.starts_with('/') || is_hidden(text) || ODD.iter().any(|odd| text.contains(odd));
    let shows_hidden = |text: &str| {
        matches!(command.name, "ls" | "fd" | "fdfind")
            && text.starts_with('-')
            && text.contains(['a', 'A', 'H', 'u', 'I'])
    };
    command.args().iter().all(|word| !word.is_unknown() && !is_odd(word.text()) && !shows_hidden(word.text()))
}

/// Whether a part of a path is hidden, or leads to the directory above.
fn is_hidden(path: &str) -> bool {
    path.split('/').any(|part| part.len() > 1 && part.starts_with('.'))
}

/// Returns the directories in which a `find` searches.
fn starts<'c>(find: &'c Command<'_>) -> impl Iterator<Item = &'c str> {
    let is_option = |text: &&str| matches!(*text, "--" | "-D" | "-H" | "-L" | "-P") || text.starts_with("-O");
    find.args().iter().map(Word::text).skip_while(is_option).take_while(|text| !text.starts_with(['-', '(', '!']))
}

/// Whether a path is in the working directory and not hidden, as far as its name tells. A name that is made of that of
/// a hidden file may be protected: `.git/hooks/pre-commit` is made of `.git/hooks/pre-commit.sample`.
pub(crate) fn is_here(path: &str) -> bool {
    !path.starts_with(['/', '~']) && !path.contains(UNKNOWN) && !is_hidden(path)
}
