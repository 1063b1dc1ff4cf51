//! The arguments of a call, including duplicate keys.

use hookbox_sdk::Json;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A JSON value. Servers disagree about which of two members with the same name counts, so all members are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Text(String),
    /// A number, a boolean or null, as written.
    Plain(String),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl Value {
    /// Collects all texts, numbers and booleans in the value.
    pub(crate) fn leaves<'v>(&'v self, to: &mut Vec<&'v str>) {
        match self {
            Value::Text(text) | Value::Plain(text) => to.push(text),
            Value::List(values) => values.iter().for_each(|value| value.leaves(to)),
            Value::Object(members) => members.iter().for_each(|(_, value)| value.leaves(to)),
        }
    }

    /// Collects the values at a path of keys, such as `options.sql`. Lists along the path are searched.
    pub(crate) fn at<'v>(&'v self, path: &str, to: &mut Vec<&'v Value>) {
        match self {
            Value::Object(members) => {
                for (key, value) in members {
                    if same_key(key, path) {
                        to.push(value);
                    } else if let Some((first, rest)) = path.split_once('.')
                        && same_key(key, first)
                    {
                        value.at(rest, to);
                    }
                }
            }
            Value::List(values) => values.iter().for_each(|value| value.at(path, to)),
            Value::Text(_) | Value::Plain(_) => {}
        }
    }

    /// Collects the texts below keys with these names, at any depth, each with its key.
    pub(crate) fn named<'v>(&'v self, names: &[String], to: &mut Vec<(&'v str, &'v str)>) {
        match self {
            Value::Object(members) => {
                for (key, value) in members {
                    if names.iter().any(|name| same_key(name, key)) {
                        let mut leaves = Vec::new();
                        value.leaves(&mut leaves);
                        to.extend(leaves.into_iter().map(|leaf| (key.as_str(), leaf)));
                    } else {
                        value.named(names, to);
                    }
                }
            }
            Value::List(values) => values.iter().for_each(|value| value.named(names, to)),
            Value::Text(_) | Value::Plain(_) => {}
        }
    }

    /// Collects all texts in the value, each with the nearest key above it.
    pub(crate) fn keyed<'v>(&'v self, key: &'v str, to: &mut Vec<(&'v str, &'v str)>) {
        match self {
            Value::Text(text) => to.push((key, text)),
            Value::Plain(_) => {}
            Value::List(values) => values.iter().for_each(|value| value.keyed(key, to)),
            Value::Object(members) => members.iter().for_each(|(key, value)| value.keyed(key, to)),
        }
    }

    /// Returns the value without the objects below keys with these names. The members of the value itself are kept: they
    /// are the arguments.
    pub(crate) fn without(&self, names: &[&str]) -> Value {
        match self {
            Value::Object(members) => {
                let kept = members.iter().map(|(key, value)| (key.clone(), value.pruned(names)));
                Value::Object(kept.collect())
            }
            Value::List(values) => Value::List(values.iter().map(|value| value.without(names)).collect()),
            Value::Text(_) | Value::Plain(_) => self.clone(),
        }
    }

    fn pruned(&self, names: &[&str]) -> Value {
        match self {
            Value::Object(members) => {
                let is_kept = |(key, value): &&(String, Value)| {
                    !matches!(value, Value::Object(_)) || !names.iter().any(|name| same_key(name, key))
                };
                let kept = members.iter().filter(is_kept).map(|(key, value)| (key.clone(), value.pruned(names)));
                Value::Object(kept.collect())
            }
            Value::List(values) => Value::List(values.iter().map(|value| value.pruned(names)).collect()),
            Value::Text(_) | Value::Plain(_) => self.clone(),
        }
    }

    /// Returns all members with one of these names.
    pub(crate) fn members<'v>(&'v self, names: &'v [&'v str]) -> impl Iterator<Item = &'v Value> {
        let members = match self {
            Value::Object(members) => members.as_slice(),
            _ => &[],
        };
        members.iter().filter(move |(key, _)| names.iter().any(|name| same_key(name, key))).map(|(_, value)| value)
    }

    /// Returns the texts of all members with one of these names.
    pub(crate) fn texts<'v>(&'v self, names: &'v [&'v str]) -> impl Iterator<Item = &'v str> {
        self.members(names).filter_map(|value| match value {
            Value::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// Returns the values that texts in this value contain as JSON.
    pub(crate) fn decoded(&self) -> Vec<Value> {
        let mut leaves = Vec::new();
        self.leaves(&mut leaves);
        leaves.into_iter().filter_map(parse).collect()
    }

    /// Parses the value if it is a text that contains JSON.
    pub(crate) fn parsed(&self) -> Option<Value> {
        match self {
            Value::Text(text) => parse(text),
            _ => None,
        }
    }
}

/// Parses a text that contains a JSON object or list.
pub(crate) fn parse(text: &str) -> Option<Value> {
    let is_json = text.trim_start().starts_with(['{', '[']);
    is_json.then(|| Json::parse(text).ok()?.to().ok()).flatten()
}

/// Whether two keys are the same except for case, `_` and `-`.
pub(crate) fn same_key(one: &str, other: &str) -> bool {
    one == other || one.len().abs_diff(other.len()) < 4 && plain(one).eq(plain(other))
}

fn plain(key: &str) -> impl Iterator<Item = char> {
    key.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase)
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Plain(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Plain(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Plain(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Plain(value.to_string()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Plain("null".to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = seq.next_element()? {
            values.push(value);
        }
        Ok(Value::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Value::Object(members))
    }
}
