//! The JSON object that a hook returns.

use super::json::{self, Member};
use super::{Decision, Event, Input, Json, ObjectWriter, Permission, ToolResult};
use serde::Deserialize;
use serde_json::value::RawValue;

/// The largest answer, in bytes, that is read as an Action. Twice the largest Input, because a rewrite may repeat the
/// Input with more escapes.
pub(crate) const MAX_ACTION_BYTES: usize = 2 << 20;

/// A hook's answer. The default allows and changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Action {
    /// What the hook decided.
    pub decision: Decision,
    /// Why, for the user and the model.
    pub reason: Option<String>,
    /// With [`Decision::Modify`] on `pre_tool`: the tool's new input.
    pub modified_tool_input: Option<Json>,
    /// With [`Decision::Modify`] on message events: the new message, which must not be empty.
    pub modified_message: Option<String>,
    /// With [`Decision::Modify`] on `post_tool`: the tool's new result.
    pub modified_tool_result: Option<ToolResult>,
    /// With [`Decision::Modify`] on `pre_tool`: an object whose members replace those of the tool's input.
    pub updated_input: Option<Json>,
    /// With [`Decision::Modify`] on `before_llm_call`: the messages that the model sees.
    pub updated_messages: Option<Json>,
    /// With [`Decision::Modify`] on events about a tool's result: its new content.
    pub updated_tool_response: Option<String>,
    /// With [`Decision::Modify`] on `before_compaction`: the summary to use instead of making one.
    pub summary: Option<String>,
    /// On `pre_tool` and `permission_request`: whether the tool may run. A decision of `allow` only means that the hook
    /// has no objection; a permission of `allow` also spares the user the question.
    pub permission: Option<Permission>,
    /// Why the hook gave this permission.
    pub permission_reason: Option<String>,
    /// On `pre_message`: text for the system prompt. Kept with every decision except deny; blank text is ignored.
    pub system_prompt_append: Option<String>,
    /// Extra text for the model.
    pub additional_context: Option<String>,
    /// Text for the user.
    pub system_message: Option<String>,
    /// Whether the agent should stop its loop.
    pub stop: bool,
    /// Why the agent should stop.
    pub stop_reason: Option<String>,
}

/// Decisions of other hook systems that are not valid here: the word, its dialect, and hookbox's word for it.
const FOREIGN_DECISIONS: [(&str, &str, &str); 1] = [("block", "docker-agent", "deny")];
/// Keys of other hook systems that hookbox does not have, each with its dialect.
const FOREIGN_KEYS: [(&str, &str); 3] =
    [("continue", "docker-agent"), ("hook_specific_output", "docker-agent"), ("suppress_output", "docker-agent")];

/// The text is not a valid Action. It never counts as an allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ActionError {
    message: String,
    dialect: Option<&'static str>,
}

impl ActionError {
    fn new(message: impl Into<String>) -> Self {
        ActionError { message: message.into(), dialect: None }
    }

    /// Returns the dialect whose word or key the text uses, if it looks like an answer from a hook written for that
    /// system.
    #[must_use]
    pub const fn dialect(&self) -> Option<&'static str> {
        self.dialect
    }
}

impl Action {
    /// Allows the event.
    #[must_use]
    pub fn allow() -> Self {
        Action::default()
    }

    /// Denies the event for this reason.
    pub fn deny(reason: impl Into<String>) -> Self {
        Action { decision: Decision::Deny, reason: Some(reason.into()), ..Action::default() }
    }

    /// Lets the user decide, for this reason.
    pub fn ask(reason: impl Into<String>) -> Self {
        Action { decision: Decision::Ask, reason: Some(reason.into()), ..Action::default() }
    }

    /// Replaces the tool's input.
    #[must_use]
    pub fn modify_tool_input(tool_input: Json) -> Self {
        Action { decision: Decision::Modify, modified_tool_input: Some(tool_input), ..Action::default() }
    }

    /// Replaces the message.
    pub fn modify_message(message: impl Into<String>) -> Self {
        Action { decision: Decision::Modify, modified_message: Some(message.into()), ..Action::default() }
    }

    /// Replaces the tool's result.
    #[must_use]
    pub fn modify_tool_result(result: ToolResult) -> Self {
        Action { decision: Decision::Modify, modified_tool_result: Some(result), ..Action::default() }
    }

