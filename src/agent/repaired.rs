//! Payloads that cannot be judged: it is often still possible to tell what they are about.

use super::MAX_PAYLOAD_BYTES;
use serde::Deserializer as _;
use serde::de::{self, MapAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;
use std::str::Chars;

/// The deepest nesting that is kept, the payload itself included.
const MAX_DEPTH: usize = 48;

/// The longest text that is kept, in characters: long enough for names, too short for content.
const MAX_TEXT: usize = 256;

/// Stands for other texts, which are not needed to know what event this is.
const INPUTS: [&str; 6] = ["tool_input", "toolArgs", "toolInput", "input", "parameters", "args"];

/// The same payload as strict JSON, though with other texts in it: for finding the reply that stops its event, never
/// for judging it. `None` if it has duplicate keys at the top level, which makes it ambiguous, or is not an object.
#[must_use]
pub fn repaired(payload: &[u8]) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(payload);
    let text = readable(text.strip_prefix('\u{feff}').unwrap_or(&text));
    let mut reader = serde_json::Deserializer::from_str(&text);
    let mut members = reader.deserialize_map(Members).ok()?;
    reader.end().ok()?;
    without_inputs(&mut members);
    for part in members.values_mut().filter_map(Value::as_object_mut) {
        without_inputs(part);
    }
    let repaired = serde_json::to_vec(&shortened(Value::Object(members))).ok()?;
    (repaired.len() <= MAX_PAYLOAD_BYTES).then_some(repaired)
}

fn without_inputs(members: &mut Map<String, Value>) {
    for (key, value) in members.iter_mut() {
        if INPUTS.contains(&key.as_str()) {
            *value = Value::Object(Map::new());
        }
    }
}

fn shortened(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(text.chars().take(MAX_TEXT).collect()),
        Value::Array(values) => values.into_iter().map(shortened).collect(),
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(key, value)| (key, shortened(value))).collect())
        }
        value => value,
    }
}

/// Collects the members of an object, each key once.
struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Map<String, Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Map::new();
        while let Some((key, value)) = map.next_entry()? {
            if members.insert(key, value).is_some() {
                return Err(de::Error::custom("a key stands there twice"));
            }
        }
        Ok(members)
    }
}

/// The text without lone surrogates, and with `null` for what is nested too deeply.
fn readable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    let (mut depth, mut in_string) = (0_usize, false);
    while let Some(c) = chars.next() {
        let before = depth;
        match c {
            '\\' if in_string => {
                let escape = escape(&mut chars);
                if depth <= MAX_DEPTH {
                    out.push_str(&escape);
                }
                continue;
            }
            '"' => in_string = !in_string,
            '{' | '[' if !in_string => depth += 1,
            '}' | ']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        match (before > MAX_DEPTH, depth > MAX_DEPTH) {
            (false, false) => out.push(c),
            (false, true) => out.push_str("null"),
            _ => {}
        }
    }
    out
}

/// The rest of an escape, changed into one that any reader accepts.
fn escape(chars: &mut Chars<'_>) -> String {
    let Some(kind) = chars.next() else { return "\\".to_owned() };
    if kind != 'u' {
        return format!("\\{kind}");
    }
    let unit = |chars: &mut Chars<'_>| -> String { chars.by_ref().take(4).collect() };
    let one = unit(chars);
    let is_in = |digits: &str, from: u32, to: u32| {
        u32::from_str_radix(digits, 16).is_ok_and(|code| (from..=to).contains(&code))
    };
    if !is_in(&one, 0xd800, 0xdfff) {
        return format!("\\u{one}");
    }
    let mut ahead = chars.clone();
    let follows = ahead.next() == Some('\\') && ahead.next() == Some('u');
    let two = unit(&mut ahead);
    if follows && is_in(&one, 0xd800, 0xdbff) && is_in(&two, 0xdc00, 0xdfff) {
        *chars = ahead;
        return format!("\\u{one}\\u{two}");
    }
    "\\ufffd".to_owned()
}
