//! The strict parser for the answers of hooks.

use super::json::{self, Member};
use super::{Action, Decision, Event, Input, Json, Permission, ToolResult};
use serde::Deserialize;
use serde_json::value::RawValue;

/// The largest answer, in bytes, that is read as an Action. It is twice the largest Input, because a rewrite may repeat
/// the Input with more escapes.
pub(crate) const MAX_ACTION_BYTES: usize = 2 << 20;

/// Decisions of other hook systems that are not valid in hookbox: the word, its dialect, and hookbox's word for it.
const FOREIGN_DECISIONS: [(&str, &str, &str); 1] = [("block", "docker-agent", "deny")];
/// Keys of other hook systems that hookbox does not have, each with its dialect.
const FOREIGN_KEYS: [(&str, &str); 3] =
    [("continue", "docker-agent"), ("hook_specific_output", "docker-agent"), ("suppress_output", "docker-agent")];

/// The error for a text that is not a valid Action. It never counts as an allow.
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
    /// Reads an Action strictly, as an answer to `event`.
    ///
    /// An absent decision allows. `null` counts as an absent key, except for `decision` (a policy that computed no
    /// decision must not allow) and `modified_tool_input` (a tool's input may be `null`).
    ///
    /// # Errors
    /// Returns an error if the text is not strict JSON, is not an object, has an unknown key or decision or a value of
    /// the wrong type, or says `modify` without a rewrite that fits the event.
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
                    Event::PreTool | Event::ToolInputTransform => "`modified_tool_input` or `updated_input`",
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
    /// In addition to the rules of [`from_slice`](Action::from_slice), a rewrite of a tool's input must keep the kind
    /// of its value: an object stays an object, a list stays a list, and so on. If `tool_input` is absent or `null`,
    /// any kind is accepted.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`from_slice`](Action::from_slice), and if a rewrite has a different kind.
    pub fn answer_to(input: &Input, bytes: &[u8]) -> Result<Self, ActionError> {
        let action = Action::from_slice(bytes, input.event)?;
        action.changed_kind(input).map_or(Ok(action), |message| Err(ActionError::new(message)))
    }

    /// Describes a rewrite that would change the kind of the tool's input, if there is one.
    pub(crate) fn changed_kind(&self, input: &Input) -> Option<String> {
        if self.decision != Decision::Modify || !input.event.rewrites_call() {
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

/// Returns the start of an answer, long enough to tell a log line from JSON.
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

/// Parses a permission. Like an unknown decision, an unknown permission is an error.
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
