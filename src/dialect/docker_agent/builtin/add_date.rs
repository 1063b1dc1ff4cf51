//! `add_date`: tells the model what day it is.

use crate::protocol::{Action, Input};
use jiff::Zoned;

/// Returns the date in the user's time zone.
#[expect(clippy::unnecessary_wraps, reason = "a builtin may say nothing or fail")]
pub(super) fn run(_: &Input, _: &[String]) -> Result<Option<Action>, String> {
    let context = format!("Today's date: {}", Zoned::now().strftime("%Y-%m-%d"));
    Ok(Some(Action { additional_context: Some(context), ..Action::default() }))
}
