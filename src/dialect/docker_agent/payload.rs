//! The payload that docker-agent sends to a hook: one object, without empty members.

use super::Generation;
use super::event::{name_of, names};
use crate::dialect::go::encode::{compact, escape_html, normalize};
use crate::dialect::payload::{event_of, member, shape};
use crate::protocol::{
    Event, Field, FieldType, Input, InputError, Json, MAX_INPUT_BYTES, ObjectWriter, ToolResult, object, typed,
};
use serde_json::Value;

/// The events whose `stop_response` is the assistant's message.
pub(super) const ANSWERED: [Event; 3] = [Event::PostMessage, Event::AfterLlmCall, Event::SubagentStop];

/// The events whose `prompt` is the user's message.
pub(super) const PROMPTED: [Event; 2] = [Event::PreMessage, Event::FollowupSubmit];

/// The events with a tool's result.
const RETURNED: [Event; 2] = [Event::PostTool, Event::ToolResponseTransform];

/// The fields of the first generation.
const V1_FIELDS: [Field; 2] = [Field::Source, Field::Reason];

/// The keys that only the third generation sends.
const V3_KEYS: [&str; 12] = [
    "tool_category",
    "tool_read_only",
    "safety_policy",
    "steering_messages",
    "usage",
    "cost",
    "worktree_path",
    "worktree_branch",
    "worktree_source_dir",
    "root_session_id",
    "call_purpose",
    "safety_label",
];

pub(super) fn encode(generation: Generation, input: &Input) -> String {
    let mut out = Writer { out: ObjectWriter::with_capacity(256), input, generation };
    out.out
        .text("session_id", input.session_id.as_deref().unwrap_or_default())
        .text("cwd", input.pwd.as_deref().unwrap_or_default())
        .text("hook_event_name", name_of(input.event));
    for field in Field::ALL {
        match field {
            // Members without a `Field` of their own go between these fields.
            Field::Messages => {
                out.tool();
                out.field(*field);
            }
            Field::ParentSessionId => {
                out.message("stop_response", &ANSWERED);
                out.message("prompt", &PROMPTED);
                out.field(*field);
            }
            field => out.field(*field),
        }
    }
    if generation.is_third() {
        for key in V3_KEYS {
            let given =
                input.extra(key).filter(|json| !matches!(json.as_str(), "null" | "false" | "\"\"" | "[]" | "{}"));
            if let Some(json) = given {
                out.out.raw(key, &compact(json.as_str()));
            }
        }
    }
    escape_html(&out.out.finish())
}

struct Writer<'i> {
    out: ObjectWriter,
    input: &'i Input,
    generation: Generation,
}

impl Writer<'_> {
    fn text(&mut self, key: &str, text: Option<&str>) {
        self.out.text_unless_empty(key, text);
    }

    fn field(&mut self, field: Field) {
        if self.generation == Generation::First && !V1_FIELDS.contains(&field) {
            return;
        }
        let Some(value) = self.input.field(field) else {
            return;
        };
        match field.field_type() {
            FieldType::Text => self.text(field.as_str(), self.input.text(field).as_deref()),
            FieldType::Number if self.input.number(field) == Some(0) => {}
            FieldType::List if compact(value.as_str()) == "[]" => {}
            _ if field == Field::FromAgentModels => {
                self.out.raw(field.as_str(), &models(value.as_str()));
            }
            _ => {
                self.out.raw(field.as_str(), &compact(value.as_str()));
            }
        }
    }

    fn tool(&mut self) {
        let input = self.input;
        self.text("tool_name", input.tool_name.as_deref());
        self.text("tool_use_id", input.tool_use_id.as_deref());
        let args = input.tool_input.as_ref().map(normalize).filter(|args| args.as_str().starts_with('{'));
        if let Some(args) = args.filter(|args| args.as_str() != "{}") {
            self.out.raw("tool_input", args.as_str());
        }
        let result = input.tool_result.as_ref().filter(|_| RETURNED.contains(&input.event));
        if let Some(result) = result {
            self.out.text("tool_response", &result.content);
        } else if let Some(response) = input.extra("tool_response") {
            self.out.raw("tool_response", normalize(response).as_str());
        }
        let failed = result.map_or_else(|| input.extra("tool_error").map(Json::as_str) == Some("true"), |r| r.is_error);
        if failed && self.generation.is_second() {
            self.out.raw("tool_error", "true");
        }
    }

    /// Writes the message under the key that it has on these events, or anything else that came under that key.
    fn message(&mut self, key: &str, events: &[Event]) {
        if self.generation == Generation::First {
            return;
        }
        if events.contains(&self.input.event) {
            self.text(key, self.input.message.as_deref());
        } else if let Some(text) = self.input.extra(key).and_then(|json| json.to::<String>().ok()) {
            self.text(key, Some(&text));
        }
    }
}

/// Returns the models of an agent, each without empty members.
pub(super) fn models(list: &str) -> String {
    let models: Vec<Value> = serde_json::from_str(list).unwrap_or_default();
    let models = models.iter().map(|model| {
        let mut out = ObjectWriter::with_capacity(128);
        for key in ["provider", "model", "base_url", "unload_api"] {
            out.text_unless_empty(key, model.get(key).and_then(Value::as_str));
        }
        out.finish()
    });
    format!("[{}]", models.collect::<Vec<_>>().join(","))
}

pub(super) fn decode(generation: Generation, payload: &[u8]) -> Result<Input, InputError> {
    let members = object(payload, MAX_INPUT_BYTES)?;
    let mut input = Input::new(event_of(&members, "hook_event_name", &names(generation))?);
    let (mut response, mut failed) = (None, false);
    for (key, raw) in members {
        let text = raw.get();
        match key.as_ref() {
            "hook_event_name" => {}
            "session_id" => input.session_id = member("session_id", text)?,
            "cwd" => input.pwd = member("cwd", text)?,
            "tool_name" => input.tool_name = member("tool_name", text)?,
            "tool_use_id" => input.tool_use_id = member("tool_use_id", text)?,
            "tool_input" if text == "null" => {}
            // Hooks would not see an input of any other kind.
            "tool_input" if !text.starts_with('{') => return Err(shape("`tool_input` must be an object")),
            "tool_input" => input.tool_input = Some(Json::checked(raw)),
            "tool_response" => response = Some(Json::checked(raw)),
            "tool_error" => failed = member("tool_error", text)?.unwrap_or_default(),
            "prompt" if PROMPTED.contains(&input.event) => input.message = member("prompt", text)?,
            "stop_response" if ANSWERED.contains(&input.event) => input.message = member("stop_response", text)?,
            key => match Field::of_key(key) {
                Some(_) if text == "null" => {}
                // This drops escapes that hookbox's own writer would not make.
                Some(field) if field.field_type() == FieldType::Text => {
                    input.set_text(field, &member::<String>(key, text)?.unwrap_or_default());
                }
                Some(field) => input.set_field(field, Some(Json::checked(raw)))?,
                None => input.push_extra(key, Json::checked(raw)),
            },
        }
    }
    let content = response.as_ref().filter(|_| RETURNED.contains(&input.event));
    match content.and_then(|json| typed::<String>("tool_response", json.as_str()).ok()) {
        Some(content) => input.tool_result = Some(ToolResult { is_error: failed, content }),
        // A result of another shape, or on another event, is passed on unchanged.
        None => {
            if let Some(response) = response {
                input.push_extra("tool_response", response);
            }
            if failed {
                input.push_extra("tool_error", Json::boolean(true));
            }
        }
    }
    Ok(input)
}