    /// Replaces or adds these members of the tool's input.
    #[must_use]
    pub fn update_tool_input(members: Json) -> Self {
        Action { decision: Decision::Modify, updated_input: Some(members), ..Action::default() }
    }

    /// Sets the reason.
    #[must_use]
    pub fn with_reason(self, reason: impl Into<String>) -> Self {
        Action { reason: Some(reason.into()), ..self }
    }

    /// Also answers whether the tool may run.
    #[must_use]
    pub fn with_permission(self, permission: Permission, reason: Option<String>) -> Self {
        Action { permission: Some(permission), permission_reason: reason, ..self }
    }

    /// Adds text for the system prompt.
    #[must_use]
    pub fn with_system_prompt(self, text: impl Into<String>) -> Self {
        Action { system_prompt_append: Some(text.into()), ..self }
    }

    /// Adds text for the model.
    #[must_use]
    pub fn with_context(self, text: impl Into<String>) -> Self {
        Action { additional_context: Some(text.into()), ..self }
    }

    /// Adds text for the user.
    #[must_use]
    pub fn with_system_message(self, text: impl Into<String>) -> Self {
        Action { system_message: Some(text.into()), ..self }
    }

    /// Also ends the agent's loop.
    #[must_use]
    pub fn with_stop(self, reason: Option<String>) -> Self {
        Action { stop: true, stop_reason: reason, ..self }
    }

    /// Reads an Action strictly, as an answer to `event`.
    ///
    /// An absent decision allows. `null` counts as an absent key, except for `decision` (a policy that computed no
    /// decision must not allow) and `modified_tool_input` (a tool's input may be `null`).
    ///
    /// # Errors
    /// The text is not strict JSON, is not an object, has an unknown key or decision or a value of the wrong type, or
    /// says `modify` without a rewrite that fits the event.
    pub fn from_slice(bytes: &[u8], event: Event) -> Result<Self, ActionError> {
        if bytes.is_empty() {
            return Err(ActionError::new("it is empty; `{}` allows"));
        }
        let members = json::object(bytes, MAX_ACTION_BYTES)
            .map_err(|error| ActionError::new(format!("{}; it begins {:?}", error.message, beginning(bytes))))?;
        let mut action = Action::default();
        for member in members {
            action.set(member)?;
        }
        if action.lacks_rewrite(event) {
            return Err(ActionError::new(format!(
                "`modify` on {event} needs {}",
                match event {
                    Event::PreTool => "`modified_tool_input` or `updated_input`",
                    Event::PostTool | Event::ToolResponseTransform => {
                        "`modified_tool_result` or `updated_tool_response`"
                    }
                    Event::PreMessage | Event::PostMessage => "a `modified_message` that is not empty",
                    Event::BeforeLlmCall => "`updated_messages`",
                    Event::BeforeCompaction => "a `summary` that is not empty",
                    _ => "another event: there is nothing to rewrite",
                }
            )));
        }
        Ok(action)
    }

    /// Reads an Action strictly, as the answer to this Input.
    ///
    /// In addition to the rules of [`from_slice`](Action::from_slice), a rewrite of a tool's input must keep its kind:
    /// an object stays an object, a list stays a list, and so on. If the Input has no `tool_input`, or it is `null`,
    /// any kind is accepted.
    ///
    /// # Errors
    /// As for [`from_slice`](Action::from_slice), and if a rewrite has another kind.
    pub fn answer_to(input: &Input, bytes: &[u8]) -> Result<Self, ActionError> {
        let action = Action::from_slice(bytes, input.event)?;
        action.changed_kind(input).map_or(Ok(action), |message| Err(ActionError::new(message)))
    }

    /// Describes a rewrite that would change the kind of the tool's input, if there is one.
    pub(crate) fn changed_kind(&self, input: &Input) -> Option<String> {
        if self.decision != Decision::Modify || input.event != Event::PreTool {
            return None;
        }
        let before = input.tool_input.as_ref().map(Json::kind).filter(|kind| *kind != "null")?;
        let rewrites = [("modified_tool_input", &self.modified_tool_input), ("updated_input", &self.updated_input)];
        rewrites.into_iter().find_map(|(key, json)| {
            let after = json.as_ref().map(Json::kind).filter(|after| *after != before)?;
            Some(format!("`{key}` is {after} where the tool's input is {before}; a rewrite must keep its kind"))
        })
    }

