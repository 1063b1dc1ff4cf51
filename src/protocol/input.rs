//! The JSON object that a hook receives.

use super::dispatch::{Dispatch, Payload};
use super::field::{Field, Fields};
use super::json::{self, Member};
use super::tool::Found;
use super::{Event, InputError, Json, MAX_INPUT_BYTES, ObjectWriter, Tool, ToolKind, ToolResult};
use serde::Deserialize;
use std::borrow::Cow;

/// An event, with everything that hooks are told about it.
///
/// Fields that the caller did not set stay absent here, but a hook always sees `session_id`, `hook_name` and `pwd`.
/// Keys that hookbox does not know are kept and passed on after the known ones.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Input {
    /// The point in the agent's loop.
    pub event: Event,
    /// The agent's session.
    pub session_id: Option<String>,
    /// The name of the event, as hygge sends it. If it is absent, hooks see the event's own name.
    pub hook_name: Option<String>,
    /// The agent's working directory.
    pub pwd: Option<String>,
    /// The name of the tool.
    pub tool_name: Option<String>,
    /// The tool's input, byte for byte as received unless a hook rewrote it.
    pub tool_input: Option<Json>,
    /// The tool's result.
    pub tool_result: Option<ToolResult>,
    /// The facts of the tool call, if the caller knows them better than hookbox. See [`facts`](Input::facts).
    pub tool: Option<Box<Tool>>,
    /// The user's or the assistant's message.
    pub message: Option<String>,
    /// The agent's mode, if it has modes.
    pub mode_name: Option<String>,
    /// The id that the model gave this tool call.
    pub tool_use_id: Option<String>,
    /// The number of the turn.
    pub turn: Option<u64>,
    /// The time in RFC 3339, for hooks without a clock. If it is absent, hooks see the time of the dispatch.
    pub now: Option<String>,
    fields: Fields,
    extra: Vec<(String, Json)>,
    dispatch: Option<Dispatch>,
    /// The facts that hookbox determined for the tool call.
    facts: Found,
    /// The kind of tool that the caller named, kept when a rewrite makes the caller's other facts outdated.
    pub(crate) declared_kind: Option<ToolKind>,
    /// Additional names that a `match` may use for the tool.
    pub(crate) tool_aliases: &'static [&'static str],
}

impl Input {
    /// Creates an Input that has only its event.
    #[must_use]
    pub fn new(event: Event) -> Self {
        Input {
            event,
            session_id: None,
            hook_name: None,
            pwd: None,
            tool_name: None,
            tool_input: None,
            tool_result: None,
            tool: None,
            message: None,
            mode_name: None,
            tool_use_id: None,
            turn: None,
            now: None,
            fields: Fields::default(),
            extra: Vec::new(),
            dispatch: None,
            facts: Found(None),
            declared_kind: None,
            tool_aliases: &[],
        }
    }

    /// Creates the Input for a tool call that is about to happen.
    ///
    /// # Errors
    /// Returns an error if `tool_input` is not strict JSON.
    pub fn pre_tool(tool_name: impl Into<String>, tool_input: &str) -> Result<Self, InputError> {
        Ok(Input {
            tool_name: Some(tool_name.into()),
            tool_input: Some(Json::parse(tool_input)?),
            ..Input::new(Event::PreTool)
        })
    }

    /// Turns this into the Input for the same tool call after the tool returned.
    #[must_use]
    pub fn into_post_tool(self, result: ToolResult) -> Self {
        Input { event: Event::PostTool, hook_name: None, tool_result: Some(result), ..self }
    }

    /// Creates the Input for a user's message that is about to be sent.
    pub fn pre_message(message: impl Into<String>) -> Self {
        Input { message: Some(message.into()), ..Input::new(Event::PreMessage) }
    }

    /// Creates the Input for the assistant's final message.
    pub fn post_message(message: impl Into<String>) -> Self {
        Input { message: Some(message.into()), ..Input::new(Event::PostMessage) }
    }

