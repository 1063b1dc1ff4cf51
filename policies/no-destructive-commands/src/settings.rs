//! The settings of this policy in `hooks.toml`.

use hookbox_policy::{Common, Mode, Unknown};
use serde::Deserialize;

/// Places whose content can be recreated after it is deleted.
const SCRATCH: [&str; 8] = [
    "/tmp/*",
    "/var/tmp/*",
    "/private/tmp/*",
    "/var/folders/*",
    "/dev/shm/*",
    "~/.cache/*",
    "/var/lib/apt/lists",
    "/var/cache/*",
];

/// The settings, each with a default.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
pub struct Settings {
    /// Whether the policy stops anything, or only says what it would stop.
    pub mode: Mode,
    /// Text to add to each reason, such as whom to ask for an exception.
    pub message: Option<String>,
    /// What to do when something that matters cannot be known.
    pub unknown: Unknown,
    /// The branches that nobody may overwrite or delete, as globs of names.
    pub branches: Vec<String>,
    /// What to do when git would skip the repository's own hooks, as with `git commit --no-verify`.
    pub skip_hooks: SkipHooks,
    /// More commands to ask about, by their first words: `make reset-db`.
    pub ask: Vec<String>,
    /// Commands that are not asked about, by their first words: `git stash drop`, `terraform destroy -target`. What is denied
    /// stays denied.
    pub allow: Vec<String>,
    /// Directories outside of the project in which everything may be deleted, as globs of paths.
    pub scratch: Vec<String>,
}

/// An answer to a command that skips git's hooks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
pub enum SkipHooks {
    /// Deny it.
    #[default]
    Deny,
    /// Ask the user.
    Ask,
    /// Allow it.
    Allow,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            mode: Mode::default(),
            message: None,
            unknown: Unknown::default(),
            branches: ["main", "master", "release/*"].map(str::to_owned).to_vec(),
            skip_hooks: SkipHooks::default(),
            ask: Vec::new(),
            allow: Vec::new(),
            scratch: SCRATCH.map(str::to_owned).to_vec(),
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
