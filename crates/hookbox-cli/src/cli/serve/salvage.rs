//! A reader for objects whose text is broken. It finds out whom to answer; its result is never judged.

use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// Some members of an object, as far as the object's text can be read.
pub(super) struct Salvaged(Vec<(String, String)>);

impl Salvaged {
    /// Looks for the `wanted` members.
    pub(super) fn of(text: &[u8], wanted: &[&str]) -> Self {
        let mut found = Vec::new();
        let mut reader = serde_json::Deserializer::from_slice(text);
        // An error ends the search.
        let _ = reader.deserialize_map(Members { wanted, found: &mut found });
        Salvaged(found)
    }

    /// Returns the JSON of a member; `None` if the member is missing or appears twice.
    pub(super) fn json(&self, name: &str) -> Option<&str> {
        let mut values = self.0.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
        values.next().filter(|_| values.next().is_none())
    }

    /// Returns the value of a member that is a string.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.json(name)?).ok()
    }
}

struct Members<'a> {
    wanted: &'a [&'a str],
    found: &'a mut Vec<(String, String)>,
}

impl<'de> Visitor<'de> for Members<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        // A number at the end of the text may be truncated, so a value counts only once something follows it.
        let mut last = None;
        while let Some(key) = map.next_key::<String>()? {
            self.found.extend(last.take());
            if self.wanted.contains(&key.as_str()) {
                let value: &RawValue = map.next_value()?;
                last = Some((key, value.get().to_owned()));
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        self.found.extend(last);
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn values_are_whole_or_not_there() {
        let text = br#"{"a":[1,{"id":7}],"id":12,"agent":"claude","payload":{"x":"y"},"z":1}"#;
        let whole = Salvaged::of(text, &["id", "agent"]);
        assert_eq!((whole.json("id"), whole.text("agent").as_deref()), (Some("12"), Some("claude")));
        for end in 0..text.len() {
            let cut = Salvaged::of(&text[..end], &["id", "agent"]);
            assert!(cut.json("id").is_none_or(|id| id == "12"), "{end}");
            assert!(cut.text("agent").is_none_or(|agent| agent == "claude"), "{end}");
        }
        let half = Salvaged::of(br#"{"id":12,"input":{"x"#, &["id"]);
        assert_eq!(half.json("id"), Some("12"));
    }

    #[test]
    fn what_is_there_twice_or_is_no_object_is_not_found() {
        for text in [r#"{"id":1,"id":2}"#, "[1]", "", "{", "7", "\u{feff}{\"id\":1}"] {
            assert_eq!(Salvaged::of(text.as_bytes(), &["id"]).json("id"), None, "{text}");
        }
    }
}
