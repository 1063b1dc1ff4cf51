//! `hooks.toml` as hookbox itself reads it.

mod broken;
mod builtin;
mod durations;
mod foreign;
mod layers;
mod reading;
mod reserved;
mod written;

use crate::support::project::Project;
use hookbox::config::{Loaded, Summary};

/// Loads a config that counts as the user's.
fn load(toml: &str) -> Loaded {
    let project = Project::new();
    let file = project.write("hooks.toml", toml);
    project.write("ok.wasm", crate::support::component::allowing());
    crate::support::loader(project.dir()).file(file).load()
}

/// Returns the only hook of a config without problems.
#[track_caller]
fn only(toml: &str) -> Summary {
    let loaded = load(toml);
    assert_eq!(loaded.problems, [], "{toml}");
    assert_eq!(loaded.hooks.len(), 1);
    loaded.hooks[0].clone()
}
