//! Builtins that tell the model about its surroundings.

mod environment;
mod git;
mod listing;
mod prompt_files;
mod user;

use super::HookTypes;
use crate::protocol::{Action, Input};
pub(super) use git::Git;

/// Adds those that only look at files.
pub(super) fn register(types: &HookTypes) {
    // The names are not empty, so this cannot fail.
    let _ = types.register("add_environment_info", |input, _| Ok(dir(input).map(environment::info).map(said)));
    let _ = types.register("add_directory_listing", |input, _| Ok(dir(input).and_then(listing::of).map(said)));
    let _ = types.register("add_prompt_files", |input, names| {
        let home = std::env::home_dir();
        Ok(dir(input).and_then(|dir| prompt_files::contents(dir, home.as_deref(), names)).map(said))
    });
    let _ = types.register("add_user_info", |_, _| Ok(user::info().map(said)));
}

/// The agent's working directory.
fn dir(input: &Input) -> Option<&str> {
    input.pwd.as_deref().filter(|dir| !dir.is_empty())
}

fn said(context: String) -> Action {
    Action { additional_context: Some(context), ..Action::default() }
}
