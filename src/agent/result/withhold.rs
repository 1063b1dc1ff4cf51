//! Values that keep their shape but lose their content.

use super::beside::{is_label, is_media, is_name};
use serde_json::{Number, Value};

/// The replacement for a text.
const WITHHELD: &str = "[withheld by a hookbox policy]";

/// The replacement for a picture: one transparent dot. Models do not accept a conversation with an invalid picture.
const DOT: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/// Returns a value of the same shape without any of its texts.
pub(super) fn withheld(value: Value) -> Value {
    match value {
        Value::String(text) if is_media(&text) => dot(&text).into(),
        Value::String(_) => WITHHELD.into(),
        // Numbers and booleans may be what the tool was asked for.
        Value::Number(_) => Value::Number(Number::from(0)),
        Value::Bool(_) => false.into(),
        Value::Array(values) => values.into_iter().map(withheld).collect(),
        Value::Object(members) => {
            let has_picture = members.values().filter_map(Value::as_str).any(is_media);
            let withhold = |(key, value): (String, Value)| match value {
                Value::String(text) if has_picture && text.starts_with("image/") => (key, "image/png".into()),
                Value::String(text) if is_label(&key, &text) => (key, Value::String(text)),
                value => (key, withheld(value)),
            };
            Value::Object(members.into_iter().filter(|(key, _)| is_name(key)).map(withhold).collect())
        }
        Value::Null => Value::Null,
    }
}

fn dot(picture: &str) -> String {
    if picture.starts_with("data:") { format!("data:image/png;base64,{DOT}") } else { DOT.to_owned() }
}
