//! Cline's tool runs a list of commands, in one of several forms. Hooks look for one `command` and would see nothing
//! without it. So they get the whole list as one text, and their rewrite of it becomes the list.

use crate::protocol::{Json, ObjectWriter};
use serde_json::Value;

/// Where a tool's input may have what it runs, in the order in which Cline looks.
const LISTS: [&str; 5] = ["commands", "command", "cmd", "script", "shell_command"];
const TEXT: &str = "command";

/// The input as hooks see it: everything that it may run is in `command`, whatever it already has under that name.
pub(super) fn joined(input: &Json) -> Json {
    let parts = match input.members() {
        Some(members) => {
            let named = |name: &&str| members.iter().find(|(key, _)| key == name).map(|(_, value)| value.get());
            LISTS.iter().filter_map(named).flat_map(commands).collect()
        }
        None => commands(input.as_str()),
    };
    let mut out = ObjectWriter::with_capacity(2 * input.as_str().len());
    for (key, value) in input.members().into_iter().flatten().filter(|(key, _)| key != TEXT) {
        out.raw(&key, value.get());
    }
    out.text(TEXT, &parts.join("\n"));
    Json::joined(out)
}

/// Turns the hooks' rewrite of an input from [`joined`] back into the agent's own form: the text is the one command
/// that runs. `None` if they changed something else, whose meaning is not known, or the two forms differ.
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
    // A hook may spell the same value differently.
    let values = |members: &[(String, String)]| -> Option<Vec<(String, Value)>> {
        members.iter().map(|(key, value)| Some((key.clone(), serde_json::from_str(value).ok()?))).collect()
    };
    let (kept, changed) = (values(&kept)?, values(&others)?);
    let others_of = |members: &[(String, Value)]| -> Vec<(String, Value)> {
        members.iter().filter(|(key, _)| !is_list(key)).cloned().collect()
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

/// The commands in a value, each as a text.
fn commands(value: &str) -> Vec<String> {
    match serde_json::from_str(value) {
        Ok(Value::Array(list)) => list.iter().map(text).collect(),
        Ok(value) => vec![text(&value)],
        Err(_) => vec![value.to_owned()],
    }
}

/// A command, however it is wrapped: a text, or a program with its arguments. Any other form is taken whole.
fn text(command: &Value) -> String {
    if let Some(text) = command.as_str() {
        return text.to_owned();
    }
    let program = command.get(TEXT).and_then(Value::as_str);
    let args = command.get("args").and_then(Value::as_array);
    match (program, args) {
        (Some(program), None) if command.as_object().is_some_and(|members| members.len() == 1) => program.to_owned(),
        (Some(program), Some(args)) => {
            let words = args.iter().map(|arg| arg.as_str().map_or_else(|| arg.to_string(), str::to_owned));
            std::iter::once(program.to_owned()).chain(words).collect::<Vec<_>>().join(" ")
        }
        _ => command.to_string(),
    }
}
