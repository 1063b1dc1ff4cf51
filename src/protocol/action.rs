//! The JSON object that a hook returns.

use super::{Decision, Event, Json, ObjectWriter, Permission, ToolResult};

/// A hook's answer. The default allows and changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Action {
    /// What the hook decided.
    pub decision: Decision,
    /// The reason for the decision, for the user and the model.
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

impl Action {
    /// Creates an Action that allows the event.
    #[must_use]
    pub fn allow() -> Self {
        Action::default()
    }

    /// Creates an Action that denies the event for this reason.
    pub fn deny(reason: impl Into<String>) -> Self {
        Action { decision: Decision::Deny, reason: Some(reason.into()), ..Action::default() }
    }

    /// Creates an Action that lets the user decide, for this reason.
    pub fn ask(reason: impl Into<String>) -> Self {
        Action { decision: Decision::Ask, reason: Some(reason.into()), ..Action::default() }
    }

    /// Creates an Action that replaces the tool's input.
    #[must_use]
    pub fn modify_tool_input(tool_input: Json) -> Self {
        Action { decision: Decision::Modify, modified_tool_input: Some(tool_input), ..Action::default() }
    }

    /// Creates an Action that replaces the message.
    pub fn modify_message(message: impl Into<String>) -> Self {
        Action { decision: Decision::Modify, modified_message: Some(message.into()), ..Action::default() }
    }

    /// Creates an Action that replaces the tool's result.
    #[must_use]
    pub fn modify_tool_result(result: ToolResult) -> Self {
        Action { decision: Decision::Modify, modified_tool_result: Some(result), ..Action::default() }
    }

    /// Creates an Action that replaces these members of the tool's input, or adds them.
    #[must_use]
    pub fn update_tool_input(members: Json) -> Self {
        Action { decision: Decision::Modify, updated_input: Some(members), ..Action::default() }
    }

    /// Sets the reason.
    #[must_use]
    pub fn with_reason(self, reason: impl Into<String>) -> Self {
        Action { reason: Some(reason.into()), ..self }
    }

    /// Sets the answer to whether the tool may run, and its reason.
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

    /// Also ends the agent's loop, for this reason.
    #[must_use]
    pub fn with_stop(self, reason: Option<String>) -> Self {
        Action { stop: true, stop_reason: reason, ..self }
    }

    /// Returns whether the Action says `modify` without a fitting rewrite, which makes it invalid.
    pub(crate) fn lacks_rewrite(&self, event: Event) -> bool {
        self.decision == Decision::Modify && !self.rewrites(event)
    }

    fn rewrites(&self, event: Event) -> bool {
        let is_some = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.is_empty());
        match event {
            Event::PreTool | Event::ToolInputTransform => {
                self.modified_tool_input.is_some() || self.updated_input.is_some()
            }
            Event::PostTool | Event::ToolResponseTransform => {
                self.modified_tool_result.is_some() || self.updated_tool_response.is_some()
            }
            Event::PreMessage | Event::PostMessage => is_some(&self.modified_message),
            // A hook in Rust may put any JSON here, but only a list can replace the messages.
            Event::BeforeLlmCall => self.updated_messages.as_ref().is_some_and(|json| json.as_str().starts_with('[')),
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

    /// Returns the keys of the Input's parts that the Action rewrites.
    pub(crate) fn rewritten(&self) -> Vec<&'static str> {
        let rewrites = [
            ("tool_input", self.modified_tool_input.is_some() || self.updated_input.is_some()),
            ("tool_result", self.modified_tool_result.is_some() || self.updated_tool_response.is_some()),
            ("message", self.modified_message.is_some()),
            ("messages", self.updated_messages.is_some()),
            ("summary", self.summary.is_some()),
        ];
        rewrites.into_iter().filter_map(|(key, is_there)| is_there.then_some(key)).collect()
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
