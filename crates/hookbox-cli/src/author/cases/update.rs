//! Replaces expected answers with actual ones, and leaves the rest of the file alone.

use super::answers;
use super::expectation::fits;
use super::json::same;
use super::{Actual, Case, Cases, Expectation, Form, Text, lines};
use hookbox::internal::{self, ObjectWriter, object};
use hookbox::{Decision, Input, Json};
use std::collections::HashMap;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value};

/// The key whose members are replaced one by one.
const HTTP: &str = "http";

/// The result of updating a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Update {
    /// The case already matches the actual answer.
    None,
    /// The case now matches the actual answer; these keys have changed.
    Changed(Vec<&'static str>),
    /// The case is unchanged, because the actual answer cannot be recorded.
    Refused(String),
}

/// The new value of each key; `None` removes the key. The value of `http` has only the answers that are new.
type Edits = Vec<(&'static str, Option<Json>)>;

/// Returns the text of the file with the actual answers of these cases, and the result for each. Only `expect`,
/// `error`, `reason` and `modified` change, and `http` if the network answered. An error is only recorded where one was
/// expected: a failing hook must not become the expected behavior.
///
/// # Errors
/// Returns an error if the file has changed since it was read.
pub fn update(cases: &Cases, came: &[(&Case, &Actual)]) -> Result<(String, Vec<Update>), String> {
    let (mut edits, mut updates) = (HashMap::new(), Vec::new());
    for (case, given) in came {
        let wanted = edits_of(case, given).and_then(|wanted| match Form::for_file(&cases.file) {
            Form::Toml if !wanted.iter().all(|(_, json)| json.as_ref().is_none_or(|json| to_toml(json).is_some())) => {
                Err("TOML has no word for what came (`null`, or a number that is too large): use JSON lines".to_owned())
            }
            _ => Ok(wanted),
        });
        updates.push(match wanted {
            Ok(wanted) if wanted.is_empty() => Update::None,
            Ok(wanted) => {
                let keys = wanted.iter().map(|(key, _)| *key).collect();
                edits.insert(case.index, wanted);
                Update::Changed(keys)
            }
            Err(why) => Update::Refused(why),
        });
    }
    let text = match Form::for_file(&cases.file) {
        Form::Toml => edit_toml(&cases.file.text, &edits)?,
        Form::Lines => edit_lines(&cases.file.text, &edits)?,
    };
    Ok((text, updates))
}

/// Returns the edits that make a case expect the actual answer.
fn edits_of(case: &Case, given: &Actual) -> Result<Edits, String> {
    if let Some(why) = &given.unheard {
        return Err(format!("the hook was not asked: {why}"));
    }
    let mut edits = Edits::new();
    edits.extend(answers::edits(case, given)?.map(|answers| (HTTP, Some(answers))));
    let expectation = case.expectation.as_ref();
    if expectation.is_some_and(|expectation| expectation.mismatches(given).is_empty()) {
        return Ok(edits);
    }
    let said = match (expectation, &given.failure) {
        (Some(Expectation::Error { code, reason }), Some(failure)) => {
            if *code != failure.code {
                edits.push(("error", Some(Json::string(failure.code.as_str()))));
            }
            reason.as_ref()
        }
        (_, Some(failure)) => {
            return Err(format!("the hook failed, which is not recorded ({}: {})", failure.code, failure.message));
        }
        (Some(Expectation::Error { reason, .. }), None) => {
            edits.push(("error", None));
            edits.push(("expect", Some(decision(given))));
            reason.as_ref()
        }
        (Some(Expectation::Decision { decision: expected, reason, .. }), None) => {
            if *expected != given.decision {
                edits.push(("expect", Some(decision(given))));
            }
            reason.as_ref()
        }
        (None, None) => {
            edits.push(("expect", Some(decision(given))));
            // A first recording includes everything that is compared.
            edits.extend(given.why().map(|why| ("reason", Some(Json::string(why)))));
            None
        }
    };
    let still_fits = |text: &Text| given.why().is_some_and(|why| text.fits(why));
    if said.is_some_and(|text| !still_fits(text)) {
        edits.push(("reason", given.why().map(Json::string)));
    }
    let (expected, was_modify) = match expectation {
        Some(Expectation::Decision { decision, modified, .. }) => (modified.as_ref(), *decision == Decision::Modify),
        _ => (None, false),
    };
    let is_modify = given.decision == Decision::Modify && given.failure.is_none();
    match expected {
        Some(_) if !is_modify => edits.push(("modified", None)),
        Some(expected) if fits(expected, given.modified.as_ref()) => {}
        // A case that expects a rewrite without saying which one stays that way.
        None if was_modify || !is_modify => {}
        _ => edits.push(("modified", Some(changed(&case.input, given)?))),
    }
    Ok(edits)
}

fn decision(given: &Actual) -> Json {
    Json::string(given.decision.as_str())
}

/// Returns the rewrite as a case records it: for an object, the members that have changed.
fn changed(input: &Input, given: &Actual) -> Result<Json, String> {
    let Some(after) = &given.modified else {
        return Err("the hook answered `modify`, and nothing is there to compare".to_owned());
    };
    let before = crate::author::trial::rewritable(input);
    let (Some(before), Some(members)) = (before.as_ref().and_then(internal::members), internal::members(after)) else {
        return Ok(after.clone());
    };
    let mut out = ObjectWriter::with_capacity(after.as_str().len());
    let mut is_empty = true;
    for (key, value) in &members {
        let old = before.iter().find(|(other, _)| other == key).map(|(_, value)| internal::value(value));
        if !old.is_some_and(|old| same(&old, &internal::value(value))) {
            out.raw(key, value.get());
            is_empty = false;
        }
    }
    // The rewrite changed nothing or only removed members: the whole object at least shows what is left.
    if is_empty && members.is_empty() {
        return Err("the hook took every member away, which `modified` cannot say".to_owned());
    }
    let text = if is_empty { after.as_str().to_owned() } else { out.finish() };
    Json::parse(&text).map_err(|error| error.message)
}

fn edit_toml(text: &str, edits: &HashMap<usize, Edits>) -> Result<String, String> {
    const GONE: &str = "the cases are not where they were";
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
    let cases = document.get_mut("case").ok_or(GONE)?;
    for (index, edits) in edits {
        let case: &mut dyn TableLike = match &mut *cases {
            Item::ArrayOfTables(tables) => tables.get_mut(*index).ok_or(GONE)?,
            Item::Value(Value::Array(items)) => {
                items.get_mut(*index).and_then(Value::as_inline_table_mut).ok_or(GONE)?
            }
            _ => return Err(GONE.to_owned()),
        };
        for (key, json) in edits {
            match json.as_ref().and_then(to_toml) {
                Some(Value::InlineTable(answers)) if *key == HTTP => put_answers(case, answers),
                Some(value) => put(case, key, value),
                None => {
                    case.remove(key);
                }
            }
        }
    }
    Ok(document.to_string())
}

/// Replaces a value, and keeps the surrounding comments.
fn put(case: &mut dyn TableLike, key: &str, mut value: Value) {
    if let Some(old) = case.get(key).and_then(Item::as_value) {
        *value.decor_mut() = old.decor().clone();
        if let Some(item) = case.get_mut(key) {
            *item = Item::Value(value);
        }
        return;
    }
    case.remove(key);
    case.insert(key, Item::Value(value));
}

/// Adds the answers to a case. They replace the case's answers to the same requests.
fn put_answers(case: &mut dyn TableLike, answers: InlineTable) {
    if !case.get(HTTP).is_some_and(Item::is_table_like) {
        case.insert(HTTP, Item::Table(Table::new()));
    }
    let Some(http) = case.get_mut(HTTP).and_then(Item::as_table_like_mut) else { return };
    for (request, answer) in answers {
        put(http, &request, answer);
    }
}

/// Returns the value in TOML, which has no `null` and no numbers over 64 bits.
fn to_toml(json: &Json) -> Option<Value> {
    if let Some(members) = internal::members(json) {
        let mut table = InlineTable::new();
        for (key, value) in members {
            table.insert(key.as_ref(), to_toml(&internal::value(value))?);
        }
        return Some(Value::from(table));
    }
    match json.to::<serde_json::Value>().ok()? {
        serde_json::Value::Null | serde_json::Value::Object(_) => None,
        serde_json::Value::Bool(value) => Some(Value::from(value)),
        serde_json::Value::String(text) => Some(Value::from(text)),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(number) => Some(Value::from(number)),
            None if json.as_str().contains(['.', 'e', 'E']) => Some(Value::from(number.as_f64()?)),
            None => None,
        },
        serde_json::Value::Array(_) => {
            let items: Vec<Box<serde_json::value::RawValue>> = json.to().ok()?;
            let items = items.iter().map(|item| to_toml(&internal::value(item)));
            Some(Value::from(items.collect::<Option<Array>>()?))
        }
    }
}

