//! Sets of characters: `[..]`, `\d` and the like, `[:alpha:]`.

use super::{escape, refused, split_first, unicode};

/// Reads a bracketed set at the start of the text, and returns it with the rest.
pub(super) fn bracketed(text: &str) -> Result<(String, &str), String> {
    let mut set = String::from("[");
    let mut rest = text.strip_prefix('[').unwrap_or_default();
    if let Some(after) = rest.strip_prefix('^') {
        set.push('^');
        rest = after;
    }
    let mut is_first = true;
    loop {
        // At the start of a set, `]` is a member.
        if !is_first && let Some(after) = rest.strip_prefix(']') {
            set.push(']');
            return Ok((set, after));
        }
        is_first = false;
        rest = match named(rest)? {
            Some((member, after)) => {
                set.push_str(&member);
                after
            }
            None => push_range(&mut set, rest, text)?,
        };
    }
}

/// Reads a named set at the start of the text, inside brackets.
fn named(text: &str) -> Result<Option<(String, &str)>, String> {
    match posix(text)? {
        Some(found) => Ok(Some(found)),
        None => escaped(text),
    }
}

/// Reads a set that is named by an escape: `\d`, `\pL`.
pub(super) fn escaped(text: &str) -> Result<Option<(String, &str)>, String> {
    let sets = [
        (r"\d", "[0-9]"),
        (r"\D", "[^0-9]"),
        (r"\s", r"[\t\n\f\r\x20]"),
        (r"\S", r"[^\t\n\f\r\x20]"),
        (r"\w", "[0-9A-Za-z_]"),
        (r"\W", "[^0-9A-Za-z_]"),
    ];
    for (name, set) in sets {
        if let Some(after) = text.strip_prefix(name) {
            return Ok(Some((set.to_owned(), after)));
        }
    }
    unicode::property(text)
}

/// Reads a set like `[:alpha:]` or `[:^alpha:]`.
fn posix(text: &str) -> Result<Option<(String, &str)>, String> {
    let Some((name, after)) = text.strip_prefix("[:").and_then(|text| text.split_once(":]")) else {
        return Ok(None);
    };
    let (sign, name) = name.strip_prefix('^').map_or(("", name), |name| ("^", name));
    let members = match name {
        "alnum" => "0-9A-Za-z",
        "alpha" => "A-Za-z",
        "ascii" => r"\x00-\x7F",
        "blank" => r"\t\x20",
        "cntrl" => r"\x00-\x1F\x7F",
        "digit" => "0-9",
        "graph" => r"\x21-\x7E",
        "lower" => "a-z",
        "print" => r"\x20-\x7E",
        "punct" => r"\x21-\x2F\x3A-\x40\x5B-\x60\x7B-\x7E",
        "space" => r"\x09-\x0D\x20",
        "upper" => "A-Z",
        "word" => "0-9A-Za-z_",
        "xdigit" => "0-9A-Fa-f",
        _ => return Err(refused("invalid character class range", text, after)),
    };
    Ok(Some((format!("[{sign}{members}]"), after)))
}

/// Adds the character or range at the start of the text, and returns the rest.
fn push_range<'t>(set: &mut String, text: &'t str, whole_set: &str) -> Result<&'t str, String> {
    let (low, after_low) = member(text, whole_set)?;
    let (high, after) = match after_low.strip_prefix('-') {
        // In `[a-]` the `-` is a member.
        Some(high) if !high.is_empty() && !high.starts_with(']') => member(high, whole_set)?,
        _ => (low, after_low),
    };
    if high < low {
        return Err(refused("invalid character class range", text, after));
    }
    escape::push_char(set, low);
    if low < high {
        set.push('-');
        escape::push_char(set, high);
    }
    Ok(after)
}

fn member<'t>(text: &'t str, whole_set: &str) -> Result<(char, &'t str), String> {
    match split_first(text) {
        Some(('\\', _)) => escape::character(text),
        Some((c, after)) => Ok((c, after)),
        None => Err(refused("missing closing ]", whole_set, "")),
    }
}
