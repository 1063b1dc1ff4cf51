//! The text in a tool's result, and the same result with another text.
//!
//! Each agent wraps what the model sees in its own shape. Some agents drop a new result of another shape, and the model
//! then sees the old one. So a new text replaces the old one in place.
//!
//! Hooks see everything in a result that carries information: the text that the model reads first, and below it, as one
//! line of JSON, the rest (links, parts of unknown kinds, other members). Only pictures, sound and PDF files are left
//! out. What hooks change in that line is changed in the result. If the line is no longer there, nothing of the rest is
//! passed on.

mod beside;
mod place;
mod withhold;

use crate::protocol::Json;
use beside::{has_media, is_name, member_tells, same_shape, tells, without_media};
use place::{Place, is_part, part_text, place, shell_text};
use serde_json::{Map, Value, json};
use std::mem::discriminant;
use withhold::withheld;

/// Returns what hooks see of a result.
pub(super) fn text(result: &Json) -> String {
    result.to::<Value>().map_or_else(|_| result.as_str().to_owned(), |value| Seen::of(&value).joined())
}

/// Returns the same result with another text in it: one that hooks made from its [`text`](text()), or a notice that
/// replaces the whole result.
pub(super) fn put(result: &Json, text: &str, is_notice: bool) -> Option<Json> {
    if is_notice { with_notice(result, text) } else { with_text(result, text) }
}

fn with_text(result: &Json, text: &str) -> Option<Json> {
    let value: Value = result.to().ok()?;
    let seen = Seen::of(&value);
    let (text, left) = match &seen.beside {
        None => (text, Left::Nothing),
        Some(beside) => {
            let (above, line) = match text.rsplit_once('\n') {
                Some((above, line)) => (above, line),
                None => ("", text),
            };
            match serde_json::from_str(line).ok().filter(|left| same_shape(beside, left)) {
                Some(left) => (above, Left::As(left)),
                None => (text, Left::Withheld),
            }
        }
    };
    let new = New { old: &seen.text, text, keeps_media: true };
    written(new.put(value, left.as_ref()))
}

/// Returns a result of the same shape with nothing in it but a notice.
fn with_notice(result: &Json, notice: &str) -> Option<Json> {
    let value: Value = result.to().ok()?;
    let old = Seen::of(&value).text;
    let new = New { old: &old, text: notice, keeps_media: false };
    written(new.put(value, LeftRef::Withheld))
}

fn written(value: Value) -> Option<Json> {
    let raw = serde_json::value::to_raw_value(&value).ok()?;
    Some(Json::checked(&raw))
}

/// What hooks see of a result.
struct Seen {
    /// The text that the model reads first.
    text: String,
    /// Everything else that carries information, in the same structure as the result.
    beside: Option<Value>,
}

impl Seen {
    fn of(value: &Value) -> Self {
        match value {
            Value::String(text) => Seen { text: text.clone(), beside: None },
            Value::Array(parts) if parts.iter().all(is_part) => {
                let texts: Vec<&str> = parts.iter().filter_map(part_text).collect();
                let beside: Vec<Value> = parts.iter().filter_map(beside_text).collect();
                Seen { text: texts.join("\n"), beside: (!beside.is_empty()).then_some(Value::Array(beside)) }
            }
            Value::Object(members) => match place(members) {
                Some(place) => Seen::at(place, members),
                None => Seen { text: without_media(value).to_string(), beside: None },
            },
            _ => Seen { text: without_media(value).to_string(), beside: None },
        }
    }

    fn at(place: Place, members: &Map<String, Value>) -> Self {
        let mut beside = Map::new();
        let text = match place {
            Place::Shell => shell_text(members),
            Place::Member(key) => {
                let inner = members.get(key).map(Seen::of);
                let Seen { text, beside: inner } = inner.unwrap_or(Seen { text: String::new(), beside: None });
                beside.extend(inner.map(|inner| (key.to_owned(), inner)));
                text
            }
        };
        let others = members.iter().filter(|(key, value)| !place.has(key) && member_tells(key, value));
        // Some results contain the same text again, for the screen.
        let others = others.filter(|(_, value)| !is_same(value, &text));
        beside.extend(others.map(|(key, value)| (key.clone(), without_media(value))));
        Seen { text, beside: (!beside.is_empty()).then_some(Value::Object(beside)) }
    }

    fn joined(self) -> String {
        match self.beside {
            None => self.text,
            Some(beside) if self.text.is_empty() => beside.to_string(),
            Some(beside) => format!("{}\n{beside}", self.text),
        }
    }
}

fn is_same(value: &Value, text: &str) -> bool {
    value.as_str().is_some_and(|value| value.trim() == text.trim())
}

/// Returns what a part of a message contains beside its text, if that carries information.
fn beside_text(part: &Value) -> Option<Value> {
    let mut rest = part.clone();
    if part_text(part).is_some() {
        remove_text(&mut rest);
    }
    tells("", &rest).then(|| without_media(&rest))
}

