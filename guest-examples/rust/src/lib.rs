//! A hookbox policy hook that stops shell commands which destroy data.
//!
//! It reads the command of a tool call with a shell parser, finds every
//! command that would run, and judges each by a few rules:
//!
//! 1. [`command`] takes the command out of the tool call.
//! 2. [`shell`] reads its text into a flat list of simple commands.
//! 3. [`unwrap`] finds the commands inside of those, as behind `sudo`.
//! 4. [`rules`] judge each command, and [`verdict`] adds up what they find.

pub mod command;
#[cfg(target_family = "wasm")]
mod component;
pub mod judge;
pub mod options;
pub mod path;
pub mod protocol;
pub mod rules;
pub mod shell;
pub mod unwrap;
pub mod verdict;

use command::Command;
use protocol::{Action, Input};
use verdict::{Decision, Edit};

/// The keys of a tool input that can hold a command.
const COMMAND_KEYS: [&str; 2] = ["command", "cmd"];

/// Answers the JSON of one event with the JSON of an action.
///
/// # Errors
///
/// Says what is wrong with an input that cannot be read.
pub fn answer(input: &str) -> Result<String, String> {
    let input: Input = serde_json::from_str(input).map_err(|error| error.to_string())?;
    let action = decide(input)?;
    serde_json::to_string(&action).map_err(|error| error.to_string())
}

fn decide(input: Input) -> Result<Action, String> {
    if input.event != "pre_tool" {
        return Ok(Action::Allow);
    }
    let branches = &input.settings.branches;
    let mut tool_input = input.tool_input;
    let mut question = None;
    let mut change = None;
    for key in COMMAND_KEYS {
        let Some(value) = tool_input.get_mut(key) else {
            continue;
        };
        let command = Command::new(value)?;
        match command.judge(branches) {
            Decision::Allow => {}
            Decision::Deny(reason) => return Ok(Action::Deny { reason }),
            Decision::Ask(reason) => question = Some(reason),
            Decision::Rewrite(edits, reason) => {
                let Some(edited) = rewritten(&command, edits, branches) else {
                    return Ok(Action::Deny { reason: NOT_REWRITTEN.to_owned() });
                };
                *value = edited.into_value();
                change = Some(reason);
            }
        }
    }
    Ok(match (question, change) {
        (Some(reason), _) => Action::Ask { reason },
        (None, Some(reason)) => Action::Modify { reason, modified_tool_input: tool_input },
        (None, None) => Action::Allow,
    })
}

/// Why a command is denied whose rewritten form would not be allowed.
const NOT_REWRITTEN: &str = "the force push in this command cannot be made safe by a small \
    change; run `git push --force-with-lease` as a command of its own";

/// Edits a command. The engine asks again about the result, so a result that
/// would not be allowed is no result.
fn rewritten(command: &Command, edits: Vec<Edit>, branches: &[String]) -> Option<Command> {
    let edited = command.edited(edits)?;
    (edited.judge(branches) == Decision::Allow).then_some(edited)
}
