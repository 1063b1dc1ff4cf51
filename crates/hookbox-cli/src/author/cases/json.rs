//! Compares JSON values by meaning, not by spelling.

use hookbox::Json;
use hookbox::internal::members;
use serde_json::value::RawValue;

/// Whether two values mean the same. The order of members and the spelling of strings and numbers do not matter.
/// Integers of up to 128 bits are compared exactly, all other numbers as `f64`.
pub(super) fn same(a: &Json, b: &Json) -> bool {
    same_text(a.as_str(), b.as_str())
}

fn same_text(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    match (kind(a), kind(b)) {
        ("an object", "an object") => same_objects(a, b),
        ("an array", "an array") => {
            let (Some(a), Some(b)) = (items(a), items(b)) else { return false };
            a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| same_text(a.get(), b.get()))
        }
        ("a string", "a string") => {
            matches!((serde_json::from_str::<String>(a), serde_json::from_str::<String>(b)), (Ok(a), Ok(b)) if a == b)
        }
        ("a number", "a number") => match (a.parse::<i128>(), b.parse::<i128>()) {
            (Ok(a), Ok(b)) => a == b,
            _ => matches!((a.parse::<f64>(), b.parse::<f64>()), (Ok(a), Ok(b)) if a == b),
        },
        _ => false,
    }
}

fn same_objects(a: &str, b: &str) -> bool {
    let (Ok(a), Ok(b)) = (Json::parse(a), Json::parse(b)) else { return false };
    let (Some(a), Some(b)) = (members(&a), members(&b)) else { return false };
    let has = |(key, value): &(_, &RawValue)| {
        b.iter().any(|(other, theirs)| other == key && same_text(value.get(), theirs.get()))
    };
    a.len() == b.len() && a.iter().all(has)
}

fn items(text: &str) -> Option<Vec<&RawValue>> {
    serde_json::from_str(text).ok()
}

/// Returns the kind of the value in a text, with its article.
pub(super) fn kind(text: &str) -> &'static str {
    match text.bytes().next() {
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    }
}

/// Returns the text of a string.
pub(super) fn string(json: &Json) -> Option<String> {
    json.to().ok()
}
