//! What a result contains beside its text.

use serde_json::Value;

/// The keys of members that describe the other members.
const LABELS: [&str; 12] = [
    "type",
    "mode",
    "status",
    "kind",
    "cellType",
    "cell_type",
    "language",
    "mimeType",
    "mime_type",
    "media_type",
    "mediaType",
    "resultType",
];

/// The first characters of pictures, sound and PDF files in base64.
const MEDIA: [&str; 8] = ["iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR", "JVBERi0", "SUQz", "T2dnUw", "ZkxhQ"];

/// The shortest base64 that may be a picture.
const MIN_MEDIA: usize = 32;

/// The longest name or label.
const MAX_NAME: usize = 40;

/// The most digits in a name or label. Secrets have more.
const MAX_DIGITS: usize = 2;

/// Whether a value contains anything that hooks must see, other than numbers, labels, pictures and the names of
/// members.
pub(super) fn tells(key: &str, value: &Value) -> bool {
    match value {
        Value::String(text) => !text.is_empty() && !is_label(key, text) && !is_media(text),
        Value::Array(values) => values.iter().any(|value| tells("", value)),
        Value::Object(members) => members.iter().any(|(key, value)| !is_name(key) || tells(key, value)),
        _ => false,
    }
}

/// Whether a member, including its name, contains something that hooks must see.
pub(super) fn member_tells(key: &str, value: &Value) -> bool {
    !is_name(key) || tells(key, value)
}

/// Whether a text under this key only says what kind of thing the other members are.
pub(super) fn is_label(key: &str, text: &str) -> bool {
    LABELS.contains(&key) && is_plain(text, "-_/.+")
}

/// Whether a key is a name that someone gave to a member, rather than data.
pub(super) fn is_name(key: &str) -> bool {
    is_plain(key, "-_")
}

fn is_plain(text: &str, marks: &str) -> bool {
    text.len() <= MAX_NAME
        && text.chars().all(|c| c.is_ascii_alphanumeric() || marks.contains(c))
        && text.chars().filter(char::is_ascii_digit).count() <= MAX_DIGITS
}

/// Whether a text is a picture, sound or a PDF file in base64.
pub(super) fn is_media(text: &str) -> bool {
    let base64 = text.split_once(";base64,").filter(|(kind, _)| kind.starts_with("data:") && kind.len() < 64);
    let base64 = base64.map_or(text, |(_, base64)| base64);
    base64.len() >= MIN_MEDIA
        && MEDIA.iter().any(|begin| base64.starts_with(begin))
        && base64.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\r' | b'\n'))
}

pub(super) fn has_media(value: &Value) -> bool {
    match value {
        Value::String(text) => is_media(text),
        Value::Array(values) => values.iter().any(has_media),
        Value::Object(members) => members.values().any(has_media),
        _ => false,
    }
}

/// Returns the value with `null` in place of each picture, sound and PDF file.
pub(super) fn without_media(value: &Value) -> Value {
    match value {
        Value::String(text) if is_media(text) => Value::Null,
        Value::Array(values) => values.iter().map(without_media).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(key, value)| (key.clone(), without_media(value))).collect())
        }
        value => value.clone(),
    }
}

/// Whether two values differ only in texts and other plain values.
pub(super) fn same_shape(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same_shape(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, one)| other.get(key).is_some_and(|other| same_shape(one, other)))
        }
        (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}
