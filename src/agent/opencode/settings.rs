//! The plugin that calls hookbox from OpenCode.

use crate::agent::settings::{Flaw, OwnFile, Settings};

pub(super) const SETTINGS: Settings = Settings::Files(&[OwnFile {
    user: ".config/opencode/plugins/hookbox.js",
    project: ".opencode/plugins/hookbox.js",
    content: include_str!("plugin.js"),
    is_program: false,
}]);

pub(super) const FLAWS: &[Flaw] = &[
    Flaw::before(
        [1, 15, 0],
        "it loads only plugins that stand under `plugin` in `opencode.json`: add hookbox's, or update it",
    ),
    Flaw::since(
        [2, 0, 0],
        "its plugins have another interface, in which nothing calls hookbox's: no tool is asked about",
    ),
];
