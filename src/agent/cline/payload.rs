//! The payloads of Cline. Its command line names events after what happens, its extension after the hooks.

use super::commands;
use crate::agent::payload::{Payload, unwrapped};
use crate::agent::{Call, result, shared, unknown};
use crate::protocol::{Event, Input, InputError, Json, ObjectWriter, ToolResult};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// The names of the command line, then those of the extension.
pub(super) const EVENTS: &[(&str, Event)] = &[
    ("tool_call", Event::PreTool),
    ("tool_result", Event::PostTool),
    ("agent_start", Event::SessionStart),
    ("agent_end", Event::SessionEnd),
    ("PreToolUse", Event::PreTool),
    ("PostToolUse", Event::PostTool),
    ("UserPromptSubmit", Event::PreMessage),
    ("TaskStart", Event::SessionStart),
    ("TaskResume", Event::SessionResume),
    ("TaskComplete", Event::SessionEnd),
    ("TaskCancel", Event::SessionEnd),
    ("TaskError", Event::Error),
    ("PreCompact", Event::PreCompact),
    ("Notification", Event::Notification),
];

/// A tool call in the form of the command line or of the extension. The command line sends inputs as they are; the
/// extension sends lists as JSON in strings.
#[derive(Deserialize, Default)]
#[serde(default)]
struct ToolCall {
    id: Value,
    #[serde(alias = "toolName", alias = "tool")]
    name: Option<String>,
    #[serde(alias = "parameters")]
    input: Option<Box<RawValue>>,
    #[serde(alias = "result")]
    output: Option<Box<RawValue>>,
    success: Value,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Prompt {
    prompt: String,
}

pub(super) fn decode(payload: &[u8]) -> Result<Call, InputError> {
    let payload = Payload::read(payload)?;
    let Some(name) = payload.text("hookName")? else {
        return Err(InputError::shape("the payload has no `hookName`"));
    };
    let Some(event) = shared::event_of(EVENTS, &name) else {
        return unknown::read(&payload, "cline", name);
    };
    let mut input = Input::new(event);
    input.session_id = payload.hint("taskId");
    input.pwd = payload.first("workspaceRoots");
    let mut result = None;
    if event.has_tool() {
        let keys = ["tool_call", "tool_result", "preToolUse", "postToolUse"];
        let key = keys.into_iter().find(|key| payload.has(key)).unwrap_or("tool_call");
        let call: ToolCall = payload.typed(key)?.unwrap_or_default();
        let json = |raw: Option<Box<RawValue>>| raw.map(|raw| Json::checked(&raw));
        input.tool_name = call.name;
        input.tool_use_id = call.id.as_str().map(str::to_owned);
        input.tool_input = json(call.input).map(unwrapped).transpose()?;
        result = json(call.output);
        if event == Event::PostTool {
            let content = result.as_ref().map(result::text).unwrap_or_default();
            // The command line reports success separately for each command.
            let is_error = call.success == Value::Bool(false) || content.contains("\"success\":false");
            input.tool_result = Some(ToolResult { is_error, content });
        }
    }
    if event == Event::PreMessage {
        input.message = Some(payload.typed::<Prompt>("userPromptSubmit")?.unwrap_or_default().prompt);
    }
    unknown::complete(&payload, &mut input)?;
    shared::mark(&mut input, "cline", &name);
    let has_joined_command = input.tool_aliases.contains(&"shell") && input.tool_input.is_some();
    if let Some(own) = input.tool_input.take_if(|_| has_joined_command) {
        input.tool_input = Some(commands::joined(&own));
    }
    Ok(Call { input: Some(input), result, has_joined_command, ..Call::unjudged(name) })
}

/// Returns the payload that Cline would send before a call of this tool.
pub(super) fn sample(tool: &str) -> String {
    let mut call = ObjectWriter::with_capacity(64);
    call.text("name", tool).raw("input", "{}");
    let mut payload = ObjectWriter::with_capacity(128);
    payload.text("clineVersion", "").text("hookName", "tool_call").raw("tool_call", &call.finish());
    payload.finish()
}
