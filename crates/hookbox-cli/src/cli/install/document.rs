//! The text of a settings file.

use anyhow::bail;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstNode, CstRootNode};
use serde_json::Value;
use std::collections::HashSet;
use toml::de::DeTable;

/// A byte order mark, which some editors write at the beginning of a file.
const MARK: &str = "\u{feff}";

/// The maximum depth of nesting that is accepted.
const MAX_DEPTH: usize = 100;

/// Splits a text into its byte order mark, if there is one, and the rest.
pub(super) fn split_mark(text: &str) -> (&str, &str) {
    match text.strip_prefix(MARK) {
        Some(rest) => (MARK, rest),
        None => ("", text),
    }
}

/// Reads a text without a byte order mark.
///
/// # Errors
/// Returns an error if the text is not JSON or is nested too deeply, or if an object in it has a duplicate key: agents
/// differ on which one counts.
pub(super) fn parse(text: &str) -> anyhow::Result<CstRootNode> {
    let root = CstRootNode::parse(text, &options(true, true))
        .map_err(|error| anyhow::anyhow!("it is not valid JSON: {error}"))?;
    if let Some(value) = root.value() {
        refuse_duplicates(&value, 0)?;
    }
    Ok(root)
}

/// Returns the extensions of JSON to accept. Some agents accept comments. No agent accepts any other extension, not
/// even a trailing comma, but accepting a trailing comma here makes it possible to report its position.
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
/// Returns an error if the text cannot be read.
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

/// Returns the value of a text, if it can be parsed.
pub(super) fn value(text: &str) -> Option<Value> {
    parse(split_mark(text).1).ok()?.to_serde_value()
}

/// Returns the value of a TOML text, if it can be parsed, without the members that JSON cannot express.
pub(in crate::cli) fn toml_value(text: &str) -> Option<Value> {
    let table = DeTable::parse(text).ok()?.into_inner();
    let members = table.iter().filter_map(|(key, value)| {
        let json = hookbox::internal::toml_to_json(value.get_ref()).ok()?;
        Some((key.get_ref().to_string(), serde_json::from_str(&json).ok()?))
    });
    Some(Value::Object(members.collect()))
}

/// Whether two texts have the same value.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    value(one).is_some_and(|one| Some(one) == value(other))
}
