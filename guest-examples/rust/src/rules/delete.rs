//! Commands that delete or move whole directories.

use super::{protected, worst_target};
use crate::options::Arguments;
use crate::path::Target;
use crate::shell::Word;
use crate::unwrap::find_starts;
use crate::verdict::{Finding, quote};

/// `rm`, which is only dangerous here when it is recursive.
pub(super) fn rm(argv: &[Word], arguments: &[Word]) -> Option<Finding> {
    let arguments = Arguments::new(arguments, "");
    if arguments.has_long("no-preserve-root", "no-preserve-root") {
        return Some(Finding::Deny(format!(
            "{} switches off the guard that keeps rm from deleting `/`; \
             leave out `--no-preserve-root`",
            quote(argv)
        )));
    }
    let recursive = arguments.has_short(&['r', 'R']) || arguments.has_long("recursive", "r");
    let target = worst_target(arguments.operands.iter().copied());
    match target {
        Target::Protected(what) if recursive => Some(protected(argv, "delete", &what)),
        Target::Protected(_) if arguments.may_hide_options() => Some(Finding::Ask(format!(
            "{} may be recursive, since one of its arguments is not known yet; \
             write the argument out",
            quote(argv)
        ))),
        Target::Unknown if recursive => Some(unknown(argv)),
        Target::Surroundings if recursive => Some(Finding::Ask(format!(
            "{} would delete everything in the working directory or above it; \
             name the directories that you mean",
            quote(argv)
        ))),
        _ => None,
    }
}

/// `find` with `-delete`, or with a command that deletes what it finds.
pub(super) fn find(argv: &[Word], arguments: &[Word]) -> Option<Finding> {
    let mut words = arguments.iter().map(|word| word.text.as_str());
    let deletes = words.any(|word| word == "-delete")
        || arguments.windows(2).any(|pair| match pair {
            [action, command] => {
                matches!(action.text.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir")
                    && matches!(command.command_name(), Some("rm" | "unlink" | "shred"))
            }
            _ => false,
        });
    if !deletes {
        return None;
    }
    match worst_target(find_starts(arguments)) {
        Target::Protected(what) => Some(protected(argv, "delete files all over", &what)),
        Target::Unknown => Some(unknown(argv)),
        Target::Surroundings | Target::Ordinary => None,
    }
}

/// `mv`, which deletes its sources where they were.
pub(super) fn mv(argv: &[Word], arguments: &[Word]) -> Option<Finding> {
    let arguments = Arguments::new(arguments, "tS");
    let names_target = arguments.has_short(&['t']) || arguments.has_long("target-directory", "t");
    let sources = match arguments.operands.split_last() {
        Some((_, sources)) if !names_target => sources,
        _ => &arguments.operands,
    };
    match worst_target(sources.iter().copied()) {
        Target::Protected(what) => Some(protected(argv, "move away", &what)),
        _ => None,
    }
}

fn unknown(argv: &[Word]) -> Finding {
    Finding::Ask(format!("{} would delete a directory that is not known yet; write its path out", quote(argv)))
}
