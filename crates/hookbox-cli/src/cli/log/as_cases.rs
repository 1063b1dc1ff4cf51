//! Recorded events as cases for `hookbox test`.

use super::super::render;
use anyhow::bail;
use hookbox::Code;
use hookbox::record::{HookLine, Line};
use serde_json::Value;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, value};

/// Returns the cases for one hook, as a `cases.toml`.
///
/// # Errors
/// Returns an error if no hook is named, and the events are about several hooks or none.
pub(super) fn as_cases(lines: &[Line], hook: Option<&str>) -> anyhow::Result<String> {
    let hook = match hook {
        Some(hook) => hook,
        None => only_hook(lines)?,
    };
    let (mut cases, mut left_out) = (ArrayOfTables::new(), 0_u32);
    for line in lines {
        let asked = line.hooks.iter().find(|asked| asked.name == hook && !asked.is_async);
        let Some(asked) = asked else { continue };
        match case(line, asked) {
            Some(case) => cases.push(case),
            None => left_out += 1,
        }
    }
    if left_out > 0 {
        let why = "their Input is not in the log, is shortened there, or has a `null`, which TOML does not have";
        render::warning(Code::Log, &format!("events that do not become cases: {left_out}; {why}"));
    }
    let mut document = DocumentMut::new();
    document.insert("case", Item::ArrayOfTables(cases));
    Ok(document.to_string())
}

fn only_hook(lines: &[Line]) -> anyhow::Result<&str> {
    let mut names: Vec<&str> = lines.iter().flat_map(|line| &line.hooks).map(|hook| hook.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    match names.as_slice() {
        [name] => Ok(name),
        [] => bail!("there is no event in the log about which a hook was asked"),
        names => bail!("cases are for one hook: name it with --hook; the log has {}", names.join(", ")),
    }
}

fn case(line: &Line, asked: &HookLine) -> Option<Table> {
    if line.cut.iter().any(|pointer| pointer.starts_with("/input")) {
        return None;
    }
    let mut input: Value = serde_json::from_str(line.input.as_ref()?.get()).ok()?;
    // With a fixed time, a case gives the same result every day.
    if let Some(input) = input.as_object_mut() {
        input.entry("now").or_insert_with(|| line.time.clone().into());
    }
    let mut case = Table::new();
    case.insert("name", value(format!("{} {}", line.time, line.id)));
    case.insert("whole", Item::Value(toml_of(&input)?));
    match &asked.code {
        Some(code) => case.insert("error", value(code)),
        None => case.insert("expect", value(&asked.decision)),
    };
    Some(case)
}

/// Converts a value to TOML; `None` for what TOML does not have.
fn toml_of(json: &Value) -> Option<toml_edit::Value> {
    Some(match json {
        Value::Null => return None,
        Value::Bool(flag) => (*flag).into(),
        Value::Number(number) => match number.as_i64() {
            Some(integer) => integer.into(),
            None => number.as_f64().filter(|_| number.is_f64())?.into(),
        },
        Value::String(text) => text.into(),
        Value::Array(values) => values.iter().map(toml_of).collect::<Option<Array>>()?.into(),
        Value::Object(members) => {
            let members = members.iter().map(|(key, json)| Some((key.as_str(), toml_of(json)?)));
            members.collect::<Option<InlineTable>>()?.into()
        }
    })
}
