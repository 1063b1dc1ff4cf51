//! The strings in a tool's input, each with its key.

use super::keys::{self, Role};
use crate::protocol::{Json, JsonFault, Key, MAX_INPUT_BYTES, check, check_weight};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// The maximum depth to which JSON in a string in JSON is read, as for [paths](super::possible).
const MAX_DEPTH: usize = 8;

/// A string, or another value as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Argument<'a> {
    /// The nearest enclosing key, spelled as in [`keys`]. Empty if the input is not an object.
    pub(super) key: Cow<'a, str>,
    /// The same key as the agent spells it.
    pub(super) written_key: Cow<'a, str>,
    pub(super) text: Cow<'a, str>,
    /// Whether it is an item of a list.
    pub(super) is_item: bool,
    /// The position of the argument.
    pub(super) at: At,
    /// Whether it is a string.
    pub(super) is_text: bool,
    /// Whether it is below the key of a command.
    pub(super) is_of_command: bool,
    /// The meaning for the tool, once it is known: see [`Spec::role`](super::Spec::role).
    pub(super) role: Option<Role>,
}

/// The position of an argument, which shows which arguments belong together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct At {
    /// The number of the nearest enclosing object: 1 if it is the whole input, 0 if there is none.
    pub(super) object: usize,
    /// The number of the nearest enclosing list; 0 if the object is nearer.
    pub(super) list: usize,
    /// The number of lists that enclose it, up to the nearest object.
    pub(super) lists: usize,
}

impl Argument<'_> {
    fn into_owned(self) -> Argument<'static> {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        Argument { key: own(self.key), written_key: own(self.written_key), text: own(self.text), ..self }
    }
}

/// Returns the strings of a tool's input, in order. JSON in a string, which some agents send, is parsed.
///
/// # Errors
/// Returns an error if the input looks like JSON in a string, but is not strict JSON. The error names what is unknown
/// as a result.
pub(super) fn arguments(input: &Json) -> Result<Vec<Argument<'_>>, &'static str> {
    let mut found = walk(input.as_str());
    let mut is_string = input.as_str().starts_with('"');
    // The input may have been put into a string more than once.
    for _ in 0..MAX_DEPTH {
        let [Argument { text, .. }] = found.as_slice() else { break };
        let text = text.trim();
        let is_quoted = text.len() > 1 && text.starts_with('"') && text.ends_with('"');
        if !is_string || !is_quoted && !text.starts_with(['{', '[']) {
            break;
        }
        is_string = is_quoted;
        match check(text.as_bytes(), MAX_INPUT_BYTES) {
            Ok(text) => found = walk(text).into_iter().map(Argument::into_owned).collect(),
            // The input is just a text between quotes.
            Err(error) if is_quoted && error.fault == JsonFault::Syntax => break,
            Err(_) => return Err("an input that is JSON in a string, but not strict"),
        }
    }
    Ok(found)
}

/// Adds the arguments in JSON in the strings for which `opens` returns true, because an unknown tool may take its
/// arguments in a string. `name` gives the new arguments their keys, and `keeps` selects those to add. Returns whether
/// there is more than is read.
pub(super) fn unpack(
    found: &mut Vec<Argument<'_>>,
    opens: impl Fn(&Argument<'_>) -> bool,
    keeps: impl Fn(&Argument<'_>) -> bool,
    name: impl Fn(&mut Vec<Argument<'_>>),
) -> bool {
    let last = found.iter().map(|argument| argument.at.object.max(argument.at.list)).max().unwrap_or_default();
    // An object in a string must not get the number of an object around it.
    let mut count = last.max(1);
    let mut is_cut = false;
    let mut unpacked = |from: &[Argument<'_>]| {
        let mut new = Vec::new();
        for argument in from.iter().filter(|argument| argument.is_text && opens(argument)) {
            let text = argument.text.trim();
            if !text.starts_with(['{', '[', '"']) {
                continue;
            }
            match check_weight(text.as_bytes(), MAX_INPUT_BYTES) {
                Ok(_) => {
                    let more = walk_from(text, &argument.written_key, &mut count);
                    new.extend(more.into_iter().map(Argument::into_owned));
                }
                // The text is not JSON.
                Err(error) if error.fault == JsonFault::Syntax => {}
                Err(_) => is_cut = true,
            }
        }
        new
    };
    let mut new = unpacked(found);
    for _ in 1..MAX_DEPTH {
        let deeper = unpacked(&new);
        name(&mut new);
        found.extend(new.into_iter().filter(&keeps));
        new = deeper;
    }
    let is_deeper = !unpacked(&new).is_empty();
    name(&mut new);
    found.extend(new.into_iter().filter(&keeps));
    is_cut || is_deeper
}

fn walk(json: &str) -> Vec<Argument<'_>> {
    walk_from(json, "", &mut 0)
}

/// Returns the strings of a value that is a member with this key. `count` is the number of objects and lists so far.
fn walk_from<'a>(json: &'a str, key: &str, count: &mut usize) -> Vec<Argument<'a>> {
    let mut found = Vec::new();
    let key = Cow::Owned(key.to_owned());
    let walk = Walk { key: &key, is_item: false, is_of_command: false, at: At::default(), count, found: &mut found };
    // The text is strict JSON, so nothing is lost here.
    let _ = walk.deserialize(&mut serde_json::Deserializer::from_str(json));
    found
}

struct Walk<'w, 'a> {
    key: &'w Cow<'a, str>,
    is_item: bool,
    is_of_command: bool,
    at: At,
    /// The number of objects and lists so far.
    count: &'w mut usize,
    found: &'w mut Vec<Argument<'a>>,
}

impl<'a> Walk<'_, 'a> {
    fn add(self, text: Cow<'a, str>, is_text: bool) {
        let written_key = self.key.clone();
        let key = keys::plain(&written_key);
        let Walk { is_item, is_of_command, at, .. } = self;
        self.found.push(Argument { key, written_key, text, is_item, at, is_text, is_of_command, role: None });
    }
}

impl<'a> DeserializeSeed<'a> for Walk<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'a> Visitor<'a> for Walk<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.add(Cow::Owned(value.to_string()), false);
        Ok(())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.add(Cow::Owned(value.to_string()), false);
        Ok(())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.add(Cow::Owned(value.to_string()), false);
        Ok(())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.add(Cow::Owned(value.to_string()), false);
        Ok(())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        self.add(Cow::Owned(value.to_owned()), true);
        Ok(())
    }

    fn visit_borrowed_str<E: Error>(self, value: &'a str) -> Result<(), E> {
        self.add(Cow::Borrowed(value), true);
        Ok(())
    }

    fn visit_seq<S: SeqAccess<'a>>(self, mut items: S) -> Result<(), S::Error> {
        let Walk { key, is_of_command, at, count, found, .. } = self;
        *count += 1;
        let at = At { list: *count, lists: at.lists + 1, ..at };
        while items
            .next_element_seed(Walk { key, is_item: true, is_of_command, at, count: &mut *count, found: &mut *found })?
            .is_some()
        {}
        Ok(())
    }

    fn visit_map<M: MapAccess<'a>>(self, mut members: M) -> Result<(), M::Error> {
        let Walk { key, is_of_command, count, found, .. } = self;
        *count += 1;
        let at = At { object: *count, list: 0, lists: 0 };
        let is_of_command = is_of_command || keys::is_command(&keys::plain(key));
        while let Some(key) = members.next_key_seed(Key)? {
            let walk = Walk { key: &key, is_item: false, is_of_command, at, count: &mut *count, found: &mut *found };
            members.next_value_seed(walk)?;
        }
        Ok(())
    }
}
