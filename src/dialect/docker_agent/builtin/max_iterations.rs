//! `max_iterations`: ends a run that calls the model too often.

use crate::protocol::{Action, Event, Field, Input};

/// Denies model calls beyond the number in the first argument. Without a whole number above zero, there is no limit.
#[expect(clippy::unnecessary_wraps, reason = "a builtin may say nothing or fail")]
pub(super) fn run(input: &Input, args: &[String]) -> Result<Option<Action>, String> {
    let limit = args.first().and_then(|arg| arg.parse::<i64>().ok());
    let iteration = input.number(Field::Iteration).unwrap_or_default();
    Ok(match limit {
        Some(limit) if limit > 0 && iteration > limit && input.event == Event::BeforeLlmCall => {
            Some(Action::deny(format!("max_iterations: the limit of {limit} model calls is reached")))
        }
        _ => None,
    })
}
