//! Keeps secrets out of prompts, results and the network.

mod settings;

use hookbox_policy::{Command, Findings};
use hookbox_sdk::{Action, Error, Event, Input, hook};
pub use settings::Settings;

/// The name that reasons begin with.
const NAME: &str = "no-secret-leaks";

hook!(judge);

/// Answers one event.
///
/// # Errors
/// The Input has no facts about the tool call.
pub fn judge(input: &Input<Settings>) -> Result<Action, Error> {
    if input.event != Event::PreTool {
        return Ok(Action::allow());
    }
    let tool = input.facts()?;
    let mut found = Findings::default();
    for command in tool.commands.iter().flatten().map(Command::new) {
        if command.name == "a-command-that-is-denied" {
            found.deny(format!("{} is an example; remove it", command.quote()));
        }
    }
    Ok(found.action(NAME, &input.settings.common()).unwrap_or_default())
}
