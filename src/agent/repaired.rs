//! Repairs of payloads that cannot be judged: it is often still possible to tell which event they are about.

use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::cell::Cell;
use std::fmt;
use std::str::Chars;

/// The deepest nesting that is kept, including the payload itself.
const MAX_DEPTH: usize = 48;

/// The longest text that is kept, in characters: long enough for names, too short for content.
const MAX_TEXT: usize = 256;

/// The most values that are kept within each member of the payload, and within each member of such a member. The
/// members themselves are kept, because they tell what the payload is about and what shape a result has.
const MAX_VALUES: usize = 64;

/// The most values that are kept in all.
const MAX_ALL: usize = 8192;

/// The most members of a payload, and of each object in it. Agents send about a dozen.
const MAX_MEMBERS: usize = 256;

/// The keys of tool inputs, which are replaced by empty objects: they are not needed to know what event this is.
const INPUTS: [&str; 6] = ["tool_input", "toolArgs", "toolInput", "input", "parameters", "args"];

/// Returns the payload as strict JSON, in which texts may differ from the original. It is for finding the reply that
/// stops the payload's event, never for judging it.
///
/// Returns `None` if the payload is not an object, has too many members, or has duplicate keys at the top level, which
/// make it ambiguous.
#[must_use]
pub fn repaired(payload: &[u8]) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(payload);
    let text = readable(text.strip_prefix('\u{feff}').unwrap_or(&text));
    let mut reader = serde_json::Deserializer::from_str(&text);
    let (left, in_all) = (Cell::new(MAX_VALUES), Cell::new(MAX_ALL));
    let members = Kept { depth: 0, left: &left, in_all: &in_all }.deserialize(&mut reader).ok()?;
    reader.end().ok()?;
    members.is_object().then(|| serde_json::to_vec(&members).ok())?
}

/// A reader that stores only the part of a value that is kept, so that it needs little memory for any payload.
#[derive(Clone, Copy)]
struct Kept<'a> {
    depth: usize,
    /// How many more values are kept of the current member.
    left: &'a Cell<usize>,
    /// How many more values are kept in all.
    in_all: &'a Cell<usize>,
}

impl Kept<'_> {
    fn inner(self) -> Self {
        Kept { depth: self.depth + 1, ..self }
    }

    /// Whether there is room for one more value, which is then counted.
    fn takes_another(self) -> bool {
        let (Some(left), Some(in_all)) = (self.left.get().checked_sub(1), self.in_all.get().checked_sub(1)) else {
            return false;
        };
        self.left.set(left);
        self.in_all.set(in_all);
        true
    }

    /// Whether the value is the payload or one of its members.
    const fn is_outer(self) -> bool {
        self.depth <= 1
    }
}

impl<'de> DeserializeSeed<'de> for Kept<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Kept<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.chars().take(MAX_TEXT).collect()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while self.takes_another() {
            match seq.next_element_seed(self.inner())? {
                Some(value) => values.push(value),
                None => return Ok(Value::Array(values)),
            }
        }
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            if self.depth == 0 && members.contains_key(&key) {
                return Err(de::Error::custom("a key stands there twice"));
            }
            if self.is_outer() {
                self.left.set(MAX_VALUES);
            }
            let is_kept = members.len() < MAX_MEMBERS && self.takes_another();
            if self.depth == 0 && !is_kept {
                return Err(de::Error::custom("too many keys"));
            }
            if self.is_outer() && INPUTS.contains(&key.as_str()) {
                map.next_value::<IgnoredAny>()?;
                members.insert(key, Value::Object(Map::new()));
            } else if is_kept {
                members.insert(key, map.next_value_seed(self.inner())?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(Value::Object(members))
    }
}

/// Returns the text without lone surrogates, and with `null` for what is nested too deeply.
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

/// Reads the rest of an escape and returns the whole escape in a form that any reader accepts.
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
