//! Values as TOML text.

use crate::protocol::{Json, replace_hidden};
use serde_json::Value;

/// Writes a key, quoted if necessary.
pub(crate) fn key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { string(name) }
}

/// Writes a string on one line. JSON's escapes are valid in TOML, too. Invisible characters are escaped.
#[must_use]
pub fn string(text: &str) -> String {
    let spell = |out: &mut String, c: char| {
        out.push_str(&match u32::from(c) {
            code @ ..=0xffff => format!("\\u{code:04x}"),
            code => format!("\\U{code:08x}"),
        });
    };
    replace_hidden(Json::string(text).as_str(), spell).into_owned()
}

/// Writes a value on one line. TOML has no `null`: a `null` member or item is left out. On its own, `null` becomes an
/// empty string, which no component key accepts.
pub(crate) fn value(json: &Value) -> String {
    match json {
        Value::Null => "\"\"".to_owned(),
        Value::Bool(_) => json.to_string(),
        Value::Number(number) if number.is_u64() && number.as_i64().is_none() => format!("{number}.0"),
        Value::Number(_) => json.to_string(),
        Value::String(text) => string(text),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().filter(|item| !item.is_null()).map(value).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(members) => {
            let members = members.iter().filter(|(_, value)| !value.is_null());
            let members: Vec<String> = members.map(|(name, json)| format!("{} = {}", key(name), value(json))).collect();
            if members.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", members.join(", ")) }
        }
    }
}
