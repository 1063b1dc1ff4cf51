//! Changes a forced push to one that checks the remote first.

use crate::git::Rewrite;
use crate::{NAME, Settings};
use hookbox_sdk::{Action, Input, Tool};
use serde_json::Value;

/// Returns the tool call with these words replaced, or `None` if their position is not certain.
pub(crate) fn change(input: &Input<Settings>, tool: &Tool, rewrites: &[Rewrite]) -> Option<Action> {
    let members: Value = input.tool_input.as_ref()?.to().ok()?;
    let members = members.as_object()?;
    let mut action: Option<Action> = None;
    for (key, value) in members {
        let new = match value {
            Value::String(text) if Some(text.as_str()) == tool.command.as_deref() => {
                Value::String(in_text(text, rewrites)?)
            }
            Value::Array(_) if tool.argv.is_some() && as_words(value) == tool.argv => in_words(value, rewrites)?,
            _ => continue,
        };
        if action.is_some() {
            return None;
        }
        let reason = format!("{NAME}: {}", rewrites.first()?.reason);
        action = Some(Action::update_input(key.clone(), hookbox_sdk::Json::from_value(&new).ok()?).with_reason(reason));
    }
    action
}

fn as_words(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|word| word.as_str().map(str::to_owned)).collect()
}

/// Replaces words in a text. Each command must occur once in the text, and its word once in the command.
fn in_text(text: &str, rewrites: &[Rewrite]) -> Option<String> {
    let mut text = text.to_owned();
    for Rewrite { command, word, with, .. } in rewrites {
        let mut places = text.match_indices(command.as_str());
        let (start, _) = places.next()?;
        if places.next().is_some() {
            return None;
        }
        let is_word = |at: usize| {
            let before = command.get(..at).and_then(|before| before.chars().next_back());
            let after = command.get(at + word.len()..).and_then(|after| after.chars().next());
            before.is_some_and(char::is_whitespace) && after.is_none_or(char::is_whitespace)
        };
        let mut words = command.match_indices(word.as_str()).filter(|(at, _)| is_word(*at));
        let (at, _) = words.next()?;
        if words.next().is_some() {
            return None;
        }
        text.replace_range(start + at..start + at + word.len(), with);
    }
    Some(text)
}

fn in_words(value: &Value, rewrites: &[Rewrite]) -> Option<Value> {
    let [Rewrite { word, with, .. }] = rewrites else { return None };
    let mut words = Vec::new();
    let mut replaced = 0;
    for item in value.as_array()? {
        if item.as_str()? == word {
            replaced += 1;
            words.extend(with.split(' ').map(Value::from));
        } else {
            words.push(item.clone());
        }
    }
    (replaced == 1).then_some(Value::Array(words))
}
