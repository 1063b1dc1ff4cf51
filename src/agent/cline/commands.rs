//! The inputs of Cline's shell tool, which runs a list of commands, each in a shell of its own.
//!
//! The list can have one of several forms. Hooks see all commands in `commands`, whichever form it was, and as one text
//! in `command`, because many hooks look there. A hook's rewrite of that text becomes the list.

use crate::facts::shell;
use crate::protocol::{Json, ObjectWriter};
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The keys under which a tool's input may have its commands, in the order in which Cline looks.
const LISTS: [&str; 5] = ["commands", "command", "cmd", "script", "shell_command"];
const LIST: &str = "commands";
const TEXT: &str = "command";
const WORDS: &str = "args";

/// Returns the input as hooks see it: everything that it may run is in `commands`, and as one text in `command`.
pub(super) fn joined(input: &Json) -> Json {
    let members = input.members();
    if members.as_ref().is_some_and(|members| is_plain(members)) {
        return input.clone();
    }
    let items = match &members {
        Some(members) => {
            let named = |name: &str| members.iter().find(|(key, _)| key == name).map(|(_, value)| value.get());
            let lists = LISTS.iter().filter_map(|name| Some((*name, named(name)?)));
            lists.flat_map(|(name, value)| items(name, value, named(WORDS))).collect()
        }
        None => items(LIST, input.as_str(), None),
    };
    let mut out = ObjectWriter::with_capacity(2 * input.as_str().len());
    for (key, value) in members.iter().flatten() {
        if !LISTS.contains(&key.as_ref()) && key != WORDS {
            out.raw(key, value.get());
        }
    }
    out.list(LIST, items.iter().map(Value::to_string));
    let texts: Vec<String> = items.iter().map(text).collect();
    out.text(TEXT, &texts.join("\n"));
    Json::joined(out)
}

/// Whether a text in `command` is all that the input may run.
fn is_plain(members: &[(Cow<'_, str>, &RawValue)]) -> bool {
    let is_other = |key: &str| key == WORDS || key != TEXT && LISTS.contains(&key);
    let text = members.iter().find(|(key, _)| key == TEXT).map(|(_, value)| value.get());
    text.is_some_and(|text| text.starts_with('"')) && !members.iter().any(|(key, _)| is_other(key))
}

/// Turns the hooks' rewrite of an input from [`joined`] back into the agent's own form, in which the text is the one
/// command that runs. Returns `None` if hooks changed something else, whose meaning is not known, or if the two forms
/// differ.
pub(super) fn split(before: &Json, after: &Json) -> Option<Json> {
    let texts = [before, after].map(|json| {
        let members = json.members()?;
        let text = members.iter().find(|(key, _)| key == TEXT).map(|(_, value)| value.get().to_owned());
        let others: Vec<(String, String)> = members
            .iter()
            .filter(|(key, _)| key != TEXT)
            .map(|(key, value)| (key.to_string(), value.get().to_owned()))
            .collect();
        Some((text?, others))
    });
    let [Some((_, kept)), Some((text, others))] = texts else { return None };
    let is_list = |key: &str| LISTS.contains(&key);
    // A hook may spell the same value differently, or change the order.
    let values = |members: &[(String, String)]| -> Option<BTreeMap<String, Value>> {
        members.iter().map(|(key, value)| Some((key.clone(), serde_json::from_str(value).ok()?))).collect()
    };
    let (kept, changed) = (values(&kept)?, values(&others)?);
    let others_of = |members: &BTreeMap<String, Value>| -> Vec<(String, Value)> {
        let others = members.iter().filter(|(key, _)| !is_list(key));
        others.map(|(key, value)| (key.clone(), value.clone())).collect()
    };
    if others_of(&kept) != others_of(&changed) {
        return None;
    }
    let written = |members: &mut dyn Iterator<Item = &(String, String)>| {
        let mut out = ObjectWriter::with_capacity(256);
        members.for_each(|(key, value)| {
            out.raw(key, value);
        });
        out
    };
    if kept != changed {
        // A hook that rewrites the whole input rewrites both forms, which must still agree.
        let own = Json::joined(written(&mut others.iter()));
        let says = |json: &Json| json.to::<Value>().ok()?.get(TEXT).cloned();
        return (says(&joined(&own)) == says(after)).then_some(own);
    }
    let mut out = written(&mut others.iter().filter(|(key, _)| !is_list(key)));
    out.raw("commands", &format!("[{text}]"));
    Some(Json::joined(out))
}

/// Returns the commands in a member. `words`, the input's `args`, belong to a program, and any member may name it.
fn items(name: &str, value: &str, words: Option<&str>) -> Vec<Value> {
    let read = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    let mut value = read(value);
    // Cline's extension sends lists as JSON in strings.
    if name == LIST
        && let Some(list) = value.as_str().filter(|text| text.trim_start().starts_with(['[', '{']))
        && let Ok(list) = serde_json::from_str(list)
    {
        value = list;
    }
    match (value, words) {
        (Value::Array(list), _) => list,
        (Value::String(program), Some(words)) if name != LIST => {
            vec![Value::from_iter([(TEXT, Value::from(program)), (WORDS, read(words))])]
        }
        (value, _) => vec![value],
    }
}

/// Returns the text of a command, which is a text or a program with its arguments. Any other form becomes its JSON.
fn text(command: &Value) -> String {
    if let Some(text) = command.as_str() {
        return text.to_owned();
    }
    let program = command.get(TEXT).and_then(Value::as_str);
    let args = command.get(WORDS).and_then(Value::as_array);
    match (program, args) {
        (Some(program), None) if command.as_object().is_some_and(|members| members.len() == 1) => program.to_owned(),
        (Some(program), Some(args)) => {
            let words: Vec<String> =
                args.iter().map(|arg| arg.as_str().map_or_else(|| arg.to_string(), str::to_owned)).collect();
            shell(program, &words.iter().map(String::as_str).collect::<Vec<_>>()).command
        }
        _ => command.to_string(),
    }
}
