//! Commands that a call of an unknown tool may run.

use hookbox_sdk::{Action, Decision, Error, Input, Json, Tool};

/// The texts that appear in the facts if a command is only possible, the rarer first. Facts without them are not judged
/// twice.
const MARKS: [&str; 2] = ["\"certain\":false", "\"commands\":["];

/// Judges what a call certainly does. If that is allowed but `judge` would stop what the call may run, asks the user.
/// `judge` gets the facts to judge if they differ from those of the Input.
///
/// # Errors
/// Returns an error if `judge` does, or if the Input has no facts about the tool call.
pub fn with_possible<S>(
    input: &Input<S>,
    judge: impl Fn(&Input<S>, Option<Tool>) -> Result<Action, Error>,
) -> Result<Action, Error> {
    let has_marks = |facts: &Json| MARKS.iter().all(|mark| facts.as_str().contains(mark));
    if !input.tool.as_ref().is_some_and(has_marks) {
        return judge(input, None);
    }
    let mut certain = input.facts()?;
    let Some(possible) = certain.take_possible() else {
        return judge(input, None);
    };
    let action = judge(input, Some(certain))?;
    if matches!(action.decision, Decision::Deny | Decision::Ask) {
        return Ok(action);
    }
    let other = judge(input, Some(possible))?;
    let told = action.system_message.is_some();
    Ok(match other.decision {
        Decision::Allow if other.system_message.is_some() && action.decision == Decision::Allow && !told => other,
        // If `judge` allows what the call only may run, that says nothing about the call itself.
        Decision::Allow => action,
        Decision::Deny | Decision::Ask | Decision::Modify => {
            let reason = other.reason.unwrap_or_default();
            let (policy, reason) = reason.split_once(": ").unwrap_or(("", &reason));
            Action::ask(format!("{policy}: the tool may run a text of its call as a command: {reason}"))
        }
    })
}
