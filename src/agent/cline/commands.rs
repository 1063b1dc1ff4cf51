//! Cline's tool runs a list of commands. Hooks look for one `command`, and without it they would see none: so they are
//! given the list as one text too, and what they make of it becomes the list.

use crate::protocol::{Json, ObjectWriter};
use serde_json::Value;
use std::borrow::Cow;

const LIST: &str = "commands";
const TEXT: &str = "command";

/// The input with the list as a text beside it. `None` if there is no such list, or a text already.
pub(super) fn joined(input: &Json) -> Option<Json> {
    let members = input.members()?;
    let (_, list) = members.iter().find(|(key, _)| key == LIST)?;
    if members.iter().any(|(key, _)| key == TEXT) {
        return None;
    }
    let commands: Vec<Value> = serde_json::from_str(list.get()).ok()?;
    let commands: Vec<String> = commands.iter().map(text).collect();
    let mut out = ObjectWriter::with_capacity(2 * input.as_str().len());
    for (key, value) in &members {
        out.raw(key, value.get());
    }
    out.text(TEXT, &commands.join("\n"));
    Some(Json::joined(out))
}

/// A command, however it is wrapped.
fn text(command: &Value) -> String {
    let text = command.as_str().or_else(|| command.get(TEXT)?.as_str());
    text.map_or_else(|| command.to_string(), str::to_owned)
}

/// The agent's own form of what hooks made of an input from [`joined`].
pub(super) fn split(before: &Json, after: &Json) -> Option<Json> {
    let (before, after) = (before.members()?, after.members()?);
    let of = |members: &[(Cow<'_, str>, &serde_json::value::RawValue)], name: &str| {
        members.iter().find(|(key, _)| key == name).map(|(_, value)| value.get().to_owned())
    };
    // A hook that knew the list has changed that. A text that is gone leaves it as it is.
    let text = of(&after, TEXT).filter(|text| Some(text) != of(&before, TEXT).as_ref());
    let mut out = ObjectWriter::with_capacity(256);
    for (key, value) in after.iter().filter(|(key, _)| key != TEXT) {
        match &text {
            Some(text) if key == LIST => out.raw(key, &format!("[{text}]")),
            _ => out.raw(key, value.get()),
        };
    }
    if let Some(text) = text.filter(|_| of(&after, LIST).is_none()) {
        out.raw(LIST, &format!("[{text}]"));
    }
    Some(Json::joined(out))
}
