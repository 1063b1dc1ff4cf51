//! The text of a settings file.

use anyhow::bail;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstNode, CstRootNode};
use serde_json::Value;
use std::collections::HashSet;
use toml::de::DeTable;

/// A byte order mark, which some editors write at the beginning of a file.
const MARK: &str = "\u{feff}";

/// The deepest nesting that is read.
const MAX_DEPTH: usize = 100;

/// The byte order mark of a text, if there is one, and the rest.
pub(super) fn split_mark(text: &str) -> (&str, &str) {
    match text.strip_prefix(MARK) {
        Some(rest) => (MARK, rest),
        None => ("", text),
    }
}

/// Reads a text without a byte order mark.
///
/// # Errors
/// It is not JSON, or an object in it has a duplicate key: agents differ on which one counts.
pub(super) fn parse(text: &str) -> anyhow::Result<CstRootNode> {
    let root = CstRootNode::parse(text, &options(true, true))
        .map_err(|error| anyhow::anyhow!("it is not valid JSON: {error}"))?;
    if let Some(value) = root.value() {
        refuse_duplicates(&value, 0)?;
    }
    Ok(root)
}

/// What of JSON's extensions is accepted. Some agents accept comments; none accepts others, not even a trailing comma,
/// but its place can be told.
pub(super) fn options(allow_comments: bool, allow_trailing_commas: bool) -> ParseOptions {
    ParseOptions {
        allow_comments,
        allow_trailing_commas,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// Checks that a text can be read, possibly with a byte order mark.
///
/// # Errors
/// It cannot.
pub(super) fn check(text: &str) -> anyhow::Result<()> {
    parse(split_mark(text).1).map(drop)
}

fn refuse_duplicates(node: &CstNode, depth: usize) -> anyhow::Result<()> {
    if depth > MAX_DEPTH {
        bail!("it is nested too deeply");
    }
    if let Some(object) = node.as_object() {
        let mut names = HashSet::new();
        for property in object.properties() {
            let Some(name) = property.decoded_name() else { bail!("it has a key that cannot be read") };
            if names.contains(&name) {
                bail!("it has the key `{name}` twice in one object, and which of both counts is not known: remove one");
            }
            names.insert(name);
            if let Some(value) = property.value() {
                refuse_duplicates(&value, depth + 1)?;
            }
        }
    }
    for element in node.as_array().iter().flat_map(|array| array.elements()) {
        refuse_duplicates(&element, depth + 1)?;
    }
    Ok(())
}

/// The value of a text, if it can be parsed.
pub(super) fn value(text: &str) -> Option<Value> {
    parse(split_mark(text).1).ok()?.to_serde_value()
}

/// The value of a TOML text, if it can be parsed, without the members that JSON cannot express.
pub(in crate::cli) fn toml_value(text: &str) -> Option<Value> {
    let table = DeTable::parse(text).ok()?.into_inner();
    let members = table.iter().filter_map(|(key, value)| {
        let json = hookbox::internal::toml_to_json(value.get_ref()).ok()?;
        Some((key.get_ref().to_string(), serde_json::from_str(&json).ok()?))
    });
    Some(Value::Object(members.collect()))
}

/// Whether two texts mean the same.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    value(one).is_some_and(|one| Some(one) == value(other))
}
