//! The payloads of Copilot CLI. Its own payloads do not name their event, but their keys tell it.

use crate::agent::payload::{Payload, unwrapped};
use crate::agent::{Call, result, shared, unknown};
use crate::protocol::{Event, Input, InputError, ToolResult};

/// The events by their native names.
const EVENTS: &[(&str, Event)] = &[
    ("preToolUse", Event::PreTool),
    ("permissionRequest", Event::PermissionRequest),
    ("postToolUse", Event::PostTool),
    ("postToolUseFailure", Event::PostTool),
    ("userPromptSubmitted", Event::PreMessage),
    ("sessionStart", Event::SessionStart),
    ("sessionEnd", Event::SessionEnd),
    ("agentStop", Event::Stop),
    ("subagentStart", Event::SubagentStart),
    ("subagentStop", Event::SubagentStop),
    ("errorOccurred", Event::Error),
    ("preCompact", Event::PreCompact),
    ("notification", Event::Notification),
];

/// Returns hookbox's name for an event, given its native name or that of Claude Code.
pub(super) fn event(name: &str) -> Option<Event> {
    shared::event_of(EVENTS, name).or_else(|| shared::event_of(shared::EVENTS, name))
}

pub(super) fn decode(payload: &[u8]) -> Result<Call, InputError> {
    let payload = Payload::read(payload)?;
    if payload.has("hook_event_name") && !payload.has("sessionId") {
        let call = shared::read(&payload, "copilot", shared::EVENTS)?;
        return Ok(Call { is_compatible: true, ..call });
    }
    let name = name(&payload)?;
    let Some(event) = shared::event_of(EVENTS, &name) else {
        return unknown::read(&payload, "copilot", name);
    };
    let mut input = Input::new(event);
    input.session_id = payload.hint("sessionId");
    input.pwd = payload.hint("cwd");
    if event.has_tool() {
        input.tool_name = payload.text("toolName")?;
        let args = payload.json("toolArgs").or_else(|| payload.json("toolInput"));
        input.tool_input = args.map(unwrapped).transpose()?;
    }
    let result = payload.json("toolResult");
    if event == Event::PostTool {
        input.tool_result = Some(match &result {
            Some(result) => ToolResult { is_error: false, content: result::text(result) },
            None => {
                let error = payload.json("error").map(|error| result::text(&error));
                ToolResult { is_error: true, content: error.unwrap_or_default() }
            }
        });
    }
    if event == Event::PreMessage {
        input.message = Some(payload.text("prompt")?.unwrap_or_default());
    }
    unknown::complete(&payload, &mut input)?;
    shared::mark(&mut input, "copilot", &name);
    let is_continued = event == Event::Stop && payload.flag("stop_hook_active");
    Ok(Call { input: Some(input), result, is_continued, ..Call::unjudged(name) })
}

/// Returns the name of the payload's event, found by its keys. Empty if the keys reveal no event and there is no tool
/// input or result.
fn name(payload: &Payload<'_>) -> Result<String, InputError> {
    if let Some(name) = payload.hint("hookName") {
        return Ok(name);
    }
    let has = |key| payload.has(key);
    Ok(match () {
        () if has("toolName") && has("toolResult") => "postToolUse",
        () if has("toolName") && has("error") => "postToolUseFailure",
        () if has("toolName") => "preToolUse",
        () if has("transformedPrompt") => "userPromptTransformed",
        () if has("prompt") => "userPromptSubmitted",
        () if has("notification_type") => "notification",
        () if has("agentName") && (has("stopReason") || has("response")) => "subagentStop",
        () if has("agentName") => "subagentStart",
        () if has("stopReason") => "agentStop",
        () if has("error") => "errorOccurred",
        () if has("trigger") => "preCompact",
        () if has("source") => "sessionStart",
        () if has("reason") => "sessionEnd",
        () if !["toolArgs", "toolInput", "toolResult"].into_iter().any(has) => "",
        () => return Err(InputError::shape("the payload is of no event of Copilot's")),
    }
    .to_owned())
}
