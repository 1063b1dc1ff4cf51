//! Determines what the subcommands of git discard.

use super::Git;
use crate::scene::{Scene, has};
use crate::target::Target;
use hookbox_policy::{Command, Opt, Word, options};

const CHANGES: &str = "changes that are not committed";
const COMMITS: &str = "commits that are on no other branch";
const UNREACHABLE: &str = "commits that only git's log of past states still has";

/// Returns what the command discards, and whether an agent should never do that.
pub(super) fn what(git: &Git<'_>, command: &Command<'_>, scene: &Scene<'_>) -> Option<(&'static str, bool)> {
    let ask = |what: &'static str| Some((what, false));
    match git.subcommand.text() {
        "reset" => {
            let given = options(git.args, &["--pathspec-from-file"]);
            let hard = git.args.iter().any(|word| word.text() == "--h") || has(&given.options, &["--hard", "--merge"]);
            hard.then_some((CHANGES, false))
        }
        "clean" => {
            let given = options(git.args, &["-e", "--exclude"]);
            let forced = has(&given.options, &["-f", "--force"])
                || git.sets("clean.requireforce", &["", "false", "no", "off", "0"]);
            let dry = last_of(&given.options, &["-n", "--dry-run"], "--no-dry-run")
                || last_of(&given.options, &["-i", "--interactive"], "--no-interactive")
                || has(&given.options, &["-h", "--help"]);
            (forced && !dry).then_some(("files that git does not know", false))
        }
        "checkout" => checkout(git.args).and_then(ask),
        "switch" => {
            let given = options(git.args, &["-c", "-C", "--create", "--force-create", "--orphan", "--conflict"]);
            let forced = has(&given.options, &["-f", "--force", "--discard-changes"]);
            let moves = given.value(&["-C", "--force-create"]).is_some_and(|name| moves(name, given.operands.first()));
            match forced {
                true => ask(CHANGES),
                false => moves.then_some((COMMITS, false)),
            }
        }
        "tag" => {
            let given = options(git.args, &["-m", "-F", "-u", "--sort", "--format", "--contains", "--points-at"]);
            let all =
                given.operands.iter().any(|word| word.is_unknown() || word.text().starts_with(hookbox_policy::GLOB));
            (has(&given.options, &["-d", "--delete"]) && all).then_some(("every tag that is listed", false))
        }
        "restore" => restore(git.args).and_then(ask),
        "stash" => {
            let first = git.args.iter().find(|word| !word.text().starts_with('-')).map(Word::text);
            matches!(first, Some("drop" | "clear")).then_some(("stashed changes", false))
        }
        "branch" => branch(git.args).and_then(ask),
        "worktree" => {
            let given = options(git.args, &["--reason", "--orphan"]);
            let is_removal = given.operands.first().is_some_and(|word| word.text() == "remove");
            (is_removal && has(&given.options, &["-f", "--force"])).then_some((CHANGES, false))
        }
        "rm" => {
            let given = options(git.args, &["--pathspec-from-file"]);
            let is_dry = last_of(&given.options, &["-n", "--dry-run"], "--no-dry-run");
            if is_dry || last_of(&given.options, &["--cached"], "--no-cached") {
                return None;
            }
            let all = scene.worst(command, &given.operands).is_some_and(|(worst, _)| worst >= Target::Surroundings);
            let forced = last_of(&given.options, &["-f", "--force"], "--no-force");
            let loses = forced || (all && has(&given.options, &["-r"]));
            (loses && !given.operands.is_empty()).then_some((CHANGES, false))
        }
        "gc" => {
            let now = git.args.iter().any(|word| is_now(word.text(), &["--prune"]));
            let keeps = git.args.iter().any(|word| word.text() == "--no-prune");
            (!keeps && (now || git.sets("gc.pruneexpire", &["now", "all", "0"]))).then_some((UNREACHABLE, false))
        }
        "prune" => {
            let given = options(git.args, &["--expire"]);
            if last_of(&given.options, &["-n", "--dry-run"], "--no-dry-run") || has(&given.options, &["-h"]) {
                return None;
            }
            // Git itself suggests a plain `git prune`, which keeps the objects that its reflog still has.
            let expire = given.value(&["--expire"]).map(Word::text);
            matches!(expire, Some("now" | "all" | "0")).then_some((UNREACHABLE, false))
        }
        "reflog" => {
            let first = git.args.first().map(Word::text);
            let now = git.args.iter().any(|word| is_now(word.text(), &["--expire", "--expire-unreachable"]))
                || git.args.windows(2).any(|pair| match pair {
                    [option, value] => {
                        option.text().starts_with("--expire") && matches!(value.text(), "now" | "all" | "0")
                    }
                    _ => false,
                });
            let given = options(git.args, &["--expire", "--expire-unreachable"]);
            let dry = last_of(&given.options, &["-n", "--dry-run"], "--no-dry-run");
            match first {
                Some("expire") if now && !dry => ask(UNREACHABLE),
                Some("delete") if !dry => ask(UNREACHABLE),
                _ => None,
            }
        }
        "filter-branch" => ask("the history as it was"),
        "filter-repo" => {
            let reads = git
                .args
                .iter()
                .any(|word| matches!(word.text(), "--analyze" | "--dry-run" | "-h" | "--help" | "--version"));
            (!reads).then_some(("the history as it was", false))
        }
        "update-ref" => {
            let given = options(git.args, &["-m"]);
            // With two operands, git creates or moves a branch. With three, it does so only if the branch is where the
            // last operand says.
            let moves = given.operands.len() == 2
                && given.operands.first().is_some_and(|word| word.text().starts_with("refs/heads/"));
            (moves || has(&given.options, &["-d", "--stdin"])).then_some((COMMITS, false))
        }
        "submodule" => {
            let given = options(git.args, &[]);
            let is_removal = given.operands.first().is_some_and(|word| word.text() == "deinit");
            (is_removal && has(&given.options, &["-f", "--force"])).then_some((CHANGES, false))
        }
        "read-tree" => {
            let given = options(git.args, &["--prefix", "--index-output", "--exclude-per-directory"]);
            (has(&given.options, &["--reset"]) && has(&given.options, &["-u"])).then_some((CHANGES, false))
        }
        "checkout-index" => {
            let given = options(git.args, &["--prefix", "--stage"]);
            let elsewhere = has(&given.options, &["--prefix"]);
            (has(&given.options, &["-f", "--force"]) && !elsewhere).then_some((CHANGES, false))
        }
        // In a repository, this moves what git keeps.
        "init" => {
            let given = options(git.args, &["-b", "--initial-branch", "--template", "--separate-git-dir"]);
            let place = given.value(&["--separate-git-dir"])?;
            let is_passing = match scene.target(command, place) {
                Target::Scratch => true,
                Target::System(path) => path.starts_with("/dev/shm") || path.starts_with("/run/"),
                _ => false,
            };
            let is_new = given.operands.first().is_some_and(|dir| scene.target(command, dir) == Target::Scratch);
            (is_passing && !is_new).then_some(("the history, which would be moved where it does not last", false))
        }
        _ => None,
    }
}

