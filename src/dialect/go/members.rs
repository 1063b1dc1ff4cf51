//! JSON as Go reads it, which is more than strict JSON allows: keys without regard to case, the last of two counts,
//! and a `null` is as good as absent.

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

/// A string. Half a pair of surrogates, such as cutting a text in JavaScript leaves behind, becomes U+FFFD.
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
                    // The first of the three bytes that stand for a lone surrogate; no other is invalid here.
                    if chunk.invalid() == b"\xed" {
                        text.push(char::REPLACEMENT_CHARACTER);
                    }
                }
                Ok(Text(text))
            }
        }
        // Only as bytes does serde_json hand out a string that is not one in Rust.
        deserializer.deserialize_bytes(Mend)
    }
}

/// The members of the object that a text holds. The whole text is checked before anything of it is read, as Go does it: the
/// keys alone would not be, and in these too a control character must be escaped.
pub(crate) fn root(text: &str) -> Result<Vec<(String, &RawValue)>, serde_json::Error> {
    serde_json::from_str::<IgnoredAny>(text)?;
    let Members(members) = serde_json::from_str(text)?;
    Ok(members)
}

/// A key that stands in an object twice, in whatever case: Go takes the last.
pub(crate) fn repeated(members: &[(String, &RawValue)]) -> Option<String> {
    let mut known = HashSet::new();
    members.iter().find(|(key, _)| !known.insert(key.to_lowercase())).map(|(key, _)| key.clone())
}

/// A value whose type is not the one that it should be.
#[derive(Debug)]
pub(crate) struct WrongType;

/// A string, or `None` for `null`.
pub(crate) fn string(raw: &RawValue) -> Result<Option<String>, WrongType> {
    let text: Option<Text> = serde_json::from_str(raw.get()).map_err(|_| WrongType)?;
    Ok(text.map(|Text(text)| text))
}

/// A boolean, or `None` for `null`.
pub(crate) fn boolean(raw: &RawValue) -> Result<Option<bool>, WrongType> {
    serde_json::from_str(raw.get()).map_err(|_| WrongType)
}

/// The members of an object, or `None` for `null`.
pub(crate) fn members(raw: &RawValue) -> Result<Option<Vec<(String, &RawValue)>>, WrongType> {
    let members: Option<Members<'_>> = serde_json::from_str(raw.get()).map_err(|_| WrongType)?;
    Ok(members.map(|Members(members)| members))
}
