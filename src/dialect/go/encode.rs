//! JSON as Go writes it.

use crate::protocol::Json;
use serde_json::{Map, Value};

/// Removes the white space between the tokens of JSON.
pub(crate) fn compact(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let (mut in_string, mut escaped) = (false, false);
    for c in json.chars() {
        if !in_string && matches!(c, ' ' | '\t' | '\r' | '\n') {
            continue;
        }
        if c == '"' && !escaped {
            in_string = !in_string;
        }
        escaped = in_string && c == '\\' && !escaped;
        out.push(c);
    }
    out
}

/// Escapes the characters that Go's encoder escapes so that JSON can be embedded in HTML and JavaScript. They only
/// occur in strings.
pub(crate) fn escape_html(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// Returns JSON after a round trip through a Go map: keys sorted, numbers as 64-bit floats. Strict JSON already bounds
/// the depth.
pub(crate) fn normalize(json: &Json) -> Json {
    let normal = json.to::<Value>().ok().and_then(|value| {
        let mut out = String::with_capacity(json.as_str().len());
        write(&mut out, &value);
        Json::parse(&out).ok()
    });
    normal.unwrap_or_else(|| json.clone())
}

fn write(out: &mut String, value: &Value) {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(number) => out.push_str(&float(number)),
            None => out.push_str(&number.to_string()),
        },
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(out, item);
            }
            out.push(']');
        }
        Value::Object(members) => write_members(out, members),
        Value::String(text) => out.push_str(Json::string(text).as_str()),
        Value::Null | Value::Bool(_) => out.push_str(&value.to_string()),
    }
}

fn write_members(out: &mut String, members: &Map<String, Value>) {
    let mut members: Vec<_> = members.iter().collect();
    members.sort_by_key(|(key, _)| *key);
    out.push('{');
    for (index, (key, value)) in members.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        out.push_str(Json::string(key).as_str());
        out.push(':');
        write(out, value);
    }
    out.push('}');
}

/// Returns a number as Go writes it in JSON: the fewest digits that identify it, with an exponent below 1e-6 and from
/// 1e21 on.
pub(crate) fn float(number: f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) {
        let text = format!("{number:e}");
        return match text.split_once('e') {
            Some((digits, exponent)) if !exponent.starts_with('-') => format!("{digits}e+{exponent}"),
            _ => text,
        };
    }
    format!("{number}")
}
