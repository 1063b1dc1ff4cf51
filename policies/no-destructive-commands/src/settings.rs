//! What `hooks.toml` sets for this policy.

use hookbox_policy::{Common, Mode, Unknown};
use serde::Deserialize;

/// The settings, each with a default.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
pub struct Settings {
    /// Whether the policy stops anything, or only says what it would stop.
    pub mode: Mode,
    /// What to tell besides the reason, such as whom to ask for an exception.
    pub message: Option<String>,
    /// What to do when something that matters cannot be known.
    pub unknown: Unknown,
    /// The branches that nobody may overwrite or delete, as globs of names.
    pub branches: Vec<String>,
    /// Directories outside of the project in which everything may be deleted, as globs of paths.
    pub scratch: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            mode: Mode::default(),
            message: None,
            unknown: Unknown::default(),
            branches: ["main", "master"].map(str::to_owned).to_vec(),
            scratch: ["/tmp/*", "/var/tmp/*", "/private/tmp/*", "/var/folders/*", "/dev/shm/*", "~/.cache/*"]
                .map(str::to_owned)
                .to_vec(),
        }
    }
}

impl Settings {
    /// The settings that all policies share.
    #[must_use]
    pub fn common(&self) -> Common {
        Common { mode: self.mode, message: self.message.clone(), unknown: self.unknown }
    }
}
