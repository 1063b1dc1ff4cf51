//! Applies the rewrites of hooks to the Input.

use super::rule::Base;
use crate::protocol::{Action, Event, Field, Input, Json, ToolResult};

/// The parts of an Input that hooks can rewrite.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Rewritable {
    tool_input: Option<Json>,
    tool_result: Option<ToolResult>,
    message: Option<String>,
    messages: Option<Json>,
    summary: Option<Json>,
}

impl Rewritable {
    pub(super) fn from_input(input: &Input) -> Self {
        Rewritable {
            tool_input: input.tool_input.clone(),
            tool_result: input.tool_result.clone(),
            message: input.message.clone(),
            messages: input.field(Field::Messages).cloned(),
            summary: input.field(Field::Summary).cloned(),
        }
    }
}

/// The merged rewrites of several hooks.
#[derive(Default)]
pub(super) struct Rewrites {
    tool_input: Option<Json>,
    tool_result: Option<ToolResult>,
    message: Option<String>,
    messages: Option<Json>,
    summary: Option<String>,
}

impl Rewrites {
    /// Starts with `base`, which updates are merged into.
    pub(super) fn onto(base: Base, input: &Input) -> Self {
        let tool_input = match base {
            Base::Current => input.tool_input.clone(),
            Base::Empty => None,
        };
        Rewrites { tool_input, ..Rewrites::default() }
    }

    /// Adds the rewrites of an Action. The rewrite of an earlier hook wins, except for the tool's input, where the last
    /// wins.
    pub(super) fn add(&mut self, action: &Action, input: &Input) {
        match input.event {
            Event::PreTool | Event::ToolInputTransform => {
                if let Some(whole) = &action.modified_tool_input {
                    self.tool_input = Some(whole.clone());
                }
                if let Some(update) = &action.updated_input {
                    self.tool_input = Some(update.merged_into(self.tool_input.as_ref()));
                }
            }
            Event::PostTool | Event::ToolResponseTransform if self.tool_result.is_none() => {
                self.tool_result = action.modified_tool_result.clone();
                if let Some(content) = &action.updated_tool_response {
                    let before = self.tool_result.take().or_else(|| input.tool_result.clone());
                    self.tool_result = Some(ToolResult { content: content.clone(), ..before.unwrap_or_default() });
                }
            }
            Event::PreMessage | Event::PostMessage if self.message.is_none() => {
                self.message = action.modified_message.clone();
            }
            Event::BeforeLlmCall if self.messages.is_none() => self.messages = action.updated_messages.clone(),
            Event::BeforeCompaction if self.summary.is_none() => self.summary = action.summary.clone(),
            _ => {}
        }
    }

    /// Applies the rewrites. Returns whether they changed the Input.
    pub(super) fn apply(self, input: &mut Input) -> bool {
        let before = Rewritable::from_input(input);
        input.tool_input = self.tool_input.or_else(|| input.tool_input.take());
        input.tool_result = self.tool_result.or_else(|| input.tool_result.take());
        input.message = self.message.or_else(|| input.message.take());
        if let Some(messages) = self.messages {
            // This cannot fail: the chain refuses an Action with anything but a list here.
            let _ = input.set_field(Field::Messages, Some(messages));
        }
        if let Some(summary) = self.summary {
            input.set_text(Field::Summary, &summary);
        }
        input.forget_payload();
        if input.tool_input != before.tool_input {
            input.forget_facts();
        }
        Rewritable::from_input(input) != before
    }
}
