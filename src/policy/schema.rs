//! Checks the settings of a policy against its JSON Schema when the config is read. A mistake is then reported with its
//! line, and not by the policy at its first call.

use super::{Policy, Setting};
use crate::config::{kind_of, suggest};
use crate::protocol::{Member, object};
use serde_json::Value;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The largest schema, in bytes. Schemas are part of hookbox, and small.
const MAX_BYTES: usize = 1 << 20;
/// The nesting depth to which settings are checked.
const MAX_DEPTH: usize = 16;

/// The JSON Schema of a policy's settings: the subset of the language that derived schemas use.
pub(crate) struct Schema {
    text: &'static str,
    root: Value,
}

/// A setting that does not fit the schema.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) at: Range<usize>,
    /// Whether the key is wrong, rather than its value.
    pub(crate) is_key: bool,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl Schema {
    pub(crate) fn of(policy: &Policy) -> Self {
        Schema { text: policy.schema, root: serde_json::from_str(policy.schema).unwrap_or_default() }
    }

    /// Returns the settings, in the order of the schema.
    pub(super) fn settings(&self) -> Vec<Setting> {
        let properties = member(self.text, "properties").unwrap_or_default();
        let members: Vec<Member<'_>> = object(properties.as_bytes(), MAX_BYTES).unwrap_or_default();
        let setting = |(name, schema): Member<'_>| {
            let description = member(schema.get(), "description").unwrap_or_default();
            let parsed: Value = serde_json::from_str(schema.get()).unwrap_or_default();
            Setting {
                words: self.words_of(&parsed),
                name: name.to_string(),
                description: serde_json::from_str(&description).unwrap_or_default(),
                default: member(schema.get(), "default").unwrap_or_else(|| "null".to_owned()),
            }
        };
        members.into_iter().map(setting).collect()
    }

    /// Returns the words that are allowed as a value. The schema of an optional value has them in one of its
    /// alternatives.
    fn words_of(&self, schema: &Value) -> Vec<String> {
        let schema = resolve(&self.root, schema);
        let own = words(schema).map(|words| words.into_iter().map(str::to_owned).collect());
        let of_choices = || choices(schema)?.iter().map(|choice| self.words_of(choice)).find(|words| !words.is_empty());
        own.or_else(of_choices).unwrap_or_default()
    }

    /// Returns the problems in the `settings` table of an entry.
    pub(crate) fn check(&self, settings: &DeTable<'_>) -> Vec<Problem> {
        let mut check = Check { root: &self.root, problems: Vec::new() };
        check.table("settings", settings, &self.root, 0);
        check.problems
    }
}

struct Check<'a> {
    root: &'a Value,
    problems: Vec<Problem>,
}

impl<'a> Check<'a> {
    fn value(&mut self, name: &str, value: &Spanned<DeValue<'_>>, schema: &'a Value, depth: usize) {
        let schema = self.resolved(schema);
        if depth > MAX_DEPTH {
            return;
        }
        if let Some(words) = words(schema) {
            return self.word(name, value, &words);
        }
        if let Some(choices) = choices(schema) {
            return self.choice(name, value, choices, depth);
        }
        let given = value.get_ref();
        let types = types(schema);
        if !types.is_empty() && !types.iter().any(|wanted| is_a(given, wanted)) {
            let wanted: Vec<&str> =
                types.iter().filter(|wanted| **wanted != "null").map(|name| in_words(name)).collect();
            let message = format!("`{name}` must be {}, not {}", wanted.join(" or "), kind_of(given));
            return self.bad(value.span(), message, None);
        }
        match given {
            DeValue::Table(table) => self.table(name, table, schema, depth),
            DeValue::Array(items) => {
                if let Some(of) = schema.get("items") {
                    items.iter().for_each(|item| self.value(name, item, of, depth + 1));
                }
            }
            DeValue::Integer(number) => {
                let Ok(number) = i64::from_str_radix(&number.as_str().replace('_', ""), number.radix()) else { return };
                let bound = |key| schema.get(key).and_then(Value::as_i64);
                if bound("minimum").is_some_and(|least| number < least)
                    || bound("maximum").is_some_and(|most| number > most)
                {
                    let least = bound("minimum").unwrap_or(0);
                    let most = bound("maximum").map_or(String::new(), |most| format!(" and at most {most}"));
                    self.bad(value.span(), format!("`{name}` must be at least {least}{most}"), None);
                }
            }
            _ => {}
        }
    }

