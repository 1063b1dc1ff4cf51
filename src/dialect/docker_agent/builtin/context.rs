//! Builtins that tell the model about its surroundings.

mod environment;
mod git;
mod listing;
mod prompt_files;
mod user;

use super::HookTypes;
use crate::dialect::docker_agent::Generation;
use crate::protocol::{Action, Input};
pub(super) use git::Git;

/// Adds the builtins that only look at files.
pub(super) fn register(types: &HookTypes) {
    types.add("add_environment_info", Generation::First, |input, _| Ok(dir(input).map(environment::info).map(said)));
    types.add("add_directory_listing", Generation::First, |input, _| Ok(dir(input).and_then(listing::of).map(said)));
    types.add("add_prompt_files", Generation::First, |input, names| {
        let home = std::env::home_dir();
        Ok(dir(input).and_then(|dir| prompt_files::contents(dir, home.as_deref(), names)).map(said))
    });
    types.add("add_user_info", Generation::First, |_, _| Ok(user::info().map(said)));
}

/// Returns the agent's working directory.
fn dir(input: &Input) -> Option<&str> {
    input.pwd.as_deref().filter(|dir| !dir.is_empty())
}

fn said(context: String) -> Action {
    Action { additional_context: Some(context), ..Action::default() }
}
