//! The payload that ok sends to a hook: an object on one line.

use super::{EVENTS, event_name};
use crate::dialect::go::encode::{compact, escape_html};
use crate::dialect::payload::{event_of, member};
use crate::protocol::{Event, Input, InputError, Json, MAX_INPUT_BYTES, ObjectWriter, ToolResult, object};

/// Writes the members in ok's order. Empty ones are left out, except for the first two.
pub(super) fn encode(input: &Input) -> String {
    let message_on = |event| input.message.as_deref().filter(|_| input.event == event);
    let result = input.tool_result.as_ref().map(|result| result.content.as_str());
    let mut out = ObjectWriter::with_capacity(256);
    out.text("event", event_name(input.event))
        .text("cwd", input.pwd.as_deref().unwrap_or_default())
        .text_unless_empty("toolName", input.tool_name.as_deref());
    if let Some(args) = &input.tool_input {
        out.raw("toolArgs", &compact(args.as_str()));
    }
    out.text_unless_empty("toolResult", result)
        .text_unless_empty("prompt", message_on(Event::PreMessage))
        .text_unless_empty("lastAssistantText", message_on(Event::PostMessage));
    if let Some(turn) = input.turn.filter(|turn| *turn > 0) {
        out.raw("turn", &turn.to_string());
    }
    let mut line = escape_html(&out.finish());
    line.push('\n');
    line
}

pub(super) fn decode(payload: &[u8]) -> Result<Input, InputError> {
    let members = object(payload, MAX_INPUT_BYTES)?;
    let mut input = Input::new(event_of(&members, "event", &EVENTS)?);
    for (key, raw) in members {
        let text = raw.get();
        match key.as_ref() {
            "event" => {}
            "cwd" => input.pwd = member("cwd", text)?,
            "toolName" => input.tool_name = member("toolName", text)?,
            "toolArgs" => input.tool_input = Some(Json::checked(raw)),
            "toolResult" if input.event.has_tool() => {
                let content: Option<String> = member("toolResult", text)?;
                input.tool_result = content.map(|content| ToolResult { is_error: false, content });
            }
            "prompt" if input.event == Event::PreMessage => input.message = member("prompt", text)?,
            "lastAssistantText" if input.event == Event::PostMessage => {
                input.message = member("lastAssistantText", text)?;
            }
            "turn" => input.turn = member("turn", text)?,
            _ => input.push_extra(&key, Json::checked(raw)),
        }
    }
    Ok(input)
}
