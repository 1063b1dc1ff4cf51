//! The restrictiveness of an answer.

use hookbox::{Action, Answer, Decision, Permission};

/// The effect of an answer, ordered from the least to the most restrictive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Restraint {
    None,
    Asks,
    Denies,
}

impl Restraint {
    /// Returns the restraint of an answer. A failure denies, as it does by default.
    pub(crate) fn of(answer: &Answer) -> Self {
        match &answer.result {
            Ok(action) => Restraint::of_action(action),
            Err(_) => Restraint::Denies,
        }
    }

    pub(crate) fn of_action(action: &Action) -> Self {
        let permits = |permission| action.permission == Some(permission);
        if action.decision == Decision::Deny || permits(Permission::Deny) || action.stop {
            Restraint::Denies
        } else if action.decision == Decision::Ask || permits(Permission::Ask) {
            Restraint::Asks
        } else {
            Restraint::None
        }
    }
}
