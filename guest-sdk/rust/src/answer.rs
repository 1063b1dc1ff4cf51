//! Turns the JSON of an Input into the JSON of an Action.

use crate::{Action, Error, Input};
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

/// What a hook function may return: an [`Action`], or a `Result` of one with any displayable error.
pub trait IntoAnswer {
    /// Returns the Action as JSON, or the error message.
    ///
    /// # Errors
    /// Returns the error message if the hook failed.
    fn into_answer(self) -> Result<String, String>;
}

impl IntoAnswer for Action {
    fn into_answer(self) -> Result<String, String> {
        self.to_json().map_err(|error| error.to_string())
    }
}

impl<E: Display> IntoAnswer for Result<Action, E> {
    fn into_answer(self) -> Result<String, String> {
        self.map_err(|error| error.to_string())?.into_answer()
    }
}

/// Passes the JSON of an Input to a hook function and returns the JSON of its Action, as the component does. For tests.
///
/// ```
/// use hookbox_sdk::{Action, Input, answer};
///
/// fn judge(input: &Input) -> Action {
///     if input.is_tool(&["fetch"]) { Action::ask("is that site safe?") } else { Action::allow() }
/// }
/// let action = answer(judge, r#"{"event":"pre_tool","tool_name":"fetch"}"#)?;
/// assert_eq!(action, r#"{"decision":"ask","reason":"is that site safe?"}"#);
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// Returns an error message if the text is not a valid Input for this hook, or if the hook failed. The engine then
/// denies on gating events.
pub fn answer<S: DeserializeOwned, A: IntoAnswer>(
    judge: impl FnOnce(&Input<S>) -> A,
    input: &str,
) -> Result<String, String> {
    answered(Input::from_json(input), judge)
}

/// Like [`answer`], but for the text that the engine hands to a component, which is never freed.
#[doc(hidden)]
pub fn answer_kept<S: DeserializeOwned, A: IntoAnswer>(
    judge: impl FnOnce(&Input<S>) -> A,
    input: &'static str,
) -> Result<String, String> {
    answered(Input::from_kept_json(input), judge)
}

fn answered<S, A: IntoAnswer>(
    input: Result<Input<S>, Error>,
    judge: impl FnOnce(&Input<S>) -> A,
) -> Result<String, String> {
    let input = input.map_err(|error| error.to_string())?;
    let answer = judge(&input).into_answer();
    forget_in_component(input);
    answer
}

/// Drops a value, except in a component, whose whole memory is freed when the call ends.
pub(crate) fn forget_in_component<T>(value: T) {
    if cfg!(target_family = "wasm") {
        std::mem::forget(value);
    }
}

/// Runs a hook function as a shell hook, for use without a sandbox; `main` returns its result. Reads an Input from
/// stdin and writes an Action to stdout; an error goes to stderr with a failure status.
///
/// ```no_run
/// # use hookbox_sdk::{Action, Input};
/// # fn judge(_: &Input) -> Action { Action::allow() }
/// fn main() -> std::process::ExitCode {
///     hookbox_sdk::run_as_shell_hook(judge)
/// }
/// ```
pub fn run_as_shell_hook<S: DeserializeOwned, A: IntoAnswer>(judge: impl FnOnce(&Input<S>) -> A) -> ExitCode {
    let answer = std::io::read_to_string(std::io::stdin())
        .map_err(|error| error.to_string())
        .and_then(|input| answer(judge, &input));
    let written = match &answer {
        Ok(action) => std::io::stdout().write_all(action.as_bytes()),
        Err(error) => std::io::stderr().write_all(error.as_bytes()),
    };
    match (answer, written) {
        (Ok(_), Ok(())) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
