//! The payload that ub sends to a hook: an object with its keys in alphabetical order, and some environment variables.

use super::{EVENTS, event_name};
use crate::dialect::go::encode::{compact, escape_html};
use crate::dialect::payload::{event_of, member, shape};
use crate::protocol::{Input, InputError, Json, MAX_INPUT_BYTES, ObjectWriter, ToolResult, object};
use std::ffi::OsString;

pub(super) fn encode(input: &Input) -> String {
    let mut out = ObjectWriter::with_capacity(256);
    out.text("event", event_name(input.event));
    if let Some(result) = &input.tool_result {
        let mut object = ObjectWriter::with_capacity(64 + result.content.len());
        object.text("content", &result.content).flag("is_error", result.is_error);
        out.raw("result", &object.finish());
    }
    out.text("session_id", input.session_id.as_deref().unwrap_or_default());
    if let Some(name) = input.tool_name.as_deref().filter(|name| !name.is_empty()) {
        let mut object = ObjectWriter::with_capacity(128);
        if let Some(args) = &input.tool_input {
            object.raw("args", &compact(args.as_str()));
        }
        object.text("name", name).text("use_id", input.tool_use_id.as_deref().unwrap_or_default());
        out.raw("tool", &object.finish());
    }
    out.raw("turn", &input.turn.unwrap_or_default().to_string());
    escape_html(&out.finish())
}

/// Returns the environment variables that every hook gets.
pub(super) fn variables(input: &Input) -> Vec<(OsString, OsString)> {
    let turn = input.turn.unwrap_or_default().to_string();
    let always = [
        ("UB_HOOK_EVENT", event_name(input.event)),
        ("UB_HOOK_SESSION_ID", input.session_id.as_deref().unwrap_or_default()),
        ("UB_HOOK_TURN", &turn),
    ];
    let tool = [
        ("UB_HOOK_TOOL_NAME", input.tool_name.as_deref().unwrap_or_default()),
        ("UB_HOOK_TOOL_USE_ID", input.tool_use_id.as_deref().unwrap_or_default()),
    ];
    let given = tool.into_iter().filter(|(_, value)| !value.is_empty());
    // An environment cannot hold a NUL.
    let holds = |value: &str| value.replace('\0', "");
    always.into_iter().chain(given).map(|(name, value)| (name.into(), holds(value).into())).collect()
}

pub(super) fn decode(payload: &[u8]) -> Result<Input, InputError> {
    let members = object(payload, MAX_INPUT_BYTES)?;
    let mut input = Input::new(event_of(&members, "event", &EVENTS)?);
    for (key, raw) in members {
        let text = raw.get();
        match key.as_ref() {
            "event" => {}
            "session_id" => input.session_id = member("session_id", text)?,
            "turn" => input.turn = member("turn", text)?,
            "tool" => read_tool(&mut input, text)?,
            "result" => input.tool_result = member::<ToolResult>("result", text)?,
            _ => input.push_extra(&key, Json::checked(raw)),
        }
    }
    Ok(input)
}

fn read_tool(input: &mut Input, text: &str) -> Result<(), InputError> {
    if text == "null" {
        return Ok(());
    }
    for (key, raw) in object(text.as_bytes(), MAX_INPUT_BYTES).map_err(|_| shape("`tool` must be an object"))? {
        match key.as_ref() {
            "name" => input.tool_name = member("tool.name", raw.get())?,
            "use_id" => input.tool_use_id = member("tool.use_id", raw.get())?,
            "args" => input.tool_input = Some(Json::checked(raw)),
            _ => {}
        }
    }
    Ok(())
}
