//! Files that `find` passes to a command that changes them. The names that `find` searches for tell which files those
//! are.

use crate::names::Names;
use crate::rules::{Target, Verdict};
use crate::shell::Judge;
use hookbox_policy::{Command, UNKNOWN, Word};
use hookbox_sdk::Access;

/// The tests of `find` whose value is a pattern for names.
const TESTS: &[&str] =
    &["-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex", "-samefile"];

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

/// Judges the patterns of a `find` that deletes, or whose results another command changes.
pub(crate) fn judge(at: usize, command: &Command<'_>, all: &[Command<'_>], judge: &mut Judge<'_>) {
    if !matches!(command.name, "find" | "gfind") {
        return;
    }
    let changes = |other: &Command<'_>| other.facts.files.iter().any(|file| file.access.changes());
    let is_run = |other: &Command<'_>| {
        let via = other.facts.via.as_deref();
        let parent = other.facts.parent;
        let by_pipe = |index: usize| all.get(index).is_some_and(|xargs| xargs.facts.reads_from.contains(&at));
        via == Some("find") && parent == Some(at)
            || matches!(via, Some("xargs" | "parallel")) && parent.is_some_and(by_pipe)
    };
    let deletes = command.args().iter().any(|word| word.text() == "-delete");
    if !deletes && !all.iter().any(|other| is_run(other) && changes(other)) {
        return;
    }
    let words = command.args();
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
        let is_regex = word.text().ends_with("regex");
        let names = Names::with_wildcards(&if is_regex { plain(pattern.text()) } else { pattern.text().to_owned() });
        let target = Target {
            names,
            shown: pattern.text().to_owned(),
            access: Access::Delete,
            place: None,
            keeps_content: false,
        };
        judge.rules.protected(&target).tell(judge.found);
        let from_here = words.iter().take_while(|word| !word.text().starts_with('-')).all(|start| start.text() == ".");
        if from_here && COMMON.contains(&pattern.text()) {
            let hidden = HIDDEN.iter().map(|dir| format!("{dir}/{}", pattern.text()));
            let mut targets = hidden.map(|shown| Target { names: Names::new(&shown), shown, ..target.clone() });
            if let Some(found) = targets.find(|target| matches!(judge.rules.protected(target), Verdict::Deny(_))) {
                judge.found.ask(format!("{} may find `{}`; name the files", command.quote(), found.shown));
            }
        }
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

/// Returns a simple regular expression as a pattern of names: `.*/\.env` matches what `*/.env` matches.
fn plain(regex: &str) -> String {
    regex.trim_start_matches('^').trim_end_matches('$').replace(".*", "*").replace(".+", "*").replace('\\', "")
}

/// Whether the output of a command names ordinary files in the project, judging by its words.
pub(crate) fn lists(at: usize, all: &[Command<'_>], depth: usize) -> bool {
    const ODD: &[&str] =
        &[".env", "env", ".git", "git/", "ssh", "key", "pem", "secret", "..", "~", "--hidden", "--no-ignore"];
    let Some(command) = all.get(at).filter(|command| depth < 8 && LISTS.contains(&command.name)) else {
        return false;
    };
    let is_hidden = |text: &str| text.split('/').any(|part| part.len() > 1 && part.starts_with('.'));
    let is_odd = |text: &str| text.starts_with('/') || is_hidden(text) || ODD.iter().any(|odd| text.contains(odd));
    let shows_hidden = |text: &str| {
        matches!(command.name, "ls" | "fd" | "fdfind")
            && text.starts_with('-')
            && text.contains(['a', 'A', 'H', 'u', 'I'])
    };
    let is_plain =
        command.args().iter().all(|word| !word.is_unknown() && !is_odd(word.text()) && !shows_hidden(word.text()));
    is_plain && command.facts.reads_from.iter().all(|from| *from < at && lists(*from, all, depth + 1))
}

/// Whether a `find` searches only in the working directory.
pub(crate) fn stays(find: &Command<'_>) -> bool {
    let mut starts = find.args().iter().map(Word::text).take_while(|text| !text.starts_with(['-', '(', '!']));
    starts.all(|start| !start.starts_with(['/', '~', UNKNOWN]) && !start.contains(".."))
}
