//! A hookbox policy hook that stops shell commands that destroy data.
//!
//! The SDK's shell reader lists every command that would run. [`rules`] judge each, and [`verdict`] adds up what they
//! find.

pub mod path;
pub mod rules;
mod settings;
pub mod verdict;

use hookbox_sdk::{Action, CommandLine, Error, Event, Input, hook};
use rules::Scene;
pub use settings::Settings;
use verdict::{Decision, Finding};

hook!(judge);

/// Answers one event.
///
/// # Errors
/// Returns an error if the tool's input is not one that a command can be found in.
pub fn judge(input: &Input<Settings>) -> Result<Action, Error> {
    if input.event != Event::PreTool {
        return Ok(Action::allow());
    }
    let mut tool_input = input.tool_input.clone().unwrap_or_default();
    let mut question = None;
    let mut change = None;
    for command in input.commands()? {
        match decide(&command.line, input) {
            Decision::Allow => {}
            Decision::Deny(reason) => return Ok(Action::deny(reason)),
            Decision::Ask(reason) => question = Some(reason),
            Decision::Rewrite(edits, reason) => {
                // The engine asks again about the result, so a rewritten form that would not be allowed does not count.
                // One of several command lines cannot be put back.
                let is_safe = |line: &CommandLine| command.key != "commands" && decide(line, input) == Decision::Allow;
                let edited = command.line.edited(edits).filter(is_safe);
                let Some(edited) = edited else {
                    return Ok(Action::deny(NOT_REWRITTEN));
                };
                tool_input.set(command.key, edited)?;
                change = Some(reason);
            }
        }
    }
    Ok(match (question, change) {
        (Some(reason), _) => Action::ask(reason),
        (None, Some(reason)) => Action::modify_tool_input(tool_input).with_reason(reason),
        (None, None) => Action::allow(),
    })
}

/// The reason to deny a command whose rewritten form would not be allowed.
const NOT_REWRITTEN: &str = "the force push in this command cannot be made safe by a small \
    change; run `git push --force-with-lease` as a command of its own";

/// Judges everything that a command runs.
fn decide(line: &CommandLine, input: &Input<Settings>) -> Decision {
    let script = line.parse();
    let scene = Scene::new(&script, &input.settings.branches, &input.pwd);
    let unknown = script.unknowns().iter().map(|unknown| Finding::Ask(unknown.to_string()));
    let redirects = script.redirects().iter().filter_map(rules::redirect);
    let commands = script.known_commands().iter().flat_map(|command| rules::command(command, &scene));
    redirects.chain(commands).chain(unknown).fold(Decision::Allow, Decision::and)
}
