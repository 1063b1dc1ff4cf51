//! Converts a hook's `settings` table to the JSON that the hook reads.

use crate::config::fields::Fields;
use crate::protocol::{Json, ObjectWriter};
use toml::de::{DeTable, DeValue};

pub(super) fn read(fields: &mut Fields<'_>) -> Option<Json> {
    let (table, at) = fields.table("settings", r#"{ branches = ["main"] }"#)?;
    let json = object(table).and_then(|text| Json::parse(&text).map_err(|error| error.message));
    match json {
        Ok(json) => Some(json),
        Err(message) => {
            fields.bad_value(&at, format!("`settings` has no JSON form: {message}"), None);
            None
        }
    }
}

fn object(table: &DeTable<'_>) -> Result<String, String> {
    let mut out = ObjectWriter::with_capacity(64);
    for (key, value) in table {
        out.raw(key.get_ref(), &json(value.get_ref())?);
    }
    Ok(out.finish())
}

/// Converts a value to JSON.
///
/// # Errors
/// Returns an error if the value has no JSON form. The message is phrased to follow a colon.
pub fn json(value: &DeValue<'_>) -> Result<String, String> {
    match value {
        DeValue::String(text) => Ok(serde_json::Value::from(text.as_ref()).to_string()),
        DeValue::Integer(integer) => i64::from_str_radix(&integer.as_str().replace('_', ""), integer.radix())
            .map(|number| number.to_string())
            .map_err(|_| format!("{} is too large", integer.as_str())),
        DeValue::Float(float) => float
            .as_str()
            .replace('_', "")
            .parse()
            .ok()
            .and_then(serde_json::Number::from_f64)
            .map(|number| number.to_string())
            .ok_or_else(|| format!("{} is not a JSON number", float.as_str())),
        DeValue::Boolean(boolean) => Ok(boolean.to_string()),
        DeValue::Datetime(date) => Ok(serde_json::Value::from(date.to_string()).to_string()),
        DeValue::Array(items) => {
            let items: Result<Vec<String>, String> = items.iter().map(|item| json(item.get_ref())).collect();
            Ok(format!("[{}]", items?.join(",")))
        }
        DeValue::Table(table) => object(table),
    }
}
