//! `redact_secrets`: removes secrets from what a tool is given, what the model sees and what a tool returned.

use super::secrets::redact;
use crate::protocol::{Action, Decision, Event, Field, Input, Json};
use serde_json::{Map, Value};

/// Redacts the event's text. Returns `None` if it has no secret.
pub(super) fn run(input: &Input, _: &[String]) -> Result<Option<Action>, String> {
    let modify = |action: Action| Action { decision: Decision::Modify, ..action };
    match input.event {
        Event::PreTool | Event::ToolInputTransform => Ok(tool_input(input)?.map(modify)),
        Event::BeforeLlmCall => Ok(messages(input)?.map(modify)),
        Event::ToolResponseTransform => {
            let redacted = input.tool_result.as_ref().and_then(|result| redact(&result.content));
            Ok(redacted.map(|text| modify(Action { updated_tool_response: Some(text), ..Action::default() })))
        }
        event => {
            tracing::warn!(%event, "redact_secrets has nothing to do on this event");
            Ok(None)
        }
    }
}

/// Redacts the tool's input. The Action has each member that held a secret, in full, or the whole input if it is not an
/// object.
fn tool_input(input: &Input) -> Result<Option<Action>, String> {
    let Some(given) = &input.tool_input else {
        return Ok(None);
    };
    let json = |value: &Value| Json::from_value(value).map_err(|error| error.message);
    let mut action = Action::default();
    match given.to::<Value>().map_err(|error| error.to_string())? {
        Value::Object(members) => {
            let mut changed = Map::new();
            for (key, mut value) in members {
                if redact_value(&mut value) {
                    changed.insert(key, value);
                }
            }
            if changed.is_empty() {
                return Ok(None);
            }
            action.updated_input = Some(json(&Value::Object(changed))?);
        }
        mut whole => {
            if !redact_value(&mut whole) {
                return Ok(None);
            }
            action.modified_tool_input = Some(json(&whole)?);
        }
    }
    let tool = input.tool_name.as_deref().unwrap_or_default();
    action.system_message = Some(format!("redact_secrets: took a secret out of what `{tool}` is given"));
    Ok(Some(action))
}

/// Redacts every string in a value. Returns whether there was a secret.
fn redact_value(value: &mut Value) -> bool {
    match value {
        Value::String(text) => redact_text(text),
        // Every item must be redacted, so no short-circuiting.
        Value::Array(items) => items.iter_mut().fold(false, |found, item| redact_value(item) | found),
        Value::Object(members) => members.values_mut().fold(false, |found, member| redact_value(member) | found),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn redact_text(text: &mut String) -> bool {
    match redact(text) {
        Some(redacted) => {
            *text = redacted;
            true
        }
        None => false,
    }
}

/// Redacts the messages. The Action has all of them, if any held a secret.
fn messages(input: &Input) -> Result<Option<Action>, String> {
    let Some(Value::Array(mut messages)) = input.field(Field::Messages).and_then(|json| json.to().ok()) else {
        return Ok(None);
    };
    let found = messages.iter_mut().fold(false, |found, message| redact_message(message) | found);
    if !found {
        return Ok(None);
    }
    let messages = Json::from_value(&messages).map_err(|error| error.message)?;
    Ok(Some(Action { updated_messages: Some(messages), ..Action::default() }))
}

/// Redacts the text in a message: its own, its parts', and the arguments of its calls.
fn redact_message(message: &mut Value) -> bool {
    let mut found = false;
    for place in ["/content", "/reasoning_content", "/function_call/arguments"] {
        if let Some(Value::String(text)) = message.pointer_mut(place) {
            found |= redact_text(text);
        }
    }
    for (list, place) in [("/multi_content", "/text"), ("/tool_calls", "/function/arguments")] {
        if let Some(Value::Array(items)) = message.pointer_mut(list) {
            for item in items {
                if let Some(Value::String(text)) = item.pointer_mut(place) {
                    found |= redact_text(text);
                }
            }
        }
    }
    found
}
