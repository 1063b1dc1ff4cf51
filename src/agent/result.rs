//! The text in a tool's result, and the same result with another text.
//!
//! Each agent wraps what the model sees in its own shape. Some agents drop a new result of another shape, and the model
//! then sees the old one.

use crate::protocol::Json;
use serde_json::{Map, Value, json};

/// The keys under which an object has the text: the agents' own names.
const TEXT_KEYS: [&str; 4] = ["textResultForLlm", "text_result_for_llm", "llmContent", "content"];
/// What a shell printed.
const STDOUT: &str = "stdout";
const STDERR: &str = "stderr";
/// Keys beside it with more of the same text: the previous content of a file, or the data that the text is made from.
const BESIDE: [&str; 5] = ["originalFile", "structuredPatch", "structuredContent", "oldString", "newString"];
/// Members that describe the others, and have no text themselves.
const KINDS: [&str; 7] = ["type", "mode", "status", "kind", "cellType", "cell_type", "language"];
/// Replaces what cannot get another text without losing the shape.
const WITHHELD: &str = "[withheld by a hookbox policy]";

/// What the model would see.
pub(super) fn text(result: &Json) -> String {
    result.to::<Value>().map_or_else(|_| result.as_str().to_owned(), |value| text_of(&value))
}

/// The same result with `text` in it.
pub(super) fn with_text(result: &Json, text: &str) -> Option<Json> {
    let value: Value = result.to().ok()?;
    let raw = serde_json::value::to_raw_value(&replaced(value, text)).ok()?;
    Some(Json::checked(&raw))
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) if parts.iter().all(is_part) => {
            let texts: Vec<&str> = parts.iter().filter_map(part_text).collect();
            texts.join("\n")
        }
        Value::Object(members) => match place(members) {
            Some(Place::Shell) => {
                let part = |key| members.get(key).and_then(Value::as_str).unwrap_or_default();
                let (out, err) = (part(STDOUT), part(STDERR));
                let between = if out.is_empty() || err.is_empty() || out.ends_with('\n') { "" } else { "\n" };
                [out, between, err].concat()
            }
            Some(Place::Member(key)) => {
                let beside = BESIDE.iter().filter_map(|key| members.get(*key)).filter(|value| has_text(value));
                let texts = members.get(key).map(text_of).into_iter().chain(beside.map(Value::to_string));
                texts.collect::<Vec<_>>().join("\n")
            }
            None => value.to_string(),
        },
        _ => value.to_string(),
    }
}

fn replaced(value: Value, text: &str) -> Value {
    match value {
        Value::String(_) => Value::String(text.to_owned()),
        Value::Array(parts) if parts.iter().all(is_part) => {
            let mut text = Some(text);
            let parts = parts.into_iter().filter_map(|part| match part_text(&part) {
                None => Some(part),
                Some(_) => text.take().map(|text| json!({"type": "text", "text": text})),
            });
            Value::Array(parts.collect())
        }
        Value::Object(mut members) => match place(&members) {
            Some(Place::Shell) => {
                members.insert(STDOUT.to_owned(), text.into());
                members.insert(STDERR.to_owned(), "".into());
                Value::Object(members)
            }
            Some(Place::Member(key)) => {
                let inner = members.remove(key).unwrap_or_default();
                members.insert(key.to_owned(), replaced(inner, text));
                for beside in BESIDE {
                    if let Some(value) = members.get_mut(beside) {
                        *value = withheld(value.take());
                    }
                }
                // What is only for the screen would still reveal it.
                for shown in ["returnDisplay", "detailedContent"] {
                    if let Some(display) = members.get_mut(shown) {
                        *display = text.into();
                    }
                }
                Value::Object(members)
            }
            None => other(Value::Object(members), text),
        },
        value => other(value, text),
    }
}

/// A result that the hooks saw as JSON.
fn other(old: Value, text: &str) -> Value {
    match serde_json::from_str::<Value>(text) {
        Ok(new) if std::mem::discriminant(&new) == std::mem::discriminant(&old) => new,
        _ => withheld(old),
    }
}

/// The same shape without any of its texts.
fn withheld(value: Value) -> Value {
    match value {
        Value::String(_) => WITHHELD.into(),
        Value::Array(values) => values.into_iter().map(withheld).collect(),
        Value::Object(members) => {
            let withhold = |(key, value): (String, Value)| match KINDS.contains(&key.as_str()) {
                true => (key, value),
                false => (key, withheld(value)),
            };
            Value::Object(members.into_iter().map(withhold).collect())
        }
        plain => plain,
    }
}

enum Place {
    Shell,
    Member(&'static str),
}

fn place(members: &Map<String, Value>) -> Option<Place> {
    if members.get(STDOUT).is_some_and(Value::is_string) {
        return Some(Place::Shell);
    }
    // A file that was read: `{"type":"text","file":{"content":…}}`.
    if members.get("file").and_then(Value::as_object).is_some_and(|file| file.contains_key("content")) {
        return Some(Place::Member("file"));
    }
    TEXT_KEYS.into_iter().find(|key| members.contains_key(*key)).map(Place::Member)
}

/// A part of a message: text, or something else, such as an image.
fn is_part(value: &Value) -> bool {
    value.as_object().is_some_and(|part| part.contains_key("text") || part.contains_key("type"))
}

/// Its text, or that of the file in it.
fn part_text(part: &Value) -> Option<&str> {
    part.get("text").or_else(|| part.get("resource")?.get("text"))?.as_str()
}

fn has_text(value: &Value) -> bool {
    match value {
        Value::String(text) => !text.is_empty(),
        Value::Array(values) => values.iter().any(has_text),
        Value::Object(members) => members.values().any(has_text),
        _ => false,
    }
}
