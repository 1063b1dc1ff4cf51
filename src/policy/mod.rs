//! The policies that ship with hookbox.

mod schema;
mod table;

pub(crate) use schema::{Problem as SettingProblem, Schema};

use crate::protocol::Event;
use table::POLICIES;

/// A policy that ships with hookbox: a component that a config names with `policy = "NAME"`.
#[derive(Debug)]
#[non_exhaustive]
pub struct Policy {
    /// The name.
    pub name: &'static str,
    /// The version. It changes whenever the policy decides any case differently.
    pub version: &'static str,
    /// What the policy does, in one line.
    pub summary: &'static str,
    /// The events that the policy is registered for if an entry names none.
    pub events: &'static [Event],
    /// Whether the policy wants the commands of shell tools.
    pub wants_commands: bool,
    /// Whether `hookbox init` sets the policy up.
    pub is_recommended: bool,
    /// The JSON Schema of its settings.
    pub schema: &'static str,
    /// The cases that test the policy, in the format of `hookbox test`.
    pub cases: &'static str,
    /// The name of its component.
    pub(crate) component: &'static str,
}

/// A setting of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Setting {
    /// The name.
    pub name: String,
    /// What the setting does.
    pub description: String,
    /// The default as JSON; `null` if there is none.
    pub default: String,
    /// The words that are allowed as its value; empty if any value of its type is allowed.
    pub words: Vec<String>,
}

impl Policy {
    /// Returns all policies, sorted by name.
    #[must_use]
    pub const fn all() -> &'static [Policy] {
        POLICIES
    }

    /// Returns the policy with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        POLICIES.iter().find(|policy| policy.name == name)
    }

    /// Returns the names of all policies.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        POLICIES.iter().map(|policy| policy.name).collect()
    }

    /// Returns the settings, in the order of the schema.
    #[must_use]
    pub fn settings(&self) -> Vec<Setting> {
        Schema::of(self).settings()
    }
}