    fn set(&mut self, (key, raw): Member<'_>) -> Result<(), ActionError> {
        let text = raw.get();
        match key.as_ref() {
            "decision" => self.decision = decision(text)?,
            "reason" => self.reason = typed("reason", text)?,
            "modified_tool_input" => self.modified_tool_input = Some(Json::checked(raw)),
            "modified_message" => self.modified_message = typed("modified_message", text)?,
            "modified_tool_result" => {
                self.modified_tool_result = typed::<StrictToolResult>("modified_tool_result", text)?.map(Into::into);
            }
            "updated_input" => self.updated_input = composite("updated_input", raw, '{', "an object")?,
            "updated_messages" => self.updated_messages = composite("updated_messages", raw, '[', "a list")?,
            "updated_tool_response" => self.updated_tool_response = typed("updated_tool_response", text)?,
            "summary" => self.summary = typed("summary", text)?,
            "permission" => self.permission = permission(text)?,
            "permission_reason" => self.permission_reason = typed("permission_reason", text)?,
            "system_prompt_append" => self.system_prompt_append = typed("system_prompt_append", text)?,
            "additional_context" => self.additional_context = typed("additional_context", text)?,
            "system_message" => self.system_message = typed("system_message", text)?,
            "stop" => self.stop = typed("stop", text)?.unwrap_or_default(),
            "stop_reason" => self.stop_reason = typed("stop_reason", text)?,
            unknown => return Err(unknown_key(unknown)),
        }
        Ok(())
    }

    /// Returns whether the Action says `modify` without a fitting rewrite, which makes it invalid.
    pub(crate) fn lacks_rewrite(&self, event: Event) -> bool {
        self.decision == Decision::Modify && !self.rewrites(event)
    }

    fn rewrites(&self, event: Event) -> bool {
        let is_some = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.is_empty());
        match event {
            Event::PreTool => self.modified_tool_input.is_some() || self.updated_input.is_some(),
            Event::PostTool | Event::ToolResponseTransform => {
                self.modified_tool_result.is_some() || self.updated_tool_response.is_some()
            }
            Event::PreMessage | Event::PostMessage => is_some(&self.modified_message),
            Event::BeforeLlmCall => self.updated_messages.is_some(),
            Event::BeforeCompaction => is_some(&self.summary),
            _ => false,
        }
    }

    /// Returns whether the Action carries any rewrite, fitting or not.
    pub(crate) fn has_rewrite(&self) -> bool {
        self.modified_tool_input.is_some()
            || self.modified_message.is_some()
            || self.modified_tool_result.is_some()
            || self.updated_input.is_some()
            || self.updated_messages.is_some()
            || self.updated_tool_response.is_some()
            || self.summary.is_some()
    }

    /// Returns the deny or ask in this Action, with its reason. `stop_denies` says whether ending the agent's loop also
    /// counts as a deny.
    pub(crate) fn restraint(&self, stop_denies: bool) -> Option<(Decision, Option<&str>)> {
        let permission = |wanted| self.permission == Some(wanted);
        if self.decision == Decision::Deny {
            Some((Decision::Deny, self.reason.as_deref()))
        } else if permission(Permission::Deny) {
            Some((Decision::Deny, self.permission_reason.as_deref()))
        } else if self.stop && stop_denies {
            Some((Decision::Deny, self.stop_reason.as_deref()))
        } else if self.decision == Decision::Ask {
            Some((Decision::Ask, self.reason.as_deref()))
        } else if permission(Permission::Ask) {
            Some((Decision::Ask, self.permission_reason.as_deref()))
        } else {
            None
        }
    }

    /// Takes over the rewrites of another Action, which have already been applied. An ask becomes a permission, because
    /// one decision cannot say both.
    pub(crate) fn take_rewrites(&mut self, other: Action, event: Event) {
        match self.decision {
            Decision::Ask if event.has_permission() => {
                self.decision = Decision::Modify;
                if self.permission.is_none() {
                    self.permission = Some(Permission::Ask);
                    self.permission_reason = self.reason.take();
                }
            }
            Decision::Allow => self.decision = Decision::Modify,
            Decision::Ask | Decision::Deny | Decision::Modify => {}
        }
        self.modified_tool_input = other.modified_tool_input;
        self.modified_message = other.modified_message;
        self.modified_tool_result = other.modified_tool_result;
        self.updated_input = other.updated_input;
        self.updated_messages = other.updated_messages;
        self.updated_tool_response = other.updated_tool_response;
        self.summary = other.summary;
    }

    /// Returns the Action as a hook would write it. Absent members are left out, and hidden characters are escaped,
    /// except in rewrites that are JSON themselves.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = ObjectWriter::printed(64);
        out.text("decision", self.decision.as_str()).optional_text("reason", self.reason.as_deref());
        if let Some(tool_input) = &self.modified_tool_input {
            out.raw("modified_tool_input", tool_input.as_str());
        }
        out.optional_text("modified_message", self.modified_message.as_deref());
        if let Some(result) = &self.modified_tool_result {
            out.json("modified_tool_result", &result.to_json());
        }
        if let Some(update) = &self.updated_input {
            out.raw("updated_input", update.as_str());
        }
        if let Some(messages) = &self.updated_messages {
            out.raw("updated_messages", messages.as_str());
        }
        out.optional_text("updated_tool_response", self.updated_tool_response.as_deref())
            .optional_text("summary", self.summary.as_deref())
            .optional_text("permission", self.permission.map(Permission::as_str))
            .optional_text("permission_reason", self.permission_reason.as_deref())
            .optional_text("system_prompt_append", self.system_prompt_append.as_deref())
            .optional_text("additional_context", self.additional_context.as_deref())
            .optional_text("system_message", self.system_message.as_deref());
        if self.stop {
            out.raw("stop", "true");
        }
        out.optional_text("stop_reason", self.stop_reason.as_deref());
        out.finish()
    }
}

