//! Reads and writes long texts, such as the result of a tool.
//!
//! serde copies what stands between two escapes with a call each. In a component such a call costs more than copying
//! the few bytes that most lines of a program consist of.

use crate::json::without_place;
use crate::{Error, ToolResult};
use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::io;

/// How many bytes are copied at once.
const STEP: usize = 16;

/// A tool's result, which is read as a [`ToolResult`] is.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct LongResult {
    is_error: bool,
    content: Long,
}

impl From<LongResult> for ToolResult {
    fn from(result: LongResult) -> Self {
        ToolResult { is_error: result.is_error, content: result.content.0 }
    }
}

#[derive(Default)]
struct Long(String);

impl<'de> Deserialize<'de> for Long {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        match unescaped(raw) {
            Some(text) => Ok(Long(text)),
            // What is rare, and what is no string.
            None => serde_json::from_str(raw).map(Long).map_err(|error| de::Error::custom(without_place(&error))),
        }
    }
}

/// The text that a JSON string stands for. `None` if it is none, or has halves of a character as escapes.
fn unescaped(raw: &str) -> Option<String> {
    let raw = raw.strip_prefix('"')?.strip_suffix('"')?.as_bytes();
    // No escape is shorter than its character, so what is written never overtakes what is read.
    let mut text = vec![0; raw.len()];
    let (mut at, mut length) = (0, 0);
    while let Some(first) = raw.get(at) {
        let plain = match (raw.get(at..)?.first_chunk::<STEP>(), text.get_mut(length..)?.first_chunk_mut()) {
            (Some(step), Some(room)) => {
                // What is copied behind an escape is written over.
                *room = *step;
                before_escape(*step)
            }
            _ => {
                *text.get_mut(length)? = *first;
                usize::from(*first != b'\\')
            }
        };
        at += plain;
        length += plain;
        if raw.get(at) == Some(&b'\\') {
            let (read, char) = escape(raw.get(at + 1..)?)?;
            at += 1 + read;
            length += char.encode_utf8(text.get_mut(length..)?.get_mut(..char.len_utf8())?).len();
        }
    }
    text.truncate(length);
    String::from_utf8(text).ok()
}

/// How many bytes stand in front of the first backslash.
fn before_escape(step: [u8; STEP]) -> usize {
    const ONES: u128 = u128::MAX / 0xff;
    // The lowest byte that is a backslash is the lowest one whose high bit is set here.
    let others = u128::from_le_bytes(step) ^ (ONES * b'\\' as u128);
    let zeros = others.wrapping_sub(ONES) & !others & ONES << 7;
    zeros.trailing_zeros() as usize / 8
}

/// What an escape stands for, and how long it is, without its backslash.
fn escape(rest: &[u8]) -> Option<(usize, char)> {
    Some(match rest.first()? {
        b'n' => (1, '\n'),
        b't' => (1, '\t'),
        b'r' => (1, '\r'),
        b'b' => (1, '\u{8}'),
        b'f' => (1, '\u{c}'),
        mark @ (b'"' | b'\\' | b'/') => (1, char::from(*mark)),
        b'u' => {
            let digits = std::str::from_utf8(rest.get(1..5)?).ok()?;
            (5, char::from_u32(u32::from_str_radix(digits, 16).ok()?)?)
        }
        _ => return None,
    })
}

/// A value as JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<String, Error> {
    let mut written = Written { bytes: vec![0; 256], length: 0 };
    serde_json::to_writer(&mut written, value)?;
    written.bytes.truncate(written.length);
    Ok(String::from_utf8(written.bytes)?)
}

/// What is written, with room behind it.
struct Written {
    bytes: Vec<u8>,
    length: usize,
}

impl Written {
    fn add(&mut self, bytes: &[u8]) -> Option<()> {
        let end = self.length.checked_add(bytes.len())?;
        let needed = end.checked_add(STEP)?;
        if needed > self.bytes.len() {
            self.bytes.resize(needed.checked_mul(2)?, 0);
        }
        let room = self.bytes.get_mut(self.length..)?;
        let (steps, rest) = bytes.as_chunks::<STEP>();
        for (to, from) in room.as_chunks_mut::<STEP>().0.iter_mut().zip(steps) {
            *to = *from;
        }
        // The last step overlaps the one before; only what is shorter than a step is copied byte by byte.
        match (bytes.last_chunk::<STEP>(), self.bytes.get_mut(..end)?.last_chunk_mut::<STEP>()) {
            (Some(from), Some(to)) => *to = *from,
            _ => self.bytes.get_mut(self.length..end)?.iter_mut().zip(rest).for_each(|(to, from)| *to = *from),
        }
        self.length = end;
        Some(())
    }
}

impl io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.add(bytes).ok_or_else(|| io::ErrorKind::OutOfMemory.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn halves_of_characters_are_left_to_serde() {
        assert_eq!(unescaped(r#""\ud83d\ude00""#), None);
        let result: LongResult = serde_json::from_str(r#"{"content": "a\ud83d\ude00\n"}"#).unwrap();
        assert_eq!(ToolResult::from(result).content, "a😀\n");
        assert!(serde_json::from_str::<LongResult>(r#"{"content": "a\ud83d"}"#).is_err());
    }

    #[test]
    fn what_is_wrong_is_told_as_for_every_result() {
        for text in
            [r#"{"content": 1}"#, r#"{"content": null}"#, r#"{"content": "", "content": ""}"#, r#"{"is_error": 1}"#]
        {
            let (long, plain) = (serde_json::from_str::<LongResult>(text), serde_json::from_str::<ToolResult>(text));
            let (long, plain) = (long.err().unwrap().to_string(), plain.err().unwrap().to_string());
            assert_eq!(long.split(" at line").next(), plain.split(" at line").next());
        }
    }

    proptest! {
        #[test]
        fn written_as_by_serde(text in "([a-z]{0,40}[\\\\\"/\n\u{1}é😀]){0,12}", much in any::<bool>()) {
            let text = if much { text.repeat(30) } else { text };
            prop_assert_eq!(json(&text).ok(), serde_json::to_string(&text).ok());
        }

        #[test]
        fn as_serde_does(text in "([a-z]{0,40}[\\\\\"/\n\u{1}é😀]){0,12}", spelled in any::<bool>()) {
            let mut raw = serde_json::to_string(&text).unwrap();
            if spelled {
                raw = raw.replace('a', "\\u0061").replace('é', "\\u00e9").replace('/', "\\/");
            }
            prop_assert_eq!(unescaped(&raw), Some(text));
        }

        #[test]
        fn what_is_none_is_refused_by_serde_too(raw in "\"[a-u\\\\u0-9\"]{0,40}\"?") {
            let known = serde_json::from_str::<String>(&raw).ok();
            // It is only asked about what serde has taken for JSON.
            if serde_json::from_str::<&RawValue>(&raw).is_ok() && let Some(text) = unescaped(&raw) {
                prop_assert_eq!(Some(text), known);
            }
        }
    }
}
