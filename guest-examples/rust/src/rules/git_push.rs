//! Force pushes: denied on a protected branch, made safer on any other.

mod arguments;
mod refspec;

use crate::shell::Word;
use crate::verdict::{Edit, Finding, quote};
use arguments::Push;
use refspec::{Destination, Refspec};

const LEASE: &str = "--force-with-lease";

/// Judges a git command. `branches` are the protected ones.
pub(super) fn git(argv: &[Word], arguments: &[Word], branches: &[String]) -> Option<Finding> {
    let push = Push::new(arguments)?;
    let refspecs: Vec<Refspec<'_>> = push.refspecs().map(Refspec::new).collect();
    if push.dry_run {
        return None;
    }
    denied(argv, &push, &refspecs, branches)
        .or_else(|| unclear(argv, &push, &refspecs, branches))
        .or_else(|| rewritten(argv, &push, &refspecs))
}

fn denied(
    argv: &[Word],
    push: &Push<'_>,
    refspecs: &[Refspec<'_>],
    branches: &[String],
) -> Option<Finding> {
    let deny = |does: &str, instead: &str| {
        let reason = format!("{} would {does}; {instead}", quote(argv));
        Some(Finding::Deny(reason))
    };
    if push.mirror {
        return deny(
            "make every branch of the remote like the local one",
            "push the branches that you mean by name",
        );
    }
    let plus = refspecs.iter().any(|refspec| refspec.plus);
    let forces = push.forces() || push.lease || plus;
    if forces && push.all {
        return deny(
            "overwrite every branch, the protected ones too",
            "push the branches that you mean by name",
        );
    }
    refspecs.iter().find_map(|refspec| {
        let Destination::Protected(branch) = refspec.destination(branches) else {
            return None;
        };
        if push.delete || refspec.deletes {
            deny(
                &format!("delete the protected branch {branch}"),
                "leave the branch in place",
            )
        } else if push.forces() || push.lease || refspec.plus {
            deny(
                &format!("overwrite the protected branch {branch}"),
                "push without force, or push to a branch of your own",
            )
        } else if plus {
            // The safer form of the push would force every branch in it.
            deny(
                &format!("force a push that also has the protected branch {branch} in it"),
                "push the two branches one by one",
            )
        } else {
            None
        }
    })
}

fn unclear(
    argv: &[Word],
    push: &Push<'_>,
    refspecs: &[Refspec<'_>],
    branches: &[String],
) -> Option<Finding> {
    let is_unknown = |refspec: &&Refspec<'_>| refspec.destination(branches) == Destination::Unknown;
    let mut unknown = refspecs.iter().filter(is_unknown);
    let does = if unknown.any(|refspec| push.delete || refspec.deletes) {
        "deletes"
    } else if push.forces() && (refspecs.is_empty() || refspecs.iter().any(|r| is_unknown(&r)))
        || refspecs.iter().any(|r| r.plus && is_unknown(&r))
    {
        "overwrites"
    } else {
        return None;
    };
    Some(Finding::Ask(format!(
        "{} does not say which branch it {does}; name the branch",
        quote(argv)
    )))
}

fn rewritten(argv: &[Word], push: &Push<'_>, refspecs: &[Refspec<'_>]) -> Option<Finding> {
    let plus: Vec<&Refspec<'_>> = refspecs.iter().filter(|refspec| refspec.plus).collect();
    if !push.forces() && plus.is_empty() {
        return None;
    }
    let mut edits: Option<Vec<Edit>> = push.force.iter().map(|word| without_force(word)).collect();
    if let Some(edits) = &mut edits
        && !push.forces()
        && !push.lease
    {
        edits.extend(push.word.source.clone().map(|at| Edit {
            at: at.end..at.end,
            with: vec![String::new(), LEASE.to_owned()],
        }));
    }
    let plus: Option<Vec<Edit>> = plus
        .iter()
        .map(|refspec| without_plus(refspec.word))
        .collect();
    let command = quote(argv);
    Some(match (edits, plus) {
        (Some(edits), Some(plus)) if push.word.source.is_some() => Finding::Rewrite(
            edits.into_iter().chain(plus).collect(),
            format!(
                "{command} would overwrite commits of others without notice, \
                 so it was changed to `{LEASE}`"
            ),
        ),
        _ => Finding::Deny(format!(
            "{command} would overwrite commits of others without notice; \
             run `git push {LEASE}` as a command of its own"
        )),
    })
}

/// Replaces `--force` or `-f`, and keeps the other options of a cluster.
fn without_force(word: &Word) -> Option<Edit> {
    let mut with = vec![LEASE.to_owned()];
    if !word.text.starts_with("--") {
        // What follows an `o` is its value and no flags.
        let end = word.text.find('o').unwrap_or(word.text.len());
        let (flags, value) = word.text.split_at_checked(end)?;
        let others = format!("{}{value}", flags.replace('f', ""));
        with.extend((others != "-").then_some(others));
    }
    let at = word.source.clone()?;
    Some(Edit { at, with })
}

/// Removes the `+` of a refspec, which may stand behind a quote.
fn without_plus(word: &Word) -> Option<Edit> {
    let at = word.source.clone()?;
    let quotes = word.raw.find('+').filter(|before| *before <= 1)?;
    let start = at.start + quotes;
    Some(Edit {
        at: start..start + 1,
        with: vec![String::new()],
    })
}
