//! `git`, by its subcommand.

mod force;
mod push;
mod refspec;

use super::Scene;
use crate::verdict::Finding;
use hookbox_sdk::shell::{Arguments, SimpleCommand, Word};

/// The options of git itself whose value is the next word.
const GLOBAL: &[&str] = &["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--super-prefix", "--config-env"];

/// Judges a git command.
pub(super) fn git(command: &SimpleCommand, scene: &Scene<'_>) -> Option<Finding> {
    let mut words = command.arguments().iter();
    let subcommand = loop {
        let word = words.next()?;
        if GLOBAL.contains(&word.pattern()) {
            words.next();
        } else if !word.pattern().starts_with('-') {
            break word;
        }
    };
    match subcommand.pattern() {
        "push" => force::push(command, subcommand, words.as_slice(), scene.branches),
        name => lost(name, words.as_slice()).map(|what| {
            Finding::Ask(format!(
                "{} would throw away {what} for good; ask for it, or keep a copy with `git stash` or a branch",
                command.quote()
            ))
        }),
    }
}

/// Returns what a subcommand would throw away.
fn lost(subcommand: &str, words: &[Word]) -> Option<&'static str> {
    let arguments = Arguments::new(words, "");
    let names_all = || arguments.operands.iter().any(|word| matches!(word.pattern(), "." | "./" | ":/" | "*"));
    let first = arguments.operands.first().map(|word| word.pattern());
    match subcommand {
        "reset" if arguments.has_long("hard", "h") => Some("changes that are not committed"),
        "clean" if arguments.has_short(&['n']) || arguments.has_long("dry-run", "d") => None,
        "clean" if arguments.has_short(&['f']) || arguments.has_long("force", "f") => {
            Some("files that git does not know")
        }
        "checkout" | "restore" if names_all() => {
            let is_harmless =
                subcommand == "restore" && arguments.has_long("staged", "s") && !arguments.has_long("worktree", "w");
            (!is_harmless).then_some("changes that are not committed")
        }
        "stash" if matches!(first, Some("drop" | "clear")) => Some("stashed changes"),
        "branch" if arguments.has_short(&['D']) => Some("commits that are on no other branch"),
        "branch" if arguments.has_long("delete", "de") && arguments.has_long("force", "f") => {
            Some("commits that are on no other branch")
        }
        _ => None,
    }
}
