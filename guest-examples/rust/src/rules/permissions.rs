//! Commands that change who may use whole directories.

use super::{Scene, protected};
use crate::path::Target;
use crate::verdict::Finding;
use hookbox_sdk::shell::{Arguments, SimpleCommand};

/// Judges `chmod`, `chown` and `chgrp`, if they are recursive.
pub(super) fn change(command: &SimpleCommand, scene: &Scene<'_>) -> Option<Finding> {
    let arguments = Arguments::new(command.arguments(), "");
    if !arguments.has_short(&['R']) && !arguments.has_long("recursive", "rec") {
        return None;
    }
    // The mode or owner comes first and is not a path, whatever it looks like.
    match scene.worst_target(arguments.operands.iter().copied()) {
        Target::Protected(what) => Some(protected(command, "change the permissions of", &what)),
        _ => None,
    }
}
