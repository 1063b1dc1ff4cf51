//! The payloads of Cursor. It may send a tool call twice: as any tool, and as a command, a file or a call of a server.

use crate::agent::payload::{Payload, unwrapped};
use crate::agent::{Call, result, shared, unknown};
use crate::protocol::{Event, Input, InputError, ToolResult};

pub(super) const EVENTS: &[(&str, Event)] = &[
    ("preToolUse", Event::PreTool),
    ("beforeShellExecution", Event::PreTool),
    ("beforeMCPExecution", Event::PreTool),
    ("beforeReadFile", Event::PreTool),
    ("beforeTabFileRead", Event::PreTool),
    ("postToolUse", Event::PostTool),
    ("postToolUseFailure", Event::PostTool),
    ("beforeSubmitPrompt", Event::PreMessage),
    ("afterAgentResponse", Event::PostMessage),
    ("sessionStart", Event::SessionStart),
    ("sessionEnd", Event::SessionEnd),
    ("stop", Event::Stop),
    ("subagentStart", Event::SubagentStart),
    ("subagentStop", Event::SubagentStop),
    ("preCompact", Event::PreCompact),
];

pub(super) fn decode(payload: &[u8]) -> Result<Call, InputError> {
    let payload = Payload::read(payload)?;
    let Some(name) = payload.text("hook_event_name")? else {
        return Err(InputError::shape("the payload has no `hook_event_name`"));
    };
    let known = shared::event_of(EVENTS, &name);
    // A payload with a command and no output means that the command is about to run, whatever the event is called.
    let is_command = known.is_none() && payload.has("command") && !payload.has("output");
    let Some(event) = known.or(is_command.then_some(Event::PreTool)) else {
        return unknown::read(&payload, "cursor", name);
    };
    let mut input = Input::new(event);
    input.session_id = payload.hint("conversation_id").or(payload.hint("session_id"));
    let cwd = payload.hint("cwd").filter(|cwd| !cwd.is_empty());
    input.pwd = cwd.or_else(|| payload.first("workspace_roots"));
    match name.as_str() {
        name if name == "beforeShellExecution" || is_command => {
            input.tool_name = Some("Shell".to_owned());
            input.tool_input = Some(payload.part(&["command", "cwd", "sandbox"]));
        }
        "beforeReadFile" | "beforeTabFileRead" => {
            input.tool_name = Some("Read".to_owned());
            input.tool_input = Some(payload.part(&["file_path", "attachments"]));
        }
        _ if event.has_tool() => {
            input.tool_name = payload.text("tool_name")?;
            input.tool_input = payload.json("tool_input").map(unwrapped).transpose()?;
            input.tool_use_id = payload.hint("tool_use_id");
        }
        _ => {}
    }
    // The output is JSON in a string, or a plain string.
    let result = payload.json("tool_output").map(|output| unwrapped(output.clone()).unwrap_or(output));
    if event == Event::PostTool {
        input.tool_result = Some(match &result {
            Some(result) => ToolResult { is_error: false, content: result::text(result) },
            None => ToolResult { is_error: true, content: payload.hint("error_message").unwrap_or_default() },
        });
    }
    input.message = match event {
        Event::PreMessage => Some(payload.text("prompt")?.unwrap_or_default()),
        Event::PostMessage => payload.hint("text"),
        _ => None,
    };
    unknown::complete(&payload, &mut input)?;
    shared::mark(&mut input, "cursor", &name);
    // Background agents run unattended.
    let is_attended = !payload.flag("is_background_agent");
    let is_continued =
        event == Event::Stop && payload.typed::<f64>("loop_count").ok().flatten().is_some_and(|count| count > 0.0);
    Ok(Call {
        input: Some(input),
        result,
        is_attended,
        is_continued,
        is_unknown_event: is_command,
        ..Call::unjudged(name)
    })
}

/// Whether the call is about a tool of an MCP server, the only tools whose results can be replaced.
pub(super) fn is_mcp(call: &Call) -> bool {
    let tool = call.input.as_ref().and_then(|input| input.tool_name.as_deref());
    tool.is_some_and(|tool| tool.starts_with("MCP:"))
}