    fn table(&mut self, name: &str, table: &DeTable<'_>, schema: &'a Value, depth: usize) {
        let properties = schema.get("properties").and_then(Value::as_object);
        let other = schema.get("additionalProperties");
        for (key, value) in table {
            let known = properties.and_then(|properties| properties.get(key.get_ref().as_ref()));
            let name = format!("{name}.{}", key.get_ref());
            match (known, other) {
                (Some(schema), _) => self.value(&name, value, schema, depth + 1),
                (None, Some(Value::Bool(false))) => {
                    let known: Vec<&str> = properties.iter().flat_map(|all| all.keys()).map(String::as_str).collect();
                    let help = Some(suggest(key.get_ref(), &known));
                    let message = format!("unknown key `{name}`");
                    self.problems.push(Problem { at: key.span(), is_key: true, message, help });
                }
                (None, Some(schema @ Value::Object(_))) => self.value(&name, value, schema, depth + 1),
                (None, _) => {}
            }
        }
    }

    fn word(&mut self, name: &str, value: &Spanned<DeValue<'_>>, words: &[&str]) {
        match value.get_ref().as_str() {
            Some(word) if words.contains(&word) => {}
            Some(word) => self.bad(value.span(), format!("`{name}` is {word:?}"), Some(suggest(word, words))),
            None => {
                let message = format!("`{name}` must be a string, not {}", kind_of(value.get_ref()));
                self.bad(value.span(), message, Some(format!("one of: {}", words.join(", "))));
            }
        }
    }

    /// Checks a value that may have one of several forms. Reports the problems of the form that fits best.
    fn choice(&mut self, name: &str, value: &Spanned<DeValue<'_>>, choices: &'a [Value], depth: usize) {
        let mut best: Option<Vec<Problem>> = None;
        for choice in choices {
            let mut attempt = Check { root: self.root, problems: Vec::new() };
            attempt.value(name, value, choice, depth + 1);
            // No TOML value is null, so the problem of this alternative would name no expected type.
            let is_null = types(self.resolved(choice)) == ["null"];
            if !is_null && best.as_ref().is_none_or(|best| attempt.problems.len() < best.len()) {
                best = Some(attempt.problems);
            }
        }
        self.problems.extend(best.unwrap_or_default());
    }

    fn bad(&mut self, at: Range<usize>, message: String, help: Option<String>) {
        self.problems.push(Problem { at, is_key: false, message, help });
    }

    fn resolved(&self, schema: &'a Value) -> &'a Value {
        resolve(self.root, schema)
    }
}

/// Returns the schema that a reference names, or the schema itself if it is not a reference.
fn resolve<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let name = schema.get("$ref").and_then(Value::as_str).and_then(|name| name.strip_prefix('#'));
    name.and_then(|pointer| root.pointer(pointer)).unwrap_or(schema)
}

/// Returns the JSON text of a member of an object.
fn member(object_text: &str, key: &str) -> Option<String> {
    let members = object(object_text.as_bytes(), MAX_BYTES).ok()?;
    members.into_iter().find(|(name, _)| name == key).map(|(_, value)| value.get().to_owned())
}

/// Returns the words that a schema lists.
fn words(schema: &Value) -> Option<Vec<&str>> {
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return words.iter().map(Value::as_str).collect();
    }
    choices(schema)?.iter().map(|choice| choice.get("const")?.as_str()).collect()
}

fn choices(schema: &Value) -> Option<&[Value]> {
    let list = schema.get("oneOf").or_else(|| schema.get("anyOf"))?;
    list.as_array().map(Vec::as_slice)
}

fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn is_a(value: &DeValue<'_>, wanted: &str) -> bool {
    match value {
        DeValue::String(_) | DeValue::Datetime(_) => wanted == "string",
        DeValue::Integer(_) => wanted == "integer" || wanted == "number",
        DeValue::Float(_) => wanted == "number",
        DeValue::Boolean(_) => wanted == "boolean",
        DeValue::Array(_) => wanted == "array",
        DeValue::Table(_) => wanted == "object",
    }
}

fn in_words(name: &str) -> &str {
    match name {
        "string" => "a string",
        "integer" => "a whole number",
        "number" => "a number",
        "boolean" => "true or false",
        "array" => "an array",
        "object" => "a table",
        other => other,
    }
}