fn remove_text(part: &mut Value) {
    let Some(members) = part.as_object_mut() else { return };
    if members.get("text").is_some_and(Value::is_string) {
        members.remove("text");
    } else if let Some(resource) = members.get_mut("resource").and_then(Value::as_object_mut) {
        resource.remove("text");
    }
}

/// What the hooks left of the rest of a result, beside its text.
enum Left {
    /// The result had nothing beside its text.
    Nothing,
    /// The rest is this value.
    As(Value),
    /// What is left cannot be told, so the rest is withheld.
    Withheld,
}

impl Left {
    const fn as_ref(&self) -> LeftRef<'_> {
        match self {
            Left::Nothing => LeftRef::As(None),
            Left::As(value) => LeftRef::As(Some(value)),
            Left::Withheld => LeftRef::Withheld,
        }
    }
}

#[derive(Clone, Copy)]
enum LeftRef<'l> {
    As(Option<&'l Value>),
    Withheld,
}

impl<'l> LeftRef<'l> {
    fn member(self, key: &str) -> LeftRef<'l> {
        match self {
            LeftRef::As(value) => LeftRef::As(value.and_then(|value| value.get(key))),
            LeftRef::Withheld => LeftRef::Withheld,
        }
    }

    fn part(self, index: usize) -> LeftRef<'l> {
        match self {
            LeftRef::As(value) => LeftRef::As(value.and_then(|value| value.get(index))),
            LeftRef::Withheld => LeftRef::Withheld,
        }
    }
}

/// A new text for a result.
struct New<'t> {
    old: &'t str,
    text: &'t str,
    /// Whether pictures, sound and PDF files are kept.
    keeps_media: bool,
}

impl New<'_> {
    fn put(&self, value: Value, left: LeftRef<'_>) -> Value {
        match value {
            Value::String(_) => Value::String(self.text.to_owned()),
            Value::Array(parts) if parts.iter().all(is_part) => Value::Array(self.put_into_parts(parts, left)),
            Value::Object(members) => match place(&members) {
                Some(place) => Value::Object(self.put_at(place, members, left)),
                None => self.put_json(Value::Object(members)),
            },
            value => self.put_json(value),
        }
    }

    fn put_at(&self, place: Place, members: Map<String, Value>, left: LeftRef<'_>) -> Map<String, Value> {
        let put = |(key, value): (String, Value)| {
            let left = left.member(&key);
            // A name that may be data is kept only if the hooks kept it.
            let is_left = self.keeps_media && matches!(left, LeftRef::As(Some(_)));
            if !(place.has(&key) || is_name(&key) || is_left) {
                return None;
            }
            let value = match place {
                Place::Shell if key == place::STDOUT => self.text.into(),
                Place::Shell if key == place::STDERR => "".into(),
                Place::Member(held) if key == held => self.put(value, left),
                _ => self.beside(&key, value, left),
            };
            Some((key, value))
        };
        members.into_iter().filter_map(put).collect()
    }

    /// Puts the whole text into one part. Parts that hooks removed are dropped.
    fn put_into_parts(&self, parts: Vec<Value>, left: LeftRef<'_>) -> Vec<Value> {
        let text = json!({"type": "text", "text": self.text});
        let mut text = Some(text);
        let mut seen = 0;
        let mut kept = Vec::new();
        for part in parts {
            let beside = beside_text(&part);
            let left = left.part(seen);
            seen += usize::from(beside.is_some());
            match beside {
                _ if part_text(&part).is_some() => kept.extend(text.take()),
                None if self.keeps_media => kept.push(part),
                None => {}
                Some(before) => kept.extend(left_of(part, &before, left)),
            }
        }
        kept.extend(text.filter(|_| !self.text.is_empty()));
        kept
    }

    /// Returns the new value of a member beside the text.
    fn beside(&self, key: &str, value: Value, left: LeftRef<'_>) -> Value {
        if !member_tells(key, &value) {
            return if self.keeps_media || !has_media(&value) { value } else { withheld(value) };
        }
        if is_same(&value, self.old) {
            return self.text.into();
        }
        let before = without_media(&value);
        match left_of(value.clone(), &before, left) {
            Some(left) if self.keeps_media => left,
            _ => withheld(value),
        }
    }

    /// Returns the new value of a result that the hooks saw as JSON.
    fn put_json(&self, old: Value) -> Value {
        let new = serde_json::from_str::<Value>(self.text).ok();
        match new.filter(|new| self.keeps_media && discriminant(new) == discriminant(&old)) {
            Some(new) if !has_media(&old) => new,
            _ => withheld(old),
        }
    }
}

/// Returns what hooks left of a value that looked like `before` to them. `None` if that cannot be told.
fn left_of(value: Value, before: &Value, left: LeftRef<'_>) -> Option<Value> {
    match left {
        LeftRef::As(Some(left)) if left == before => Some(value),
        LeftRef::As(Some(left)) if !has_media(&value) => Some(left.clone()),
        _ => None,
    }
}
