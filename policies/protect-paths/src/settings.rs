//! The settings of this policy in `hooks.toml`.

use hookbox_policy::{Common, Mode, Unknown};
use serde::Deserialize;

/// What happens to a tool call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
pub enum Choice {
    /// It passes.
    Allow,
    /// The user is asked.
    Ask,
    /// It is denied.
    Deny,
}

/// The settings, each with a default.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
pub struct Settings {
    /// Whether the policy stops anything, or only says what it would stop.
    pub mode: Mode,
    /// Text to add to each reason, such as whom to ask for an exception.
    pub message: Option<String>,
    /// What to do when it cannot be known what a call writes.
    pub unknown: Unknown,
    /// More that may not be changed: patterns such as `prices.csv`, `db/migrations` or `~/notes`. One that begins with
    /// neither `/` nor `~/` fits at any depth. It covers all below.
    pub deny: Vec<String>,
    /// More that is changed only if the user says so.
    pub ask: Vec<String>,
    /// What may be changed, whatever the other settings say, also outside of the project.
    pub allow: Vec<String>,
    /// Whether what the policy itself protects counts: git's data, settings of agents, secrets, start files, workflows and
    /// lock files.
    pub defaults: bool,
    /// What happens to what would be written outside of the project.
    pub outside: Choice,
    /// More directories outside of the project in which anything may be written.
    pub scratch: Vec<String>,
    /// What happens to a protected file that would be read. Files about which the user would be asked count as others.
    pub reads: Choice,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            mode: Mode::default(),
            message: None,
            unknown: Unknown::default(),
            deny: Vec::new(),
            ask: Vec::new(),
            allow: Vec::new(),
            defaults: true,
            outside: Choice::Ask,
            scratch: Vec::new(),
            reads: Choice::Allow,
        }
    }
}

impl Settings {
    /// Returns the settings that all policies share.
    #[must_use]
    pub fn common(&self) -> Common {
        Common { mode: self.mode, message: self.message.clone(), unknown: self.unknown }
    }
}
