//! Reads the words of commands. Each call has dozens, and for an untagged enum serde would first copy each into a
//! buffer of its own.

use crate::{ShellPart, ShellWord};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use std::fmt;

impl<'de> Deserialize<'de> for ShellWord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Word)
    }
}

struct Word;

impl<'de> Visitor<'de> for Word {
    type Value = ShellWord;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a word of a command")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ShellWord, E> {
        Ok(ShellWord::Known(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ShellWord, A::Error> {
        let Partly { raw, parts } = Partly::deserialize(MapAccessDeserializer::new(map))?;
        Ok(ShellWord::Partly { raw, parts })
    }
}

/// The members of [`ShellWord::Partly`].
#[derive(Deserialize)]
struct Partly {
    raw: String,
    #[serde(default)]
    parts: Vec<ShellPart>,
}
