//! The JSON object that a hook receives.

use crate::read::{self, Slot};
use crate::{Error, Event, Json, json};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A tool's result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ToolResult {
    /// Whether the tool failed.
    pub is_error: bool,
    /// What the model sees.
    pub content: String,
}

impl ToolResult {
    /// Creates the result of a tool that succeeded.
    pub fn new(content: impl Into<String>) -> Self {
        ToolResult { is_error: false, content: content.into() }
    }

    /// Creates the result of a tool that failed.
    pub fn error(content: impl Into<String>) -> Self {
        ToolResult { is_error: true, content: content.into() }
    }
}

/// Settings for a hook that takes none. Configuring any is an error, so the operator learns that they have no effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoSettings {}

macro_rules! input {
    ($($(#[doc = $doc:literal])+ $field:ident: $type:ty,)+) => {
        /// An event and everything that a hook may know about it. Keys that the SDK does not know are ignored.
        ///
        /// `S` is the type of the hook's own settings: `fn judge(input: &Input<Settings>)`. See the [crate's
        /// page](crate#settings).
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Input<S = NoSettings> {
            /// The point in the agent's loop.
            pub event: Event,
            $($(#[doc = $doc])+ pub $field: $type,)+
            /// The hook's own settings from `hooks.toml`.
            pub settings: S,
        }

        /// The fields of an Input.
        #[allow(non_camel_case_types, reason = "they are spelled as the keys are")]
        pub(crate) enum Field { event, $($field,)+ settings }

        impl Input<Option<Json>> {
            /// Returns the field with this key, and the place that its value goes into.
            pub(crate) fn slot(&mut self, key: &str) -> Option<(Field, Slot<'_>)> {
                Some(match key {
                    "event" => (Field::event, Slot::from(&mut self.event)),
                    $(stringify!($field) => (Field::$field, Slot::from(&mut self.$field)),)+
                    "settings" => (Field::settings, Slot::from(&mut self.settings)),
                    _ => return None,
                })
            }
        }

        impl Input {
            /// Creates an Input with only an event, for tests.
            #[must_use]
            pub fn new(event: Event) -> Self {
                Input { event, $($field: <$type>::default(),)+ settings: NoSettings {} }
            }
        }

        impl<S> Input<S> {
            /// Returns the same Input for a hook with these settings, for tests.
            #[must_use]
            pub fn with_settings<T>(self, settings: T) -> Input<T> {
                Input { event: self.event, $($field: self.$field,)+ settings }
            }
        }
    };
}

input! {
    /// The agent's session; empty if the agent did not provide it.
    session_id: String,
    /// The name of the event.
    hook_name: String,
    /// The agent's working directory; empty if the agent did not provide it.
    pwd: String,
    /// The name of the tool.
    tool_name: Option<String>,
    /// The tool's input, byte for byte as it will reach the tool.
    tool_input: Option<Json>,
    /// The tool's result.
    tool_result: Option<ToolResult>,
    /// The facts of the tool call, as JSON. See [`facts`](Input::facts).
    tool: Option<Json>,
    /// The user's or the assistant's message.
    message: Option<String>,
    /// The agent's mode, if it has modes.
    mode_name: Option<String>,
    /// The model's ID for this tool call.
    tool_use_id: Option<String>,
    /// The turn's number.
    turn: Option<u64>,
    /// The current time in RFC 3339. A hook has no other clock.
    now: Option<String>,
    /// The agent whose loop this is, if there are several.
    agent_name: Option<String>,
    /// The model, as `provider/model`.
    model_id: Option<String>,
    /// The number of the model call within this run, from 1.
    iteration: Option<i64>,
    /// The user's last message.
    last_user_message: Option<String>,
    /// The conversation as the model will see it, as a list.
    messages: Option<Json>,
    /// What started a session or a compaction.
    source: Option<String>,
    /// Why a session or a turn ended.
    reason: Option<String>,
    /// The session that started this one.
    parent_session_id: Option<String>,
    /// `error` or `warning`.
    notification_level: Option<String>,
    /// The notification's text.
    notification_message: Option<String>,
    /// The agent that hands off the conversation.
    from_agent: Option<String>,
    /// The agent that takes over the conversation.
    to_agent: Option<String>,
    /// How the conversation is handed off.
    agent_switch_kind: Option<String>,
    /// The models of the agent that hands off, as a list.
    from_agent_models: Option<Json>,
    /// The iteration limit that was reached.
    previous_max_iterations: Option<i64>,
    /// The new iteration limit.
    new_max_iterations: Option<i64>,
    /// Whether the tool may run.
    approval_decision: Option<String>,
    /// Who made the approval decision.
    approval_source: Option<String>,
    /// Input tokens of the conversation.
    input_tokens: Option<i64>,
    /// Output tokens of the conversation.
    output_tokens: Option<i64>,
    /// The model's context window, in tokens.
    context_limit: Option<i64>,
    /// Why the conversation is compacted.
    compaction_reason: Option<String>,
    /// The summary that replaces the conversation.
    summary: Option<String>,
}

impl Input {
    /// Creates an Input for a tool call that is about to happen, for tests.
    ///
    /// ```
    /// use hookbox_sdk::{Input, json};
    ///
    /// let input = Input::pre_tool("bash", json!({ "command": "ls" }));
    /// ```
    pub fn pre_tool(tool_name: impl Into<String>, tool_input: impl Into<Json>) -> Self {
        Input { tool_name: Some(tool_name.into()), tool_input: Some(tool_input.into()), ..Input::new(Event::PreTool) }
    }

    /// Creates an Input for a tool call that has returned, for tests.
    pub fn post_tool(tool_name: impl Into<String>, tool_input: impl Into<Json>, result: ToolResult) -> Self {
        Input { event: Event::PostTool, tool_result: Some(result), ..Input::pre_tool(tool_name, tool_input) }
    }

    /// Creates an Input for a user message that is about to be sent, for tests.
    pub fn pre_message(message: impl Into<String>) -> Self {
        Input { message: Some(message.into()), ..Input::new(Event::PreMessage) }
    }
}

impl<S: DeserializeOwned> Input<S> {
    /// Reads an Input as the engine sends it. Missing settings are read as an empty table.
    ///
    /// # Errors
    /// Returns an error if the text is not an Input, the SDK does not know its event, or its settings do not fit the
    /// type.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        read::input(text)?.with_own_settings()
    }

    /// Like [`from_json`](Self::from_json), but for a text that is never freed.
    pub(crate) fn from_kept_json(text: &'static str) -> Result<Self, Error> {
        read::kept_input(text)?.with_own_settings()
    }
}

impl Input<Option<Json>> {
    fn with_own_settings<S: DeserializeOwned>(self) -> Result<Input<S>, Error> {
        let settings = self.settings.as_ref().map_or("{}", Json::as_str);
        // The position in the JSON is left out: it means nothing to the operator, who wrote the settings as TOML.
        let settings = json::object(settings)
            .map_err(|error| Error::new(json::without_place(&error)).context("the hook's `settings` cannot be used"))?;
        Ok(self.with_settings(settings))
    }
}

impl<S> Input<S> {
    /// Whether the tool has one of these names.
    #[must_use]
    pub fn is_tool(&self, names: &[&str]) -> bool {
        self.tool_name.as_deref().is_some_and(|name| names.contains(&name))
    }

    /// Returns a string member of the tool's input, such as `path`, or `None` if there is no tool input or no such
    /// member.
    ///
    /// # Errors
    /// Returns an error if the tool's input is not an object or has the key twice, or if the member is not a string.
    pub fn text(&self, key: &str) -> Result<Option<String>, Error> {
        let Some(tool_input) = &self.tool_input else {
            return Ok(None);
        };
        tool_input.text(key).map_err(in_tool_input)
    }

    /// Returns a member of the tool's input as a type of your choice, or `None` if there is no tool input or no such
    /// member.
    ///
    /// # Errors
    /// Returns an error if the tool's input is not an object or has the key twice, or if the member does not fit the
    /// type.
    pub fn argument<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, Error> {
        let Some(tool_input) = &self.tool_input else {
            return Ok(None);
        };
        tool_input.get(key).map_err(in_tool_input)
    }
}

pub(crate) fn in_tool_input(error: Error) -> Error {
    error.context("the tool's input")
}
