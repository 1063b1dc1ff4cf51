//! The settings that all policies share.

use serde::Deserialize;

/// Whether a policy stops anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
pub enum Mode {
    /// It stops what it finds.
    #[default]
    Enforce,
    /// It allows everything, and tells the user what it would have stopped.
    Audit,
}

/// What to do when something that matters cannot be known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
pub enum Unknown {
    /// Ask the user.
    #[default]
    Ask,
    /// Deny it.
    Deny,
    /// Allow it.
    Allow,
}

/// The settings that all policies share. Each policy's own settings repeat these fields, since serde cannot both
/// flatten a struct and refuse unknown keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Common {
    /// Whether the policy stops anything.
    pub mode: Mode,
    /// A text to add to each reason, such as whom to ask for an exception.
    pub message: Option<String>,
    /// What to do when something that matters cannot be known.
    pub unknown: Unknown,
}
