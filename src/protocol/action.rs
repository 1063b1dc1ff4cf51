//! The JSON object that a hook returns.

use super::json::{self, Member};
use super::{Decision, Event, Json, ObjectWriter, ToolResult};
use serde::Deserialize;

/// The largest answer that is read as an Action, in bytes: twice the largest Input, since a rewrite may repeat the
/// Input with more escapes.
pub(crate) const MAX_ACTION_BYTES: usize = 2 << 20;

/// What a hook answers. The default allows and changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Action {
    /// What the hook decided.
    pub decision: Decision,
    /// Why, for the user and the model.
    pub reason: Option<String>,
    /// With [`Decision::Modify`] on `pre_tool`: the tool's new input.
    pub modified_tool_input: Option<Json>,
    /// With [`Decision::Modify`] on message events: the new message, not empty.
    pub modified_message: Option<String>,
    /// With [`Decision::Modify`] on `post_tool`: the tool's new result.
    pub modified_tool_result: Option<ToolResult>,
    /// On `pre_message`: text for the system prompt. Kept with every decision but deny; blank text is ignored.
    pub system_prompt_append: Option<String>,
    /// Text for the model, beside the thing that the event is about.
    pub additional_context: Option<String>,
    /// Text for the user.
    pub system_message: Option<String>,
    /// The agent should stop its loop.
    pub stop: bool,
    /// Why it should stop.
    pub stop_reason: Option<String>,
}

/// A text is not a valid Action. It never counts as an allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ActionError(String);

impl Action {
    /// Go on.
    #[must_use]
    pub fn allow() -> Self {
        Action::default()
    }

    /// Stop, for this reason.
    pub fn deny(reason: impl Into<String>) -> Self {
        Action { decision: Decision::Deny, reason: Some(reason.into()), ..Action::default() }
    }

    /// Let the user decide, for this reason.
    pub fn ask(reason: impl Into<String>) -> Self {
        Action { decision: Decision::Ask, reason: Some(reason.into()), ..Action::default() }
    }

    /// Go on with another input for the tool.
    #[must_use]
    pub fn modify_tool_input(tool_input: Json) -> Self {
        Action { decision: Decision::Modify, modified_tool_input: Some(tool_input), ..Action::default() }
    }

    /// Go on with another message.
    pub fn modify_message(message: impl Into<String>) -> Self {
        Action { decision: Decision::Modify, modified_message: Some(message.into()), ..Action::default() }
    }

    /// Go on with another result of the tool.
    #[must_use]
    pub fn modify_tool_result(result: ToolResult) -> Self {
        Action { decision: Decision::Modify, modified_tool_result: Some(result), ..Action::default() }
    }

    /// Reads an Action strictly, as an answer to `event`.
    ///
    /// An absent decision allows. A `null` counts as an absent key, except for `decision` (a policy that computed
    /// no decision must not allow) and for `modified_tool_input` (a tool's input may be `null`).
    ///
    /// # Errors
    /// Not strict JSON, not an object, an unknown key or decision, a wrong type, or `modify` without a rewrite
    /// that fits the event.
    pub fn from_slice(bytes: &[u8], event: Event) -> Result<Self, ActionError> {
        if bytes.is_empty() {
            return Err(ActionError("it is empty; `{}` allows".to_owned()));
        }
        let members = json::object(bytes, MAX_ACTION_BYTES)
            .map_err(|error| ActionError(format!("{}; it begins {:?}", error.message, beginning(bytes))))?;
        let mut action = Action::default();
        for member in members {
            action.set(member)?;
        }
        if action.lacks_rewrite(event) {
            return Err(ActionError(format!(
                "`modify` on {event} needs {}",
                match event {
                    Event::PreTool => "`modified_tool_input`",
                    Event::PostTool => "`modified_tool_result`",
                    Event::PreMessage | Event::PostMessage => "a `modified_message` that is not empty",
                }
            )));
        }
        Ok(action)
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
            "system_prompt_append" => self.system_prompt_append = typed("system_prompt_append", text)?,
            "additional_context" => self.additional_context = typed("additional_context", text)?,
            "system_message" => self.system_message = typed("system_message", text)?,
            "stop" => self.stop = typed("stop", text)?.unwrap_or_default(),
            "stop_reason" => self.stop_reason = typed("stop_reason", text)?,
            unknown => return Err(ActionError(format!("unknown key {unknown:?}"))),
        }
        Ok(())
    }

    /// Whether the Action says `modify` and does not say how, which makes it invalid.
    pub(crate) fn lacks_rewrite(&self, event: Event) -> bool {
        self.decision == Decision::Modify && !self.rewrites(event)
    }

    fn rewrites(&self, event: Event) -> bool {
        match event {
            Event::PreTool => self.modified_tool_input.is_some(),
            Event::PostTool => self.modified_tool_result.is_some(),
            Event::PreMessage | Event::PostMessage => {
                self.modified_message.as_ref().is_some_and(|message| !message.is_empty())
            }
        }
    }

    /// Whether the Action carries any rewrite, fitting or not.
    pub(crate) fn has_rewrite(&self) -> bool {
        self.modified_tool_input.is_some() || self.modified_message.is_some() || self.modified_tool_result.is_some()
    }

    /// The Action as a hook would write it: without what is absent.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = ObjectWriter::with_capacity(64);
        out.text("decision", self.decision.as_str()).optional_text("reason", self.reason.as_deref());
        if let Some(tool_input) = &self.modified_tool_input {
            out.raw("modified_tool_input", tool_input.as_str());
        }
        out.optional_text("modified_message", self.modified_message.as_deref());
        if let Some(result) = &self.modified_tool_result {
            out.raw("modified_tool_result", &result.to_json());
        }
        out.optional_text("system_prompt_append", self.system_prompt_append.as_deref())
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

/// The first characters of a text, enough to tell a log line from an answer.
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
        _ => Err(ActionError(format!("`decision` is {text}, which is none of: allow, deny, modify, ask"))),
    }
}

fn typed<'a, T: Deserialize<'a>>(key: &str, text: &'a str) -> Result<Option<T>, ActionError> {
    json::typed(key, text).map_err(ActionError)
}
