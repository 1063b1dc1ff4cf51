//! The settings of this policy in `hooks.toml`.

use hookbox_policy::{Common, Mode, Unknown};
use serde::Deserialize;
use std::collections::BTreeMap;

/// What happens when an agent wants to read secrets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
pub enum Reads {
    /// Stores of credentials and dumps of the environment are denied; files such as `.env` are a question.
    #[default]
    Deny,
    /// All of these are questions.
    Ask,
    /// Nothing is said about reading. What is sent elsewhere is still denied.
    Allow,
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
    /// What to do when something that matters cannot be known, such as which file a command uploads.
    pub unknown: Unknown,
    /// What happens when credential files, `.env` or all variables of the environment are read.
    pub reads: Reads,
    /// Files that may be read despite `reads`, as globs: `certs/test.key`, `~/.config/gh/hosts.yml`.
    pub readable: Vec<String>,
    /// Values that are not secrets, such as those of tests. `*` stands for any characters: `test-*`.
    pub allow: Vec<String>,
    /// Secrets of your own, by kind: at least three literal characters, then classes with their number, as
    /// in `acme-key = "ACME-[A-Z0-9]{16}"`. There are `[…]`, `\d`, `\w`, `.`, `{8}`, `{8,}`, `{8,20}`, `+`, `*` and `?`.
    pub patterns: BTreeMap<String, String>,
    /// Whether secrets in the results of tools are replaced.
    pub results: bool,
    /// Whether messages with secrets are denied.
    pub prompts: bool,
    /// Whether tool calls that would write or send secrets are stopped.
    pub arguments: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            mode: Mode::default(),
            message: None,
            unknown: Unknown::default(),
            reads: Reads::default(),
            readable: Vec::new(),
            allow: Vec::new(),
            patterns: BTreeMap::new(),
            results: true,
            prompts: true,
            arguments: true,
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
