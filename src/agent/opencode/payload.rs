//! The payloads of hookbox's plugin for OpenCode: the two arguments of the hook that OpenCode called.

use crate::agent::payload::Payload;
use crate::agent::{Call, result, shared, unknown};
use crate::protocol::{Event, Input, InputError, Json, ObjectWriter, ToolResult};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

pub(super) const EVENTS: &[(&str, Event)] = &[
    ("tool.execute.before", Event::PreTool),
    ("tool.execute.after", Event::PostTool),
    ("chat.message", Event::PreMessage),
    ("session.error", Event::Error),
    ("pre", Event::PreTool),
    ("post", Event::PostTool),
    ("prompt", Event::PreMessage),
];

#[derive(Deserialize, Default)]
#[serde(default)]
struct Asked {
    tool: Option<String>,
    #[serde(rename = "sessionID")]
    session: Value,
    #[serde(rename = "callID")]
    call: Value,
    args: Option<Box<RawValue>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Given {
    args: Option<Box<RawValue>>,
    output: Option<String>,
    /// The answer of an MCP server.
    content: Option<Box<RawValue>>,
    #[serde(rename = "isError")]
    is_error: Value,
    /// What the model sees in addition to the text, such as files.
    attachments: Option<Box<RawValue>>,
    #[serde(rename = "structuredContent")]
    structured: Option<Box<RawValue>>,
    parts: Vec<Part>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Part {
    text: Option<String>,
}

pub(super) fn decode(payload: &[u8]) -> Result<Call, InputError> {
    let payload = Payload::read(payload)?;
    let Some(name) = payload.text("event")? else {
        return Err(InputError::shape("the payload has no `event`"));
    };
    let Some(event) = shared::event_of(EVENTS, &name) else {
        return unknown::read(&payload, "opencode", name);
    };
    let asked: Asked = payload.typed("input")?.unwrap_or_default();
    let given: Given = payload.typed("output")?.unwrap_or_default();
    let mut input = Input::new(event);
    input.session_id = asked.session.as_str().map(str::to_owned);
    input.pwd = payload.hint("directory");
    if event.has_tool() {
        input.tool_name = asked.tool;
        input.tool_use_id = asked.call.as_str().map(str::to_owned);
        input.tool_input = given.args.or(asked.args).map(|args| Json::checked(&args));
    }
    if event == Event::PostTool {
        let parts = [given.content, given.attachments, given.structured].into_iter().flatten();
        let parts = parts.map(|part| result::text(&Json::checked(&part))).filter(|text| !text.is_empty());
        let texts: Vec<String> = given.output.into_iter().chain(parts).collect();
        input.tool_result =
            Some(ToolResult { is_error: given.is_error == Value::Bool(true), content: texts.join("\n") });
    }
    if event == Event::PreMessage {
        let texts: Vec<&str> = given.parts.iter().filter_map(|part| part.text.as_deref()).collect();
        input.message = Some(texts.join("\n"));
    }
    unknown::complete(&payload, &mut input)?;
    shared::mark(&mut input, "opencode", &name);
    Ok(Call { input: Some(input), ..Call::unjudged(name) })
}

/// Returns the payload that the plugin would send before a call of this tool.
pub(super) fn sample(tool: &str) -> String {
    let mut asked = ObjectWriter::with_capacity(64);
    asked.text("tool", tool);
    let mut payload = ObjectWriter::with_capacity(128);
    payload.text("event", "tool.execute.before").raw("input", &asked.finish()).raw("output", r#"{"args":{}}"#);
    payload.finish()
}
