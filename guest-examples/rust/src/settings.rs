//! The settings of this hook in `hooks.toml`.

use serde::Deserialize;

/// The settings, each with a default.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The branches that must not be overwritten or deleted.
    pub branches: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { branches: vec!["main".to_owned(), "master".to_owned()] }
    }
}
