//! Commands that change who may use whole directories.

use super::{protected, worst_target};
use crate::options::Arguments;
use crate::path::Target;
use crate::shell::Word;
use crate::verdict::Finding;

/// `chmod`, `chown` and `chgrp`, when they are recursive.
pub(super) fn change(argv: &[Word], arguments: &[Word]) -> Option<Finding> {
    let arguments = Arguments::new(arguments, "");
    if !arguments.has_short(&['R']) && !arguments.has_long("recursive", "rec") {
        return None;
    }
    // The mode or owner comes first and is no path, whatever it looks like.
    match worst_target(arguments.operands.iter().copied()) {
        Target::Protected(what) => Some(protected(argv, "change the permissions of", &what)),
        _ => None,
    }
}