fn edit_lines(text: &str, edits: &HashMap<usize, Edits>) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut index = 0;
    for (start, line) in lines::lines(text) {
        let end = text.get(start + line.len()..).map_or("", |rest| match rest {
            rest if rest.starts_with("\r\n") => "\r\n",
            rest if rest.starts_with('\n') => "\n",
            _ => "",
        });
        if line.trim().is_empty() {
            out.push_str(line);
        } else {
            match edits.get(&index) {
                Some(edits) => out.push_str(&edit_line(line, edits)?),
                None => out.push_str(line),
            }
            index += 1;
        }
        out.push_str(end);
    }
    Ok(out)
}

fn edit_line(line: &str, edits: &Edits) -> Result<String, String> {
    let members = object(line.as_bytes(), usize::MAX).map_err(|error| error.message)?;
    let edit_of = |key: &str| edits.iter().find(|(edited, _)| *edited == key).map(|(_, json)| json.as_ref());
    let mut out = ObjectWriter::with_capacity(line.len());
    for (key, value) in &members {
        match edit_of(key) {
            Some(Some(answers)) if key == HTTP => out.raw(key, &merged(value.get(), answers)?),
            Some(Some(json)) => out.raw(key, json.as_str()),
            Some(None) => &mut out,
            None => out.raw(key, value.get()),
        };
    }
    for (key, json) in edits {
        if let (Some(json), false) = (json, members.iter().any(|(known, _)| known == key)) {
            out.raw(key, json.as_str());
        }
    }
    Ok(out.finish())
}

/// Returns the `old` object with the `new` members in place of its own members of the same names.
fn merged(old: &str, new: &Json) -> Result<String, String> {
    let old = object(old.as_bytes(), usize::MAX).map_err(|error| error.message)?;
    let new = internal::members(new).unwrap_or_default();
    let mut out = ObjectWriter::with_capacity(256);
    let is_new = |key: &str| new.iter().any(|(other, _)| other == key);
    for (key, value) in old.iter().filter(|(key, _)| !is_new(key)).chain(&new) {
        out.raw(key, value.get());
    }
    Ok(out.finish())
}