/// Whether one of these options is given without `undone` after it.
fn last_of(given: &[Opt], names: &[&str], undone: &str) -> bool {
    let decides = |option: &&Opt| {
        let option = std::slice::from_ref(*option);
        has(option, names) || has(option, &[undone])
    };
    given.iter().rev().find(decides).is_some_and(|option| has(std::slice::from_ref(option), names))
}

/// Whether an option, possibly abbreviated, makes everything expire now.
fn is_now(text: &str, names: &[&str]) -> bool {
    let Some((option, value)) = text.split_once('=') else { return false };
    let is =
        |name: &&str| option.len() > 2 && name.starts_with(option.trim_end_matches('-')) && option.starts_with("--");
    names.iter().any(is) && matches!(value, "now" | "all" | "0")
}

fn checkout(args: &[Word]) -> Option<&'static str> {
    let dashes = args.iter().position(|word| word.text() == "--");
    const VALUES: [&str; 7] = ["-b", "-B", "--orphan", "--conflict", "-U", "--unified", "--inter-hunk-context"];
    let given = options(args.get(..dashes.unwrap_or(args.len())).unwrap_or_default(), &VALUES);
    if has(&given.options, &["-h", "--help"]) {
        return None;
    }
    if has(&given.options, &["-f", "--force"]) {
        return Some(CHANGES);
    }
    if last_of(&given.options, &["-p", "--patch"], "--no-patch") {
        return None;
    }
    if given.value(&["-B"]).is_some_and(|name| moves(name, given.operands.first())) {
        return Some(COMMITS);
    }
    let picks_side = has(&given.options, &["--ours", "--theirs", "-2", "-3"]);
    let creates = has(&given.options, &["-b", "-B", "--orphan"]);
    let names_files = dashes.is_some_and(|at| args.len() > at + 1) || has(&given.options, &["--pathspec-from-file"]);
    let is_all =
        |word: &Word| matches!(word.text(), "." | "./" | ":/" | "*") || word.text().starts_with(hookbox_policy::GLOB);
    let many = given.operands.len() > 1 && !creates && !has(&given.options, &["-t", "--track", "--detach", "-d"]);
    let after = args.get(dashes.unwrap_or(args.len())..).unwrap_or_default();
    let all = given.operands.iter().chain(after).any(is_all);
    let is_file = !creates && given.operands.first().is_some_and(is_path);
    // In a conflict, choosing one side of a file loses nothing.
    (all || ((names_files || many || is_file) && !picks_side)).then_some(CHANGES)
}

