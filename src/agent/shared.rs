//! What the agents that adopted Claude Code's payloads have in common.

use super::call::Call;
use super::payload::Payload;
use super::plan::Say;
use super::reply::object;
use super::{result, unknown};
use crate::facts::Tools;
use crate::protocol::{Event, Input, InputError, Json, ObjectWriter, ToolResult};
use serde_json::Value;

/// The events by the names that Claude Code gave them.
pub(super) const EVENTS: &[(&str, Event)] = &[
    ("PreToolUse", Event::PreTool),
    ("PermissionRequest", Event::PermissionRequest),
    ("PermissionDenied", Event::PermissionDenied),
    ("PostToolUse", Event::PostTool),
    ("PostToolUseFailure", Event::PostTool),
    ("UserPromptSubmit", Event::PreMessage),
    ("SessionStart", Event::SessionStart),
    ("SessionEnd", Event::SessionEnd),
    ("Stop", Event::Stop),
    ("StopFailure", Event::Error),
    ("SubagentStart", Event::SubagentStart),
    ("SubagentStop", Event::SubagentStop),
    ("PreModelRequest", Event::BeforeLlmCall),
    ("PostModelRequest", Event::AfterLlmCall),
    ("PreCompact", Event::PreCompact),
    ("PostCompact", Event::PostCompact),
    ("Notification", Event::Notification),
    ("ConfigChange", Event::ConfigChange),
];

/// Returns hookbox's name for one of these events.
pub(super) fn event_of(events: &[(&str, Event)], name: &str) -> Option<Event> {
    events.iter().find(|(known, _)| *known == name).map(|(_, event)| *event)
}

/// Modes in which nobody is asked, whatever a hook says.
const UNATTENDED: [&str; 3] = ["bypassPermissions", "dontAsk", "yolo"];

/// Reads a payload with the keys of Claude Code.
///
/// # Errors
/// Returns an error if a key that the Input needs has another type, or if there is no `hook_event_name`.
pub(super) fn read(payload: &Payload<'_>, agent: &str, events: &[(&str, Event)]) -> Result<Call, InputError> {
    let Some(name) = payload.text("hook_event_name")? else {
        return Err(InputError::shape("the payload has no `hook_event_name`"));
    };
    let Some(event) = event_of(events, &name) else {
        return unknown::read(payload, agent, name);
    };
    let mut input = Input::new(event);
    input.session_id = payload.hint("session_id");
    input.pwd = payload.hint("cwd");
    if event.has_tool() {
        input.tool_name = payload.text("tool_name")?;
        input.tool_input = payload.json("tool_input");
        input.tool_use_id = payload.hint("tool_use_id");
    }
    let result = ["tool_response", "tool_result"].iter().find_map(|key| payload.json(key));
    if event == Event::PostTool {
        let error = payload.json("error");
        let is_error = error.is_some() || result.as_ref().is_some_and(says_error);
        // The model may see every result, also under keys that are new.
        let others = payload.members().iter().filter(|member| unknown::is_result(member));
        let is_other = |key: &str| !["tool_response", "tool_result", "error"].contains(&key);
        let second = payload.json("tool_result").filter(|_| payload.has("tool_response"));
        let others = others.filter(|(key, _)| is_other(key)).map(|(_, raw)| Json::checked(raw)).chain(second);
        let texts: Vec<String> =
            result.iter().chain(&error).map(result::text).chain(others.map(|other| result::text(&other))).collect();
        input.tool_result = Some(ToolResult { is_error, content: texts.join("\n") });
    }
    input.message = match event {
        Event::PreMessage => Some(payload.text("prompt")?.unwrap_or_default()),
        Event::Stop | Event::SubagentStop => payload.hint("last_assistant_message"),
        Event::Notification => payload.hint("message"),
        _ => None,
    };
    unknown::complete(payload, &mut input)?;
    mark(&mut input, agent, &name);
    for key in ["transcript_path", "permission_mode", "agent_id", "agent_type"] {
        if let Some(value) = payload.hint(key) {
            input.push_extra(key, Json::string(&value));
        }
    }
    if let Some(server) = payload.json("mcp_server") {
        input.push_extra("mcp_server", server);
    }
    let mode = payload.hint("permission_mode").unwrap_or_default();
    Ok(Call {
        is_attended: !UNATTENDED.contains(&mode.as_str()),
        is_continued: event == Event::Stop && payload.flag("stop_hook_active"),
        input: Some(input),
        result,
        ..Call::unjudged(name)
    })
}

/// Returns the payload of a tool call with these keys.
pub(super) fn sample(event_key: &str, event: &str, tool_key: &str, tool: &str) -> String {
    let mut payload = ObjectWriter::with_capacity(256);
    payload.text(event_key, event).text("session_id", "hookbox-doctor").text(tool_key, tool).raw("tool_input", "{}");
    payload.finish()
}

/// Records in the Input which agent and which of its events it comes from, and by which names hooks may call the tool.
pub(super) fn mark(input: &mut Input, agent: &str, event: &str) {
    let aliases = |tool| Tools::default().aliases(Some(agent), tool);
    input.tool_aliases = input.tool_name.as_deref().map(aliases).unwrap_or_default();
    input.push_extra("agent", Json::string(agent));
    input.push_extra("agent_event", Json::string(event));
}

/// Whether the result says that the tool failed, as MCP servers and Gemini CLI do.
fn says_error(result: &Json) -> bool {
    let value: Value = result.to().unwrap_or_default();
    value.get("isError") == Some(&Value::Bool(true)) || value.get("error").is_some_and(|error| !error.is_null())
}

/// The `hookSpecificOutput` of Claude Code and the agents that adopted it.
pub(super) struct Specific(ObjectWriter, usize);

impl Specific {
    /// Starts the object with the event's name: agents drop an object without it.
    pub(super) fn new(event: &str) -> Self {
        let mut out = object();
        out.text("hookEventName", event);
        let empty = out.len();
        Specific(out, empty)
    }

    /// Writes the decision before a tool.
    pub(super) fn decision(&mut self, say: &Say) {
        let (word, reason) = match say {
            Say::Nothing => return,
            Say::Grant => ("allow", "a hookbox policy permits this"),
            Say::Ask(reason) => ("ask", reason.as_str()),
            Say::Deny(reason) => ("deny", reason.as_str()),
        };
        self.0.text("permissionDecision", word).text("permissionDecisionReason", reason);
    }

    /// Writes the decision that is made in place of a person.
    pub(super) fn permission(&mut self, say: &Say) {
        let mut decision = object();
        match say {
            // Without an answer, a person is asked.
            Say::Nothing | Say::Ask(_) => return,
            Say::Grant => decision.text("behavior", "allow"),
            Say::Deny(reason) => decision.text("behavior", "deny").text("message", reason),
        };
        self.0.raw("decision", &decision.finish());
    }

    pub(super) fn raw(&mut self, key: &str, json: &str) {
        self.0.raw(key, json);
    }

    pub(super) fn text(&mut self, key: &str, value: &str) {
        self.0.text(key, value);
    }

    pub(super) fn optional_text(&mut self, key: &str, value: Option<&str>) {
        self.0.optional_text(key, value);
    }

    /// Adds the object to a reply, unless it is empty.
    pub(super) fn add_to(self, out: &mut ObjectWriter) {
        let Specific(specific, empty) = self;
        if specific.len() > empty {
            out.raw("hookSpecificOutput", &specific.finish());
        }
    }
}
