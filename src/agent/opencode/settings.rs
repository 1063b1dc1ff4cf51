//! The plugin that asks hookbox in OpenCode.

use crate::agent::settings::{OwnFile, Settings};

pub(super) const SETTINGS: Settings = Settings::Files(&[OwnFile {
    user: ".config/opencode/plugins/hookbox.js",
    project: ".opencode/plugins/hookbox.js",
    content: include_str!("plugin.js"),
    is_program: false,
}]);
