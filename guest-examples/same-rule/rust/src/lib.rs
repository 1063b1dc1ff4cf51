//! The rule that the SDK of each language is tried on.

use hookbox_sdk::{Action, Error, Event, Input, hook};
use serde::Deserialize;
use serde_json::Value;

hook!(judge);

/// The settings that the operator can make.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Settings {
    /// The other texts that no command may contain.
    words: Vec<String>,
}

fn judge(input: &Input<Settings>) -> Result<Action, Error> {
    let tool_input: Option<Value> = match &input.tool_input {
        Some(json) => Some(serde_json::from_str(json.as_str()).map_err(|error| Error::new(error.to_string()))?),
        None => None,
    };
    let command = tool_input.as_ref().and_then(|value| value.get("command")).and_then(Value::as_str);
    let mut words = std::iter::once("rm -rf").chain(input.settings.words.iter().map(String::as_str));
    if let Some(command) = command
        && let Some(word) = words.find(|word| command.contains(word))
    {
        return Ok(Action::deny(format!("the command contains \"{word}\"")));
    }

    if let Some(tool) = input.tool_name.as_ref().filter(|tool| tool.ends_with("_admin")) {
        return Ok(Action::ask(format!("{tool} is for administrators")));
    }

    let action = Action::allow();
    if input.event != Event::PreMessage {
        return Ok(action);
    }
    let length = input.message.as_deref().unwrap_or_default().chars().count();
    Ok(action.with_context(format!("the message has {length} characters")))
}