/// Whether a word cannot be a branch or a commit, but only a path: `./x`, `src/`, `*.rs`, `:(top)x`.
fn is_path(word: &Word) -> bool {
    let text = word.text();
    let is_pattern = || !text.starts_with(':') && text.contains(['*', '?', '[', hookbox_policy::GLOB]);
    text == ".."
        || ["./", "../", ":("].iter().any(|begin| text.starts_with(begin))
        || !text.contains([':', '^', '@']) && (text.ends_with('/') || is_pattern())
}

/// Whether `-B NAME START` moves a branch away from commits that only this branch has. Resetting a branch to its remote
/// counterpart does not count.
fn moves(name: &Word, start: Option<&Word>) -> bool {
    start.is_some_and(|start| start.text().split_once('/').is_none_or(|(_, branch)| branch != name.text()))
}

fn restore(args: &[Word]) -> Option<&'static str> {
    let given = options(
        args,
        &["-s", "--source", "--conflict", "--pathspec-from-file", "-U", "--unified", "--inter-hunk-context"],
    );
    if has(&given.options, &["-h", "--help", "--version"]) {
        return None;
    }
    let from_file = given.options.iter().any(|option| option.name.starts_with("--pathspec-from"));
    let staged = given
        .options
        .iter()
        .any(|option| option.name == "-S" || (option.name.len() > 3 && "--staged".starts_with(option.name.as_str())));
    // The last of these options counts.
    let mut worktree = !staged && !has(&given.options, &["--no-staged"]);
    for option in &given.options {
        match option.name.as_str() {
            "-W" => worktree = true,
            name if name.len() > 4 && "--worktree".starts_with(name) => worktree = true,
            name if name.len() > 6 && "--no-worktree".starts_with(name) => worktree = false,
            _ => {}
        }
    }
    let patch = last_of(&given.options, &["-p", "--patch"], "--no-patch");
    (worktree && !patch && (!given.operands.is_empty() || from_file)).then_some(CHANGES)
}

fn branch(args: &[Word]) -> Option<&'static str> {
    let given = options(
        args,
        &["-u", "--set-upstream-to", "--contains", "--merged", "--no-merged", "--points-at", "--format", "--sort"],
    );
    let forced = has(&given.options, &["-f", "--force"]);
    let deletes = has(&given.options, &["-D"]) || (has(&given.options, &["-d", "--delete"]) && forced);
    let resets = forced
        && !has(&given.options, &["-d", "--delete", "-m", "--move", "-c", "--copy"])
        && !given.operands.is_empty();
    (deletes || resets).then_some(COMMITS)
}