    /// Reads an Input strictly: one object in UTF-8, at most [`MAX_INPUT_BYTES`] long, with no duplicate keys at any
    /// depth.
    ///
    /// # Errors
    /// Returns an error if the text breaks one of these rules, lacks `event`, or has a known key with a value of the
    /// wrong type; also if `tool_name` contains a control character.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, InputError> {
        let members = json::object(bytes, MAX_INPUT_BYTES)?;
        let Some((_, event)) = members.iter().find(|(key, _)| key == "event") else {
            let is_payload = members.iter().any(|(key, _)| key == "hook_event_name");
            let hint = if is_payload { "; a payload of another system needs `--dialect`" } else { "" };
            return Err(shape(&format!("the Input has no `event`{hint}")));
        };
        let name: String = typed("event", event.get())?;
        let event = name.parse().map_err(|_| {
            let known = Event::names().join(", ");
            shape(&format!("`event` is {name:?}, which is none of: {known}"))
        })?;
        let mut input = Input::new(event);
        for member in members {
            input.set(member)?;
        }
        // No tool has a name with a control character. The registry handles names that merely resemble another name: it
        // asks every hook about them.
        if input.tool_name.as_ref().is_some_and(|name| name.contains(char::is_control)) {
            return Err(shape("`tool_name` contains a control character"));
        }
        Ok(input)
    }

    fn set(&mut self, (key, raw): Member<'_>) -> Result<(), InputError> {
        let text = raw.get();
        match key.as_ref() {
            "event" => {}
            "session_id" => self.session_id = typed("session_id", text)?,
            "hook_name" => self.hook_name = typed("hook_name", text)?,
            "pwd" => self.pwd = typed("pwd", text)?,
            "tool_name" => self.tool_name = typed("tool_name", text)?,
            "tool_input" => self.tool_input = Some(Json::checked(raw)),
            "tool_result" => self.tool_result = typed("tool_result", text)?,
            "tool" => self.tool = typed("tool", text)?,
            "message" => self.message = typed("message", text)?,
            "mode_name" => self.mode_name = typed("mode_name", text)?,
            "tool_use_id" => self.tool_use_id = typed("tool_use_id", text)?,
            "turn" => self.turn = typed("turn", text)?,
            "now" => self.now = typed("now", text)?,
            key => match Field::of_key(key) {
                Some(_) if text == "null" => {}
                Some(field) => {
                    field.check(text).map_err(|message| shape(&message))?;
                    self.fields.set(field, Some(Json::checked(raw)));
                }
                None => self.extra.push((key.to_owned(), Json::checked(raw))),
            },
        }
        Ok(())
    }

    /// Returns an Input with the same event and the same tool and agent, and nothing else.
    pub(crate) fn subject(&self) -> Self {
        let (tool_name, tool_aliases) = (self.tool_name.clone(), self.tool_aliases);
        let extra = self.extra.iter().filter(|(key, _)| key == "agent").cloned().collect();
        Input { tool_name, tool_aliases, extra, ..Input::new(self.event) }
    }

    /// Returns a field of a lifecycle event.
    #[must_use]
    pub fn field(&self, field: Field) -> Option<&Json> {
        self.fields.get(field)
    }

    /// Returns a lifecycle field that holds a string.
    #[must_use]
    pub fn text(&self, field: Field) -> Option<String> {
        self.field(field).and_then(|json| json.to().ok())
    }

    /// Returns a lifecycle field that holds a number.
    #[must_use]
    pub fn number(&self, field: Field) -> Option<i64> {
        self.field(field).and_then(|json| json.to().ok())
    }

    /// Sets a field of a lifecycle event, or removes it.
    ///
    /// # Errors
    /// Returns an error if the value does not have the field's type.
    pub fn set_field(&mut self, field: Field, value: Option<Json>) -> Result<(), InputError> {
        if let Some(value) = &value {
            field.check(value.as_str()).map_err(|message| shape(&message))?;
        }
        self.fields.set(field, value);
        Ok(())
    }

    /// Sets a field that holds a string.
    pub(crate) fn set_text(&mut self, field: Field, text: &str) {
        self.fields.set(field, Some(Json::string(text)));
    }

    /// Adds a key that has no meaning to hookbox, after the existing ones.
    pub(crate) fn push_extra(&mut self, key: &str, value: Json) {
        self.extra.push((key.to_owned(), value));
    }

    /// Returns the value of a key that has no meaning to hookbox.
    #[must_use]
    pub fn extra(&self, key: &str) -> Option<&Json> {
        self.extra.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Prepares the Input for being passed to many hooks. If it has no time, hooks see `now`.
    ///
    /// From here on, [`forget_payload`](Input::forget_payload) must follow every change.
    pub(crate) fn begin_dispatch(&mut self, now: Option<String>) {
        // The facts of an earlier dispatch may be about a different tool input.
        self.facts = Found(None);
        self.dispatch = Some(Dispatch::new(now));
    }

    /// Ends what [`begin_dispatch`](Input::begin_dispatch) began.
    pub(crate) fn end_dispatch(&mut self) {
        self.dispatch = None;
    }

    /// Notes that the Input has changed.
    pub(crate) fn forget_payload(&mut self) {
        if let Some(dispatch) = &mut self.dispatch {
            dispatch.forget();
        }
    }

    /// Returns the facts of the tool call, as determined by hookbox or given by the caller. Without facts from the
    /// caller, returns `None` for an event without a tool, and until the event's hooks are asked.
    #[must_use]
    pub fn facts(&self) -> Option<&Tool> {
        self.facts.0.as_deref().or(self.tool.as_deref())
    }

    /// Returns whether hookbox itself determined the facts of the tool call.
    pub(crate) const fn has_facts(&self) -> bool {
        self.facts.0.is_some()
    }

    /// Sets the facts that hookbox determined for the tool call.
    pub(crate) fn set_facts(&mut self, facts: Box<Tool>) {
        self.facts = Found(Some(facts));
        self.forget_payload();
    }

    /// Drops the facts, because the tool's input has changed. The caller's facts are dropped too, since they are about
    /// the old input.
    pub(crate) fn forget_facts(&mut self) {
        self.facts = Found(None);
        if let Some(told) = self.tool.take() {
            self.declared_kind = Some(told.kind);
        }
    }

    /// Returns the Input as JSON, as the caller created it and hooks changed it.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.write(ObjectWriter::with_capacity(self.size()))
    }

    /// Like [`to_json`](Input::to_json), with hidden characters escaped everywhere except in `tool_input`, which stays
    /// as it came.
    pub(super) fn to_printed_json(&self) -> String {
        self.write(ObjectWriter::printed(self.size()))
    }

    fn write(&self, mut out: ObjectWriter) -> String {
        out.text("event", self.event.as_str())
            .optional_text("session_id", self.session_id.as_deref())
            .optional_text("hook_name", self.hook_name.as_deref())
            .optional_text("pwd", self.pwd.as_deref());
        self.write_subject(&mut out, self.tool.as_deref(), true);
        out.optional_text("now", self.now.as_deref());
        for (key, value) in &self.extra {
            out.json(key, value.as_str());
        }
        out.finish()
    }

    /// Returns the Input as a hook reads it: with the keys that are never absent, the hook's own settings and the time.
    /// Settings come only from the hook's config, never from the caller.
    #[must_use]
    pub fn to_hook_json(&self, settings: Option<&Json>) -> String {
        self.payload(true).into_text(settings)
    }

    /// Like [`to_hook_json`](Input::to_hook_json). While the Input is being dispatched, it is encoded only once.
    ///
    /// Without `wants_commands`, the JSON leaves out the commands that hookbox found because another hook wanted them:
    /// they can be as long as everything else, and take as long to read.
    pub(crate) fn hook_json(&self, settings: Option<&Json>, wants_commands: bool) -> Cow<'_, str> {
        let has_commands = self.facts.0.as_ref().is_some_and(|facts| facts.commands.is_some());
        let commands = wants_commands || !has_commands;
        let Some(dispatch) = &self.dispatch else { return Cow::Owned(self.payload(commands).into_text(settings)) };
        let payload = if commands { &dispatch.payload } else { &dispatch.without_commands };
        let payload = payload.get_or_init(|| self.payload(commands));
        debug_assert_eq!(payload.text, self.payload(commands).text, "the Input was changed without `forget_payload`");
        match settings {
            Some(settings) => Cow::Owned(payload.with_settings(settings)),
            None => Cow::Borrowed(&payload.text),
        }
    }

    fn payload(&self, commands: bool) -> Payload {
        let mut out = ObjectWriter::with_capacity(self.size());
        out.text("event", self.event.as_str())
            .text("session_id", self.session_id.as_deref().unwrap_or_default())
            .text("hook_name", self.hook_name.as_deref().unwrap_or(self.event.as_str()))
            .text("pwd", self.pwd.as_deref().unwrap_or_default());
        self.write_subject(&mut out, self.facts(), commands);
        let settings_at = out.len();
        let now = self.now.as_deref().or(self.dispatch.as_ref().and_then(|dispatch| dispatch.now.as_deref()));
        out.optional_text("now", now);
        for (key, value) in self.extra.iter().filter(|(key, _)| key != "settings") {
            out.raw(key, value.as_str());
        }
        Payload { text: out.finish(), settings_at }
    }

    fn write_subject(&self, out: &mut ObjectWriter, facts: Option<&Tool>, commands: bool) {
        out.optional_text("tool_name", self.tool_name.as_deref());
        if let Some(tool_input) = &self.tool_input {
            out.raw("tool_input", tool_input.as_str());
        }
        if let Some(result) = &self.tool_result {
            out.json("tool_result", &result.to_json());
        }
        match facts {
            Some(facts) if out.is_plain() => _ = out.object("tool", |out| facts.write(out, commands)),
            Some(facts) => _ = out.json("tool", &facts.to_json()),
            None => {}
        }
        out.optional_text("message", self.message.as_deref())
            .optional_text("mode_name", self.mode_name.as_deref())
            .optional_text("tool_use_id", self.tool_use_id.as_deref());
        if let Some(turn) = self.turn {
            out.raw("turn", &turn.to_string());
        }
        for (field, value) in self.fields.iter() {
            out.json(field.as_str(), value.as_str());
        }
    }

    /// Estimates the length of the Input's JSON in bytes.
    fn size(&self) -> usize {
        let long = self.tool_input.as_ref().map_or(0, |json| json.as_str().len())
            + self.tool_result.as_ref().map_or(0, |result| result.content.len())
            + self.message.as_ref().map_or(0, String::len)
            + self.facts().map_or(0, Tool::size);
        256 + long
    }
}

fn typed<'a, T: Deserialize<'a>>(key: &str, text: &'a str) -> Result<T, InputError> {
    json::typed(key, text).map_err(|message| shape(&message))
}

fn shape(message: &str) -> InputError {
    InputError::shape(message)
}
