//! Writes a JSON object member by member. Text that must keep its exact spelling is copied, never re-encoded.

use super::hidden::{self, Part};
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use std::borrow::Cow;
use std::io;

/// The way in which an object's strings are escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spelling {
    /// Only with the escapes that JSON requires.
    Plain,
    /// With an escape for every hidden character as well.
    Visible,
}

/// An object under construction.
#[derive(Debug)]
pub struct ObjectWriter {
    out: String,
    spelling: Spelling,
}

impl ObjectWriter {
    /// Starts an object for another program's parser, such as a hook's payload.
    #[must_use]
    pub fn with_capacity(bytes: usize) -> Self {
        ObjectWriter::new(bytes, Spelling::Plain)
    }

    /// Starts an object for stdout. Hidden characters are escaped, because a terminal or a model may see the text.
    pub(crate) fn printed(bytes: usize) -> Self {
        ObjectWriter::new(bytes, Spelling::Visible)
    }

    fn new(bytes: usize, spelling: Spelling) -> Self {
        let mut out = String::with_capacity(bytes);
        out.push('{');
        ObjectWriter { out, spelling }
    }

    /// Adds a member whose value is the given JSON text, byte for byte.
    pub fn raw(&mut self, key: &str, json: &str) -> &mut Self {
        self.key(key);
        self.out.push_str(json);
        self
    }

    /// Adds a key; its value must follow.
    fn key(&mut self, key: &str) {
        // No value ends with `{`, so this is the brace that begins the object.
        if !self.out.ends_with('{') {
            self.out.push(',');
        }
        push_string(&mut self.out, key, self.spelling);
        self.out.push(':');
    }

    /// Adds a member whose value is an object. `write` adds the members of that object in place.
    pub(crate) fn object(&mut self, key: &str, write: impl FnOnce(&mut Self)) -> &mut Self {
        self.key(key);
        self.out.push('{');
        write(self);
        self.out.push('}');
        self
    }

    /// Returns whether the text is for another program's parser, with only the escapes that JSON requires.
    pub(crate) fn is_plain(&self) -> bool {
        self.spelling == Spelling::Plain
    }

    /// Adds a member whose value is the given JSON text, with hidden characters escaped if the object is for printing.
    pub(crate) fn json(&mut self, key: &str, json: &str) -> &mut Self {
        match self.spelling {
            Spelling::Plain => self.raw(key, json),
            Spelling::Visible => self.raw(key, &visible_json(json)),
        }
    }

    /// Adds a member whose value is a string.
    pub fn text(&mut self, key: &str, value: &str) -> &mut Self {
        self.key(key);
        push_string(&mut self.out, value, self.spelling);
        self
    }

    /// Adds a member that is `true` or `false`.
    pub fn flag(&mut self, key: &str, value: bool) -> &mut Self {
        self.raw(key, if value { "true" } else { "false" })
    }

    /// Adds a string member unless the value is absent or empty.
    pub fn text_unless_empty(&mut self, key: &str, value: Option<&str>) -> &mut Self {
        self.optional_text(key, value.filter(|text| !text.is_empty()))
    }

    /// Adds a string member unless the value is absent.
    pub fn optional_text(&mut self, key: &str, value: Option<&str>) -> &mut Self {
        match value {
            Some(value) => self.text(key, value),
            None => self,
        }
    }

    /// Adds a list of strings.
    pub(crate) fn texts(&mut self, key: &str, values: &[String]) -> &mut Self {
        self.list(key, values.iter().map(|value| json_string(value)))
    }

    /// Adds a list of values that are JSON texts.
    pub(crate) fn list(&mut self, key: &str, values: impl Iterator<Item = String>) -> &mut Self {
        self.raw(key, "[");
        for (index, value) in values.enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            self.out.push_str(&value);
        }
        self.out.push(']');
        self
    }

    /// Returns the length of the text so far, in bytes.
    pub(crate) fn len(&self) -> usize {
        self.out.len()
    }

    /// Returns whether there is no member yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.out.len() == 1
    }

    /// Closes the object and returns its text.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.out.push('}');
        self.out
    }
}

/// Encodes a string as JSON.
pub(super) fn json_string(value: &str) -> String {
    let mut out = String::with_capacity(value.len() + 2);
    push_string(&mut out, value, Spelling::Plain);
    out
}

/// Encodes a value as one line of JSON for printing. Hidden characters are escaped, except in raw values, which are
/// copied.
pub(super) fn to_visible_json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let mut out = String::with_capacity(256);
    value.serialize(&mut Serializer::with_formatter(Append(&mut out), Visible))?;
    Ok(out)
}

/// Escapes every hidden character of a JSON text as `\uXXXX`.
///
/// Hidden characters occur only inside JSON strings, so this changes the spelling but never the value.
///
/// ```
/// let json = "{\"reason\":\"a\u{202e}b\"}";
/// assert_eq!(hookbox::visible_json(json), r#"{"reason":"a\u202eb"}"#);
/// ```
#[must_use]
pub fn visible_json(json: &str) -> Cow<'_, str> {
    hidden::replace(json, |out, c| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            out.push_str(&escape(*unit));
        }
    })
}

fn push_string(out: &mut String, value: &str, spelling: Spelling) {
    match spelling {
        Spelling::Plain => push_plain(out, value),
        Spelling::Visible => {
            let written = value.serialize(&mut Serializer::with_formatter(Append(out), Visible));
            debug_assert!(written.is_ok(), "a string always has a JSON form");
        }
    }
}

/// The number of bytes that are checked together, which takes the processor about as long as checking one.
const BLOCK: usize = 32;

const fn needs_escape(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// Appends a string with the escapes that serde writes. A serializer would take several times as long: for short
/// strings because of its overhead, for long ones because it reads them byte by byte.
fn push_plain(out: &mut String, value: &str) {
    out.push('"');
    let mut rest = value;
    while let Some(at) = first_escape(rest.as_bytes()) {
        let (plain, escaped) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(plain);
        let Some(byte) = escaped.bytes().next() else { break };
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x8 => out.push_str("\\b"),
            0xc => out.push_str("\\f"),
            byte => out.push_str(&escape(byte.into())),
        }
        rest = escaped.get(1..).unwrap_or_default();
    }
    out.push_str(rest);
    out.push('"');
}

/// Returns the index of the first byte that needs an escape.
fn first_escape(bytes: &[u8]) -> Option<usize> {
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    let has_one = |block: &[u8; BLOCK]| block.iter().fold(false, |found, byte| found | needs_escape(*byte));
    let start = BLOCK * blocks.iter().position(has_one).unwrap_or(blocks.len());
    let rest = bytes.get(start..).unwrap_or_default();
    rest.iter().position(|byte| needs_escape(*byte)).map(|at| start + at)
}

fn escape(unit: u16) -> String {
    format!("\\u{unit:04x}")
}

/// An adapter that lets a serializer append to a `String`.
struct Append<'s>(&'s mut String);

impl io::Write for Append<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.push_str(str::from_utf8(bytes).map_err(io::Error::other)?);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A formatter for compact JSON in which hidden characters are escaped.
struct Visible;

impl Formatter for Visible {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        for part in hidden::parts(fragment) {
            match part {
                Part::Shown(text) => writer.write_all(text.as_bytes())?,
                Part::Hidden(c) => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        writer.write_all(escape(*unit).as_bytes())?;
                    }
                }
            }
        }
        Ok(())
    }
}
