//! A reader of YAML as a small tree that knows where each node is in the text.
//!
//! It is for config files: one document, scalar keys, no duplicate keys, and errors that can be shown in the text. JSON
//! is read as YAML, which it is.

mod build;
mod events;
mod place;
mod scalar;
#[cfg(test)]
mod tests;

pub(crate) use scalar::{Kind, Scalar};
use std::borrow::Cow;
use std::ops::Range;

/// The most nodes that a text may have with its aliases expanded: a few lines of aliases can mean billions.
const MAX_NODES: usize = 100_000;

/// The most bytes of text that aliases may repeat: one long string can have thousands of aliases.
const MAX_REPEATED: usize = 16 * 1024 * 1024;

/// The deepest nesting of lists and mappings. Building and dropping a tree recurse.
const MAX_DEPTH: usize = 64;

/// A value with its place in the text.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) value: Value,
    /// The bytes of the text that the value covers, without its anchor and tag.
    ///
    /// An omitted value has an empty range where it would be. An alias has its own place, but the contents of the list
    /// or mapping that it refers to have the places where they were written. The same holds for pairs that `<<` merges
    /// in.
    pub(crate) at: Range<usize>,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Scalar(Scalar),
    Sequence(Vec<Node>),
    /// Scalar keys and their values, in the order of the file. Merged pairs are where `<<` was.
    Mapping(Vec<(Node, Node)>),
}

/// A problem in a text, and its place.
#[derive(Clone, Debug)]
pub(crate) struct YamlError {
    /// The place in the text, in bytes. Empty if something is missing, for example at the end of the text.
    pub(crate) at: Range<usize>,
    pub(crate) message: String,
}

impl YamlError {
    fn new(at: Range<usize>, message: impl Into<String>) -> Self {
        YamlError { at, message: message.into() }
    }
}

/// Reads a text with one document. `None` if it only has blanks, comments and document markers.
pub(crate) fn parse(text: &str) -> Result<Option<Node>, YamlError> {
    let document = events::read(text)?;
    if document.is_empty() { Ok(None) } else { build::tree(text, &document).map(Some) }
}

/// Replaces each pair of JSON escapes for one character with that character: YAML has no such pairs. Other texts stay
/// as they are.
pub(crate) fn with_whole_characters(text: &str) -> Cow<'_, str> {
    if !text.trim_start().starts_with(['{', '[']) || !text.contains("\\u") {
        return Cow::Borrowed(text);
    }
    let mut whole = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (plain, tail) = rest.split_at(at);
        whole.push_str(plain);
        let unit = |text: &str| u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok();
        let pair = unit(tail).zip(tail.get(6..).and_then(unit));
        let character = pair.and_then(|(high, low)| char::decode_utf16([high, low]).next()?.ok());
        match character.filter(|character| character.len_utf16() == 2) {
            Some(character) => {
                whole.push(character);
                rest = tail.get(12..).unwrap_or_default();
            }
            None => {
                // The character after a backslash belongs to it, even if it is another backslash.
                let end = tail.char_indices().nth(2).map_or(tail.len(), |(end, _)| end);
                let (escape, after) = tail.split_at(end);
                whole.push_str(escape);
                rest = after;
            }
        }
    }
    whole.push_str(rest);
    Cow::Owned(whole)
}

impl Node {
    pub(crate) fn scalar(&self) -> Option<&Scalar> {
        match &self.value {
            Value::Scalar(scalar) => Some(scalar),
            Value::Sequence(_) | Value::Mapping(_) => None,
        }
    }

    pub(crate) fn as_sequence(&self) -> Option<&[Node]> {
        match &self.value {
            Value::Sequence(items) => Some(items),
            Value::Scalar(_) | Value::Mapping(_) => None,
        }
    }

    pub(crate) fn as_mapping(&self) -> Option<&[(Node, Node)]> {
        match &self.value {
            Value::Mapping(pairs) => Some(pairs),
            Value::Scalar(_) | Value::Sequence(_) => None,
        }
    }

    /// Returns the meaning of a scalar. `None` for a list or mapping.
    pub(crate) fn kind(&self) -> Option<Kind> {
        self.scalar().map(Scalar::kind)
    }

    pub(crate) fn is_null(&self) -> bool {
        self.kind() == Some(Kind::Null)
    }

    /// Returns the text of a string. A plain `true` or `1` is not a string.
    pub(crate) fn as_str(&self) -> Option<&str> {
        self.scalar().filter(|scalar| scalar.kind() == Kind::Str).map(|scalar| scalar.text.as_str())
    }

    /// Returns the value of a key, found by the key's text: `1` and `"1"` are the same here.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        let is_it = |node: &Node| node.scalar().is_some_and(|scalar| scalar.text == key);
        self.as_mapping()?.iter().find(|(name, _)| is_it(name)).map(|(_, value)| value)
    }

    /// Returns the name of the value's kind, for messages.
    pub(crate) fn kind_name(&self) -> &'static str {
        match &self.value {
            Value::Scalar(scalar) => scalar.kind().name(),
            Value::Sequence(_) => "a list",
            Value::Mapping(_) => "a mapping",
        }
    }

    /// Returns the value as JSON. The depth of the tree is already bounded.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Sequence(items) => items.iter().map(Node::to_json).collect(),
            Value::Mapping(pairs) => {
                let key = |node: &Node| node.scalar().map(|scalar| scalar.text.clone()).unwrap_or_default();
                serde_json::Value::Object(pairs.iter().map(|(name, value)| (key(name), value.to_json())).collect())
            }
            Value::Scalar(scalar) => match scalar.kind() {
                Kind::Null => serde_json::Value::Null,
                Kind::Bool(flag) => flag.into(),
                Kind::Int(number) => number.into(),
                Kind::Float(number) => number.into(),
                Kind::Str => scalar.text.clone().into(),
            },
        }
    }
}
