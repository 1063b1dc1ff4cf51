//! Strict JSON: a policy must read the same value as the tool.
//!
//! Parsers treat duplicate keys, lone surrogates and text after a value differently. An attacker can use that to show
//! the policy one value and the tool another, so a text with any of these is refused as a whole.

mod walk;

use super::encode::{ObjectWriter, json_string};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use walk::Walk;

/// The largest Input, in bytes. Larger data belongs in a file; 1 MiB still parses in a few milliseconds.
pub const MAX_INPUT_BYTES: usize = 1 << 20;

/// The deepest nesting of arrays and objects in an Input or an Action: half of what `serde_json` accepts.
pub const MAX_DEPTH: usize = 64;

/// The reason why a text is not strict JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonFault {
    /// The text is not one JSON value, or something follows the value.
    Syntax,
    /// The same key occurs twice in one object, even if one of them is written with escapes.
    DuplicateKey,
    /// The text is nested deeper than [`MAX_DEPTH`].
    Depth,
    /// The text is larger than the limit, or its values would take too much memory.
    Size,
    /// The text is not UTF-8.
    Encoding,
}

/// The error for a text that is not strict JSON.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct JsonError {
    /// The kind of fault.
    pub fault: JsonFault,
    /// What is wrong and where.
    pub message: String,
}

/// A JSON value that is known to be strict, kept byte for byte as the text that it came in. It is cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Json(Arc<str>);

impl Json {
    /// Checks that a text is strict JSON of at most [`MAX_INPUT_BYTES`]. White space around the value is dropped.
    ///
    /// # Errors
    /// Returns an error if the text is not strict JSON.
    pub fn parse(text: &str) -> Result<Self, JsonError> {
        check(text.as_bytes(), MAX_INPUT_BYTES)?;
        Ok(Json(text.trim_matches([' ', '\t', '\r', '\n']).into()))
    }

    /// Serializes a value.
    ///
    /// # Errors
    /// Returns an error if the value has no JSON form, or if its JSON is not strict.
    pub fn from_value(value: &impl serde::Serialize) -> Result<Self, JsonError> {
        let text = serde_json::to_string(value)
            .map_err(|error| JsonError { fault: JsonFault::Syntax, message: error.to_string() })?;
        Json::parse(&text)
    }

    /// Encodes a string as JSON.
    #[must_use]
    pub fn string(text: &str) -> Self {
        Json(json_string(text).into())
    }

    /// Merges the members of this object into those of `base`, if `base` is an object. Members of this object replace
    /// those of the same name or are appended. The text of each value stays as it is.
    pub(crate) fn merged_into(&self, base: Option<&Json>) -> Json {
        let (Some(mut merged), Some(update)) = (base.and_then(Json::members), self.members()) else {
            return self.clone();
        };
        let places: HashMap<Cow<'_, str>, usize> =
            merged.iter().enumerate().map(|(place, (key, _))| (key.clone(), place)).collect();
        for (key, value) in update {
            match places.get(&key).and_then(|place| merged.get_mut(*place)) {
                Some((_, old)) => *old = value,
                None => merged.push((key, value)),
            }
        }
        let mut out = ObjectWriter::with_capacity(self.0.len());
        for (key, value) in &merged {
            out.raw(key, value.get());
        }
        Json(out.finish().into())
    }

    /// Encodes `true` or `false`.
    #[must_use]
    pub fn boolean(value: bool) -> Self {
        Json(if value { "true" } else { "false" }.into())
    }

    /// Returns the members of an object, or `None` if the value is not an object.
    pub(crate) fn members(&self) -> Option<Vec<Member<'_>>> {
        serde_json::from_str(&self.0).ok().map(|Members(members)| members)
    }

    /// Wraps a value from a text that was already checked.
    pub(crate) fn checked(raw: &RawValue) -> Self {
        Json(raw.get().into())
    }

    /// Wraps a text that [`check`] has accepted.
    pub(crate) fn unchecked(text: &str) -> Self {
        Json(text.into())
    }

    /// Creates an object from members whose values were already checked.
    pub(crate) fn joined(members: ObjectWriter) -> Self {
        Json(members.finish().into())
    }

    /// Returns the kind of the value, in words.
    pub(crate) fn kind(&self) -> &'static str {
        match self.0.as_bytes().first() {
            Some(b'{') => "an object",
            Some(b'[') => "a list",
            Some(b'"') => "a string",
            Some(b't' | b'f') => "a boolean",
            Some(b'n') => "null",
            _ => "a number",
        }
    }

    /// Returns the JSON text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Deserializes the value, for hooks that look into it.
    ///
    /// # Errors
    /// Returns an error if the value does not fit the type.
    pub fn to<T: de::DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.0)
    }
}

