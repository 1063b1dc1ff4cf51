//! Branches that are overwritten by other branches, now or by a later push.

use super::Git;
use crate::scene::has;
use hookbox_policy::{Word, options};

/// The options of `git fetch` and `git pull` whose value is the next word.
const VALUES: [&str; 12] = [
    "--depth",
    "--deepen",
    "--upload-pack",
    "--refmap",
    "-o",
    "--server-option",
    "-j",
    "--jobs",
    "--shallow-since",
    "--shallow-exclude",
    "--negotiation-tip",
    "--filter",
];

/// Returns the branch that a command replaces with another: `git fetch . +x:main`, `git branch -M x main`.
pub(super) fn overwritten(git: &Git<'_>) -> Option<String> {
    match git.subcommand.text() {
        "fetch" | "pull" => {
            let given = options(git.args, &VALUES);
            if has(&given.options, &["--dry-run"]) {
                return None;
            }
            let forced = has(&given.options, &["-f", "--force"]);
            given.operands.iter().skip(1).find_map(|word| {
                let text = word.text();
                let plain = text.strip_prefix('+').unwrap_or(text);
                let (_, branch) = plain.split_once(':')?;
                let is_forced = forced || plain.len() < text.len();
                (is_forced && is_branch(branch)).then(|| word.raw().to_owned())
            })
        }
        "branch" => {
            let given = options(git.args, &[]);
            let moves =
                has(&given.options, &["-m", "--move", "-c", "--copy"]) && has(&given.options, &["-f", "--force"]);
            match given.operands.as_slice() {
                // With one name, git renames the current branch.
                [_, branch] if moves || has(&given.options, &["-M", "-C"]) => Some(branch.raw().to_owned()),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether the target of a refspec is a branch of this repository. Remote-tracking branches only follow the remote.
fn is_branch(target: &str) -> bool {
    !target.is_empty() && (target.starts_with("refs/heads/") || !target.starts_with("refs/"))
}

/// Whether the command is like `git config remote.origin.push +HEAD:main`.
pub(super) fn sets_force(git: &Git<'_>) -> bool {
    if git.subcommand.text() != "config" {
        return false;
    }
    let mut operands = git.args.iter().map(Word::text).filter(|text| !text.starts_with('-') && *text != "set");
    match (operands.next(), operands.next()) {
        (Some(key), Some(value)) => is_force(&key.to_ascii_lowercase(), value),
        _ => false,
    }
}

/// Whether a setting makes pushes overwrite the content of a remote.
fn is_force(key: &str, value: &str) -> bool {
    let of_remote = key.strip_prefix("remote.").and_then(|rest| rest.rsplit_once('.'));
    match of_remote {
        Some((_, "push")) => value.starts_with('+'),
        Some((_, "mirror")) => matches!(value.to_ascii_lowercase().as_str(), "true" | "yes" | "on" | "1"),
        _ => false,
    }
}

/// Returns the refspecs that settings on the command line give a push, and whether they make it mirror everything.
pub(super) fn by_settings(git: &Git<'_>) -> (Vec<Word>, bool) {
    let mut refspecs = Vec::new();
    let mut mirrors = false;
    for set in &git.config {
        let (key, value) = set.split_once('=').unwrap_or((set, "true"));
        if is_force(key, value) {
            match value.starts_with('+') {
                true => refspecs.push(Word::new(value)),
                false => mirrors = true,
            }
        }
    }
    (refspecs, mirrors)
}
