//! The decision of one hook, and that of a chain.

use serde::Serialize;
use std::fmt;

/// The decision of one hook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// The event may go on.
    #[default]
    Allow,
    /// The event must not go on.
    Deny,
    /// The event may go on in the form that the Action's rewrite gives it.
    Modify,
    /// The user decides.
    Ask,
}

impl Decision {
    /// Returns the decision as an Action spells it.
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

/// The decision of a whole chain: the most restrictive of its hooks' decisions. Variants are ordered from least to most
/// restrictive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every hook allows the event, perhaps in another form.
    #[default]
    Allow,
    /// No hook denied, and at least one wants the user to decide.
    Ask,
    /// A hook denied, or failed where a failure counts as a deny.
    Deny,
}

impl Verdict {
    /// Returns the verdict as an Outcome spells it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Verdict::Allow => "allow",
            Verdict::Ask => "ask",
            Verdict::Deny => "deny",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A hook's answer, in place of the user's, to whether a tool may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Permission {
    /// The tool may run; the user need not be asked.
    Allow,
    /// The user decides.
    Ask,
    /// The tool must not run.
    Deny,
}

impl Permission {
    /// Returns the permission as an Action spells it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Permission::Allow => "allow",
            Permission::Ask => "ask",
            Permission::Deny => "deny",
        }
    }

    /// Returns the permission with this name.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        [Permission::Allow, Permission::Ask, Permission::Deny].into_iter().find(|known| known.as_str() == name)
    }
}

/// The decision that a hook's failure counts as on a gating event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnError {
    /// A deny.
    #[default]
    Deny,
    /// An ask.
    Ask,
    /// An allow, with a warning.
    Allow,
}

impl OnError {
    /// Returns the value of `on_error` as configs spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            OnError::Deny => "deny",
            OnError::Ask => "ask",
            OnError::Allow => "allow",
        }
    }

    /// Returns the decision that a failure counts as.
    #[must_use]
    pub const fn decision(self) -> Decision {
        match self {
            OnError::Deny => Decision::Deny,
            OnError::Ask => Decision::Ask,
            OnError::Allow => Decision::Allow,
        }
    }
}