impl serde::Serialize for Json {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// Checks that the bytes are one strict JSON value and returns them as text.
pub(crate) fn check(bytes: &[u8], max_bytes: usize) -> Result<&str, JsonError> {
    check_within(bytes, max_bytes, usize::MAX)
}

/// Like [`check`], with a limit on the [weight of the values](super::weight).
pub(super) fn check_within(bytes: &[u8], max_bytes: usize, max_weight: usize) -> Result<&str, JsonError> {
    if bytes.len() > max_bytes {
        return Err(JsonError {
            fault: JsonFault::Size,
            message: format!("{} bytes are more than the limit of {max_bytes}", bytes.len()),
        });
    }
    let text = std::str::from_utf8(bytes).map_err(|error| JsonError {
        fault: JsonFault::Encoding,
        message: format!("invalid UTF-8 at byte {}", error.valid_up_to()),
    })?;
    let fault = Cell::new(JsonFault::Syntax);
    let left = Cell::new(max_weight);
    let mut reader = serde_json::Deserializer::from_str(text);
    Walk::new(&fault, &left).deserialize(&mut reader).and_then(|()| reader.end()).map_err(|error| JsonError {
        fault: fault.get(),
        message: if text.starts_with('\u{feff}') {
            "a byte order mark stands before the value".to_owned()
        } else {
            error.to_string()
        },
    })?;
    Ok(text)
}

/// Reads the members of the object in `bytes`, in order, each value as its own text.
///
/// # Errors
/// Returns an error if the bytes are not strict JSON, are not an object, or are more than `max_bytes`.
pub fn object(bytes: &[u8], max_bytes: usize) -> Result<Vec<Member<'_>>, JsonError> {
    check(bytes, max_bytes).and_then(members_of)
}

/// Returns the members of the object in a text that was already checked.
pub(super) fn members_of(text: &str) -> Result<Vec<Member<'_>>, JsonError> {
    let Members(members) = serde_json::from_str(text)
        .map_err(|error| JsonError { fault: JsonFault::Syntax, message: error.to_string() })?;
    Ok(members)
}

/// Deserializes the value of a known key. The error message names the key.
pub(crate) fn typed<'a, T: de::Deserialize<'a>>(key: &str, text: &'a str) -> Result<T, String> {
    // Code that serde derives also accepts an array for a struct, which no reader of the protocol would expect.
    if text.starts_with('[') {
        return Err(format!("`{key}` has the wrong type: an array"));
    }
    serde_json::from_str(text).map_err(|error| {
        // The position is relative to the value rather than the whole text, so it would mislead.
        let message = error.to_string();
        let what = message.rsplit_once(" at line ").map_or(&*message, |(what, _)| what);
        let what = unquoted(what);
        let what = what.replace("expected u64", "expected a whole number from 0 on");
        let what = what.replace("expected i64", "expected a whole number");
        format!("`{key}` has the wrong type: {what}")
    })
}

/// Removes the value from serde's message about a value of the wrong type: the value may be a secret, and anyone may
/// read the message.
fn unquoted(message: &str) -> Cow<'_, str> {
    let text = message.strip_prefix("invalid type: string \"").and_then(|rest| rest.rsplit_once("\", expected "));
    text.map_or(Cow::Borrowed(message), |(_, expected)| format!("invalid type: a string, expected {expected}").into())
}

/// Returns the members of a value that was already checked, or `None` if it is not an object.
pub(crate) fn members(raw: &RawValue) -> Option<Vec<Member<'_>>> {
    serde_json::from_str(raw.get()).ok().map(|Members(members)| members)
}

/// A key and the text of its value.
pub type Member<'a> = (Cow<'a, str>, &'a RawValue);

struct Members<'a>(Vec<Member<'a>>);

impl<'de: 'a, 'a> de::Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Vec<Member<'de>>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::with_capacity(8);
                while let Some(key) = map.next_key_seed(Key)? {
                    members.push((key, map.next_value()?));
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(Collect).map(Members)
    }
}

/// A seed that reads an object's key and copies it only if it has escapes.
pub(crate) struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E: de::Error>(self, key: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(key))
    }

    fn visit_str<E: de::Error>(self, key: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(key.to_owned()))
    }
}
