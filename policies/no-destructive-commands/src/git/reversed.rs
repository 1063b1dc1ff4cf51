//! Changes that are taken out of the working tree by their own diff: `git diff HEAD | git apply -R`.

use super::Git;
use crate::scene::{Scene, has};
use hookbox_policy::{Command, Word, options};

/// Whether a command reverts a diff of the working tree, which nothing else keeps.
pub(super) fn loses(command: &Command<'_>, scene: &Scene<'_>) -> bool {
    if !reverts(command) {
        return false;
    }
    // This is `git diff | git apply -R` or `git apply -R <(git diff)`.
    scene.sources(command).chain(scene.substituted(command)).any(shows_changes)
}

/// Whether a command applies a patch backwards, and not only to the index.
fn reverts(command: &Command<'_>) -> bool {
    let (args, shows): (&[Word], &[&str]) = match command.name {
        "patch" | "gpatch" => (command.args(), &["--dry-run", "-C", "--check", "--help", "--version"]),
        "git" | "hub" => match Git::read(command).filter(|git| git.subcommand.text() == "apply") {
            Some(git) => (git.args, &["--check", "--stat", "--numstat", "--summary", "--cached", "--help", "-h"]),
            None => return false,
        },
        _ => return false,
    };
    let given = options(args, &["-p", "-C", "-d", "-i", "--directory", "--exclude", "--include", "--input", "--strip"]);
    has(&given.options, &["-R", "--reverse"]) && !args.iter().any(|word| shows.contains(&word.text()))
}

/// Whether a command prints the changes of the working tree, and not those between two commits or in the index.
fn shows_changes(command: &Command<'_>) -> bool {
    if !matches!(command.name, "git" | "hub") {
        return false;
    }
    let Some(git) = Git::read(command).filter(|git| git.subcommand.text() == "diff") else { return false };
    let before_files = git.args.split(|word| word.text() == "--").next().unwrap_or_default();
    let given = options(before_files, &["-U", "--unified", "--diff-filter", "-S", "-G", "-O"]);
    if has(&given.options, &["--cached", "--staged", "--no-index"]) {
        return false;
    }
    // A word with a dot or a slash may be a file.
    let is_commit = |word: &Word| {
        let text = word.text();
        text.contains(['~', '^', '@']) || !text.contains(['.', '/'])
    };
    !given.operands.iter().any(|word| word.text().trim_start_matches("../").contains(".."))
        && given.operands.iter().filter(|word| is_commit(word)).count() < 2
}
