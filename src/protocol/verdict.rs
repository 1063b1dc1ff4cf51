//! What one hook decided, and what a chain decided.

use serde::Serialize;
use std::fmt;

/// The decision of one hook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// Go on.
    #[default]
    Allow,
    /// Stop: the thing must not happen.
    Deny,
    /// Go on with what the Action puts in place.
    Modify,
    /// Let the user decide.
    Ask,
}

impl Decision {
    /// The decision as an Action spells it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Decision::Allow => "allow",
            Decision::Deny => "deny",
            Decision::Modify => "modify",
            Decision::Ask => "ask",
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The decision of a whole chain: the most restrictive of its hooks' decisions. The order is that of restriction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every hook lets it happen, perhaps in another form.
    #[default]
    Allow,
    /// No hook denied, and at least one wants the user to decide.
    Ask,
    /// A hook denied, or failed where failing denies.
    Deny,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Allow => "allow",
            Verdict::Ask => "ask",
            Verdict::Deny => "deny",
        })
    }
}

/// The answer to the question whether a tool may run, in place of the user's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Permission {
    /// It may; the user need not be asked.
    Allow,
    /// The user decides.
    Ask,
    /// It may not.
    Deny,
}

impl Permission {
    /// The permission as an Action spells it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Permission::Allow => "allow",
            Permission::Ask => "ask",
            Permission::Deny => "deny",
        }
    }

    /// The permission of this name.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        [Permission::Allow, Permission::Ask, Permission::Deny].into_iter().find(|known| known.as_str() == name)
    }
}

/// What a hook's failure counts as on a gating event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnError {
    /// As a deny.
    #[default]
    Deny,
    /// As an ask.
    Ask,
    /// As an allow, with a warning.
    Allow,
}

impl OnError {
    /// The policy as configs spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            OnError::Deny => "deny",
            OnError::Ask => "ask",
            OnError::Allow => "allow",
        }
    }
}
