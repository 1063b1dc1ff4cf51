//! The settings of this policy in `hooks.toml`.

use hookbox_policy::{Common, Mode, Unknown};
use serde::Deserialize;

/// The settings, each with a default.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
pub struct Settings {
    /// Whether the policy does anything, or only says what it would do.
    pub mode: Mode,
    /// What to tell the agent besides, at the end of each notice.
    pub message: Option<String>,
    /// What to do with a result if it cannot be known where it comes from: `ask` and `deny` scan it as one from outside,
    /// `allow` leaves it alone. This policy never asks, and never denies.
    pub unknown: Unknown,
    /// Sources that are not scanned. Names of hosts and of MCP servers, where `*` stands for any characters: `docs.rs`,
    /// `*.example.com`, `my-server`; and globs of paths, which have a `/`: `/usr/share/doc/`, `~/notes/**`.
    pub trust: Vec<String>,
    /// Paths inside the project whose content comes from outside, as globs.
    pub outside: Vec<String>,
    /// How suspicious a result must be for the agent to get a notice.
    pub level: Level,
    /// Whether invisible characters and escapes in a result that is surely an attack are replaced by visible ones.
    pub neutralize: bool,
}

/// How suspicious a result must be for the agent to get a notice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
pub enum Level {
    /// With every result from outside.
    Always,
    /// With results that have a sign of instructions.
    #[default]
    Low,
    /// With results that are surely an attack.
    High,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            mode: Mode::default(),
            message: None,
            unknown: Unknown::default(),
            trust: Vec::new(),
            outside: ["node_modules/", "bower_components/", "site-packages/", "vendor/"].map(str::to_owned).to_vec(),
            level: Level::default(),
            neutralize: true,
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
