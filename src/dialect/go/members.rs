//! JSON as Go reads it, which accepts more than strict JSON: keys match in any case, the last of several equal keys
//! counts, and `null` counts as absent.

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::fmt;

/// An object's members in their order, duplicates included.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((Text(key), value)) = map.next_entry()? {
                    members.push((key, value));
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(Collect).map(Members)
    }
}

/// A string. A lone surrogate, which JavaScript leaves behind when it cuts a text, becomes U+FFFD.
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Mend;
        impl Visitor<'_> for Mend {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Text, E> {
                let mut text = String::with_capacity(bytes.len());
                for chunk in bytes.utf8_chunks() {
                    text.push_str(chunk.valid());
                    // This is the first of the three bytes of a lone surrogate. Nothing else is invalid here.
                    if chunk.invalid() == b"\xed" {
                        text.push(char::REPLACEMENT_CHARACTER);
                    }
                }
                Ok(Text(text))
            }
        }
        // serde_json only returns a string that is invalid in Rust as bytes.
        deserializer.deserialize_bytes(Mend)
    }
}

/// Returns the members of the object in a text.
///
/// The whole text is checked before any of it is read, as in Go. Otherwise the keys would not be checked, and control
/// characters must be escaped in keys, too.
pub(crate) fn root(text: &str) -> Result<Vec<(String, &RawValue)>, serde_json::Error> {
    serde_json::from_str::<IgnoredAny>(text)?;
    let Members(members) = serde_json::from_str(text)?;
    Ok(members)
}

/// Returns the form of a key in which Go compares it with the keys that it knows: two keys are the same if they differ
/// only in the case of their letters. For Go, the long s is a case of the `s`; for Rust, it is its own lower case.
pub(crate) fn folded(key: &str) -> String {
    key.to_lowercase().replace('\u{17f}', "s")
}

/// Returns a key that occurs twice in an object, in any case. Go takes the last one.
pub(crate) fn repeated(members: &[(String, &RawValue)]) -> Option<String> {
    let mut known = HashSet::new();
    members.iter().find(|(key, _)| !known.insert(folded(key))).map(|(key, _)| key.clone())
}

/// The error for a value that has the wrong type.
#[derive(Debug)]
pub(crate) struct WrongType;

/// Reads a string, or `None` for `null`.
pub(crate) fn string(raw: &RawValue) -> Result<Option<String>, WrongType> {
    let text: Option<Text> = serde_json::from_str(raw.get()).map_err(|_| WrongType)?;
    Ok(text.map(|Text(text)| text))
}

/// Reads a boolean, or `None` for `null`.
pub(crate) fn boolean(raw: &RawValue) -> Result<Option<bool>, WrongType> {
    serde_json::from_str(raw.get()).map_err(|_| WrongType)
}

/// Reads a whole number, or `None` for `null`.
pub(crate) fn integer(raw: &RawValue) -> Result<Option<i64>, WrongType> {
    match raw.get() {
        // serde_json reads this as a number with a fraction, to keep the sign.
        "-0" => Ok(Some(0)),
        text => serde_json::from_str(text).map_err(|_| WrongType),
    }
}

/// Reads the members of an object, or `None` for `null`.
pub(crate) fn members(raw: &RawValue) -> Result<Option<Vec<(String, &RawValue)>>, WrongType> {
    let members: Option<Members<'_>> = serde_json::from_str(raw.get()).map_err(|_| WrongType)?;
    Ok(members.map(|Members(members)| members))
}