/// A tool result in an Action, where an unknown key is an error.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "an object")]
struct StrictToolResult {
    is_error: bool,
    content: String,
}

impl From<StrictToolResult> for ToolResult {
    fn from(result: StrictToolResult) -> Self {
        ToolResult { is_error: result.is_error, content: result.content }
    }
}

/// The start of an answer, long enough to tell a log line from JSON.
fn beginning(bytes: &[u8]) -> String {
    const SHOWN: usize = 30;
    String::from_utf8_lossy(bytes.get(..4 * SHOWN).unwrap_or(bytes)).chars().take(SHOWN).collect()
}

fn decision(text: &str) -> Result<Decision, ActionError> {
    let name: Option<String> = typed("decision", text)?;
    match name.as_deref() {
        Some("allow") => Ok(Decision::Allow),
        Some("deny") => Ok(Decision::Deny),
        Some("modify") => Ok(Decision::Modify),
        Some("ask") => Ok(Decision::Ask),
        other => {
            let foreign = FOREIGN_DECISIONS.iter().find(|(word, ..)| Some(*word) == other);
            let hint = foreign
                .map_or_else(String::new, |(word, dialect, own)| format!("; `{word}` is {dialect}'s word for `{own}`"));
            Err(ActionError {
                message: format!("`decision` is {text}, which is none of: allow, deny, modify, ask{hint}"),
                dialect: foreign.map(|(_, dialect, _)| *dialect),
            })
        }
    }
}

fn unknown_key(name: &str) -> ActionError {
    let foreign = FOREIGN_KEYS.iter().find(|(key, _)| *key == name).map(|(_, dialect)| *dialect);
    let hint = foreign.map_or_else(String::new, |dialect| format!("; {dialect} has it"));
    ActionError { message: format!("unknown key {name:?}{hint}"), dialect: foreign }
}

/// Parses a permission. Like a decision, it is never guessed.
fn permission(text: &str) -> Result<Option<Permission>, ActionError> {
    let Some(name) = typed::<String>("permission", text)? else {
        return Ok(None);
    };
    let unknown = || ActionError::new(format!("`permission` is {text}, which is none of: allow, ask, deny"));
    Permission::of_name(&name).map(Some).ok_or_else(unknown)
}

/// Accepts an object or a list, recognized by its first character.
fn composite(key: &str, raw: &RawValue, begins: char, what: &str) -> Result<Option<Json>, ActionError> {
    match raw.get() {
        "null" => Ok(None),
        text if text.starts_with(begins) => Ok(Some(Json::checked(raw))),
        _ => Err(ActionError::new(format!("`{key}` has the wrong type: it must be {what}"))),
    }
}

fn typed<'a, T: Deserialize<'a>>(key: &str, text: &'a str) -> Result<Option<T>, ActionError> {
    json::typed(key, text).map_err(ActionError::new)
}
