//! Where the results of agents contain their text.

use serde_json::{Map, Value};

/// The keys under which an object has its text, as the agents name them.
const TEXT_KEYS: [&str; 4] = ["textResultForLlm", "text_result_for_llm", "llmContent", "content"];
/// The keys of a shell's output.
pub(super) const STDOUT: &str = "stdout";
pub(super) const STDERR: &str = "stderr";
/// The keys that mark an object as a part of a message: a part has at least one of them.
const PART_KEYS: [&str; 6] = ["text", "type", "resource", "inlineData", "fileData", "functionResponse"];

#[derive(Clone, Copy)]
pub(super) enum Place {
    Shell,
    Member(&'static str),
}

impl Place {
    /// Whether the member with this key has the text.
    pub(super) fn has(self, key: &str) -> bool {
        match self {
            Place::Shell => key == STDOUT || key == STDERR,
            Place::Member(held) => key == held,
        }
    }
}

pub(super) fn place(members: &Map<String, Value>) -> Option<Place> {
    let is_text = |key: &str| members.get(key).is_none_or(Value::is_string);
    if members.contains_key(STDOUT) && is_text(STDOUT) && is_text(STDERR) {
        return Some(Place::Shell);
    }
    // A file that was read: `{"type":"text","file":{"content":…}}`.
    if members.get("file").and_then(Value::as_object).is_some_and(|file| file.contains_key("content")) {
        return Some(Place::Member("file"));
    }
    TEXT_KEYS.into_iter().find(|key| members.contains_key(*key)).map(Place::Member)
}

pub(super) fn shell_text(members: &Map<String, Value>) -> String {
    let part = |key| members.get(key).and_then(Value::as_str).unwrap_or_default();
    let (out, err) = (part(STDOUT), part(STDERR));
    let between = if out.is_empty() || err.is_empty() || out.ends_with('\n') { "" } else { "\n" };
    [out, between, err].concat()
}

/// Whether a value is a part of a message: text, or something else, such as an image.
pub(super) fn is_part(value: &Value) -> bool {
    value.as_object().is_some_and(|part| PART_KEYS.iter().any(|key| part.contains_key(*key)))
}

/// Returns the text of a part, or that of the file in it.
pub(super) fn part_text(part: &Value) -> Option<&str> {
    let text = part.get("text").filter(|text| text.is_string());
    text.or_else(|| part.get("resource")?.get("text"))?.as_str()
}
