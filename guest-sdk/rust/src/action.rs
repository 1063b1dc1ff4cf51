//! The JSON object that a hook returns.

use crate::{Error, Json, ToolResult};
use serde::Serialize;
use std::collections::BTreeMap;

/// The decision of a hook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// Proceed.
    #[default]
    Allow,
    /// Block what is about to happen.
    Deny,
    /// Proceed with the replacement that the Action carries.
    Modify,
    /// Let the user decide.
    Ask,
}

/// Whether a tool may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Permission {
    /// The tool may run without asking the user.
    Allow,
    /// The user is asked.
    Ask,
    /// The tool must not run.
    Deny,
}

/// A hook's answer. The default allows and changes nothing.
///
/// ```
/// use hookbox_sdk::Action;
///
/// let action = Action::deny("`prod` is off limits; use `staging`").with_context("Deploys go to staging first.");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[must_use]
#[non_exhaustive]
pub struct Action {
    /// What the hook decided.
    pub decision: Decision,
    /// The reason, for the user and the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// With [`Decision::Modify`] on `pre_tool`: the tool's whole new input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified_tool_input: Option<Json>,
    /// With [`Decision::Modify`] on message events: the new message, not empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified_message: Option<String>,
    /// With [`Decision::Modify`] on `post_tool`: the tool's new result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified_tool_result: Option<ToolResult>,
    /// With [`Decision::Modify`] on `pre_tool`: members that replace those of the tool's input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_input: Option<BTreeMap<String, Json>>,
    /// With [`Decision::Modify`] on `before_llm_call`: the messages that the model sees, as a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_messages: Option<Json>,
    /// With [`Decision::Modify`] on events about a tool's result: the new content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_tool_response: Option<String>,
    /// With [`Decision::Modify`] on `before_compaction`: the summary to use instead of generating one. Not empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// On `pre_tool` and `permission_request`: whether the tool may run. A decision of `allow` only means no objection;
    /// a permission of `allow` skips the question to the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission: Option<Permission>,
    /// The reason for the permission.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission_reason: Option<String>,
    /// On `pre_message`: text for the system prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_prompt_append: Option<String>,
    /// Text for the model, in addition to what the event carries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additional_context: Option<String>,
    /// Text for the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_message: Option<String>,
    /// Whether the agent should stop its loop.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stop: bool,
    /// The reason to stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
}

impl Action {
    /// Proceeds without changes.
    pub fn allow() -> Self {
        Action::default()
    }

    /// Blocks the action, for gating events.
    pub fn deny(reason: impl Into<String>) -> Self {
        Action { decision: Decision::Deny, reason: Some(reason.into()), ..Action::default() }
    }

    /// Asks the user, for gating events.
    pub fn ask(reason: impl Into<String>) -> Self {
        Action { decision: Decision::Ask, reason: Some(reason.into()), ..Action::default() }
    }

    fn modify() -> Self {
        Action { decision: Decision::Modify, ..Action::default() }
    }

    /// Replaces one member of the tool's input and keeps all others byte for byte. On `pre_tool`.
    pub fn update_input(key: impl Into<String>, value: impl Into<Json>) -> Self {
        Action::modify().and_input(key, value)
    }

    /// Replaces one more member of the tool's input.
    pub fn and_input(mut self, key: impl Into<String>, value: impl Into<Json>) -> Self {
        self.decision = Decision::Modify;
        self.updated_input.get_or_insert_default().insert(key.into(), value.into());
        self
    }

    /// Replaces the tool's input. On `pre_tool`.
    pub fn modify_tool_input(tool_input: impl Into<Json>) -> Self {
        Action { modified_tool_input: Some(tool_input.into()), ..Action::modify() }
    }

    /// Replaces the message; the new one must not be empty. On `pre_message` and `post_message`.
    pub fn modify_message(message: impl Into<String>) -> Self {
        Action { modified_message: Some(message.into()), ..Action::modify() }
    }

    /// Replaces the tool's result. On `post_tool` and `tool_response_transform`.
    pub fn modify_tool_result(result: ToolResult) -> Self {
        Action { modified_tool_result: Some(result), ..Action::modify() }
    }

    /// Replaces the content of the tool's result. On `post_tool` and `tool_response_transform`.
    pub fn update_tool_response(content: impl Into<String>) -> Self {
        Action { updated_tool_response: Some(content.into()), ..Action::modify() }
    }

    /// Replaces the conversation; `messages` must be a list. On `before_llm_call`.
    pub fn update_messages(messages: impl Into<Json>) -> Self {
        Action { updated_messages: Some(messages.into()), ..Action::modify() }
    }

    /// Provides a summary, so none is generated; it must not be empty. On `before_compaction`.
    pub fn summarize(summary: impl Into<String>) -> Self {
        Action { summary: Some(summary.into()), ..Action::modify() }
    }

    /// Lets the tool run without asking the user. On `pre_tool` and `permission_request`.
    pub fn permit(reason: impl Into<String>) -> Self {
        Action { permission: Some(Permission::Allow), permission_reason: Some(reason.into()), ..Action::default() }
    }

    /// Sets the reason.
    pub fn with_reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// Adds text for the model, in addition to what the event carries.
    pub fn with_context(mut self, text: impl Into<String>) -> Self {
        self.additional_context = Some(text.into());
        self
    }

    /// Adds text for the user.
    pub fn with_message(mut self, text: impl Into<String>) -> Self {
        self.system_message = Some(text.into());
        self
    }

    /// Adds text to the system prompt. On `pre_message`.
    pub fn with_system_prompt(mut self, text: impl Into<String>) -> Self {
        self.system_prompt_append = Some(text.into());
        self
    }

    /// Also ends the agent's loop, for this reason.
    pub fn and_stop(mut self, reason: impl Into<String>) -> Self {
        self.stop = true;
        self.stop_reason = Some(reason.into());
        self
    }

    /// Whether the decision is [`Decision::Allow`].
    #[must_use]
    pub fn is_allow(&self) -> bool {
        self.decision == Decision::Allow
    }

    /// Whether the decision is [`Decision::Deny`].
    #[must_use]
    pub fn is_deny(&self) -> bool {
        self.decision == Decision::Deny
    }

    /// Whether the decision is [`Decision::Ask`].
    #[must_use]
    pub fn is_ask(&self) -> bool {
        self.decision == Decision::Ask
    }

    /// Whether the decision is [`Decision::Modify`].
    #[must_use]
    pub fn is_modify(&self) -> bool {
        self.decision == Decision::Modify
    }

    /// Returns the Action as JSON, in the form that the engine reads.
    ///
    /// # Errors
    /// Returns an error if the Action cannot be serialized. No such case is known.
    pub fn to_json(&self) -> Result<String, Error> {
        Ok(serde_json::to_string(self)?)
    }
}
