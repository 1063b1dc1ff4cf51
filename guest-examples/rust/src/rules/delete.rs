//! Commands that delete or move whole directories.

use super::{Scene, protected};
use crate::path::Target;
use crate::verdict::Finding;
use hookbox_sdk::shell::{Arguments, SimpleCommand, find_starts};

/// Judges `rm`, which is only dangerous here if it is recursive.
pub(super) fn rm(command: &SimpleCommand, scene: &Scene<'_>) -> Option<Finding> {
    let arguments = Arguments::new(command.arguments(), "");
    if arguments.has_long("no-preserve-root", "no-preserve-root") {
        return Some(Finding::Deny(format!(
            "{} switches off the guard that keeps rm from deleting `/`; \
             leave out `--no-preserve-root`",
            command.quote()
        )));
    }
    let recursive = arguments.has_short(&['r', 'R']) || arguments.has_long("recursive", "r");
    let target = scene.worst_target(arguments.operands.iter().copied());
    match target {
        Target::Protected(what) if recursive => Some(protected(command, "delete", &what)),
        Target::Protected(_) if arguments.may_hide_options() => Some(Finding::Ask(format!(
            "{} may be recursive, since one of its arguments is not known yet; \
             write the argument out",
            command.quote()
        ))),
        Target::Unknown if recursive => Some(unknown(command)),
        Target::Surroundings if recursive => Some(Finding::Ask(format!(
            "{} would delete everything in the working directory or above it; \
             name the directories that you mean",
            command.quote()
        ))),
        _ => None,
    }
}

/// Judges `find` with `-delete`, or with a command that deletes what it finds.
pub(super) fn find(command: &SimpleCommand, scene: &Scene<'_>) -> Option<Finding> {
    let mut words = command.arguments().iter().map(|word| word.pattern());
    let deletes = words.any(|word| word == "-delete")
        || command.arguments().windows(2).any(|pair| match pair {
            [action, deletes] => {
                matches!(action.pattern(), "-exec" | "-execdir" | "-ok" | "-okdir")
                    && matches!(deletes.command_name(), Some("rm" | "unlink" | "shred"))
            }
            _ => false,
        });
    if !deletes {
        return None;
    }
    match scene.worst_target(find_starts(command.arguments())) {
        Target::Protected(what) => Some(protected(command, "delete files all over", &what)),
        Target::Unknown => Some(unknown(command)),
        Target::Surroundings | Target::Ordinary => None,
    }
}

/// Judges `mv`, which deletes its sources where they were.
pub(super) fn mv(command: &SimpleCommand, scene: &Scene<'_>) -> Option<Finding> {
    let arguments = Arguments::new(command.arguments(), "tS");
    let names_target = arguments.has_short(&['t']) || arguments.has_long("target-directory", "t");
    let sources = match arguments.operands.split_last() {
        Some((_, sources)) if !names_target => sources,
        _ => &arguments.operands,
    };
    match scene.worst_target(sources.iter().copied()) {
        Target::Protected(what) => Some(protected(command, "move away", &what)),
        _ => None,
    }
}

fn unknown(command: &SimpleCommand) -> Finding {
    Finding::Ask(format!("{} would delete a directory that is not known yet; write its path out", command.quote()))
}
