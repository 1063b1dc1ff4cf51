//! Force pushes: denied on a protected branch, made safer on any other.

use super::push::Push;
use super::refspec::{Destination, Refspec};
use crate::verdict::Finding;
use hookbox_sdk::shell::{Edit, SimpleCommand, Word};

const LEASE: &str = "--force-with-lease";

/// Judges a `git push`. `branches` are the protected branches.
pub(super) fn push(
    command: &SimpleCommand,
    subcommand: &Word,
    arguments: &[Word],
    branches: &[String],
) -> Option<Finding> {
    let push = Push::new(subcommand, arguments, branches);
    if push.dry_run {
        return None;
    }
    let command = command.quote();
    if let Some(harm) = harm(&push) {
        return Some(Finding::Deny(format!("{command} would {harm}")));
    }
    if let Some(does) = unknown_branch(&push) {
        return Some(Finding::Ask(format!("{command} does not say which branch it {does}; name the branch")));
    }
    if push.force.is_empty() && !push.refspecs.iter().any(|refspec| refspec.plus) {
        return None;
    }
    let harm = format!("{command} would overwrite commits of others without notice");
    Some(match edits(&push) {
        Some(edits) => Finding::Rewrite(edits, format!("{harm}, so it was changed to `{LEASE}`")),
        None => Finding::Deny(format!("{harm}; run `git push {LEASE}` as a command of its own")),
    })
}

/// Returns what the push would do to protected branches, and what to do instead.
fn harm(push: &Push<'_>) -> Option<String> {
    let plus = push.refspecs.iter().any(|refspec| refspec.plus);
    let one_by_one = "push the branches that you mean by name";
    if push.mirror {
        return Some(format!("make every branch of the remote like the local one; {one_by_one}"));
    }
    if push.all && (plus || push.forces_all()) {
        return Some(format!("overwrite every branch, the protected ones too; {one_by_one}"));
    }
    push.refspecs.iter().find_map(|refspec| {
        let Destination::Protected(branch) = &refspec.destination else {
            return None;
        };
        if push.delete || refspec.deletes {
            Some(format!("delete the protected branch {branch}; leave the branch in place"))
        } else if refspec.plus || push.forces_all() {
            Some(format!(
                "overwrite the protected branch {branch}; \
                 push without force, or push to a branch of your own"
            ))
        } else if plus {
            // The safer form is an option, which applies to all branches.
            Some(format!("force one branch next to the protected branch {branch}; {one_by_one}"))
        } else {
            None
        }
    })
}

/// Returns what the push does to a branch whose name is not known yet.
fn unknown_branch(push: &Push<'_>) -> Option<&'static str> {
    let unknown = |refspec: &&Refspec<'_>| refspec.destination == Destination::Unknown;
    let mut unknown = push.refspecs.iter().filter(unknown).peekable();
    let by_default = push.refspecs.is_empty() || unknown.peek().is_some();
    if !push.force.is_empty() && by_default {
        return Some("overwrites");
    }
    unknown.find_map(|refspec| match refspec {
        _ if push.delete || refspec.deletes => Some("deletes"),
        _ if refspec.plus => Some("overwrites"),
        _ => None,
    })
}

/// Returns the changes that make the push safer, if its words can be changed.
fn edits(push: &Push<'_>) -> Option<Vec<Edit>> {
    let force = push.force.iter().map(|word| without_force(word));
    let plus = push.refspecs.iter().filter(|refspec| refspec.plus);
    let plus = plus.map(|refspec| without_plus(refspec.word));
    let mut edits = force.chain(plus).collect::<Option<Vec<Edit>>>()?;
    if !push.forces_all() {
        let at = push.options_at?;
        edits.push(Edit { at: at..at, with: vec![String::new(), LEASE.to_owned()] });
    }
    Some(edits)
}

/// Replaces `--force` or `-f`, and keeps the other options of a cluster.
fn without_force(word: &Word) -> Option<Edit> {
    let mut with = vec![LEASE.to_owned()];
    if !word.pattern().starts_with("--") {
        // The letters after an `o` are its value, not flags.
        let end = word.pattern().find('o').unwrap_or(word.pattern().len());
        let (flags, value) = word.pattern().split_at_checked(end)?;
        let others = format!("{}{value}", flags.replace('f', ""));
        with.extend((others != "-").then_some(others));
    }
    let at = word.span()?;
    Some(Edit { at, with })
}

/// Removes the `+` of a refspec, which may come after a quote.
fn without_plus(word: &Word) -> Option<Edit> {
    let at = word.span()?;
    let plus = at.start + word.raw().find('+').filter(|before| *before <= 1)?;
    Some(Edit { at: plus..plus + 1, with: vec![String::new()] })
}
