//! The points in an agent's loop at which hooks are asked.

use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A point in an agent's loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Event {
    /// Before each tool call. Gating; `modified_tool_input` rewrites the call.
    PreTool,
    /// After a tool returned, with success or with an error. `modified_tool_result` rewrites what the model sees.
    PostTool,
    /// Before the user's message is stored and sent. Gating; `modified_message` rewrites it.
    PreMessage,
    /// After the final assistant message of a send.
    PostMessage,
}

impl Event {
    /// Every event, in the order in which listings scan them.
    pub const ALL: [Event; 4] = [Event::PreTool, Event::PostTool, Event::PreMessage, Event::PostMessage];

    /// The event's name as configs and payloads spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Event::PreTool => "pre_tool",
            Event::PostTool => "post_tool",
            Event::PreMessage => "pre_message",
            Event::PostMessage => "post_message",
        }
    }

    /// Whether an answer can stop the thing that is about to happen.
    #[must_use]
    pub const fn is_gating(self) -> bool {
        matches!(self, Event::PreTool | Event::PreMessage)
    }

    /// Whether the event is about one tool, so that a `match` on the tool's name applies.
    #[must_use]
    pub const fn has_tool(self) -> bool {
        matches!(self, Event::PreTool | Event::PostTool)
    }

    /// What a denied or failed answer stops, as a noun for messages.
    pub(crate) const fn subject(self) -> &'static str {
        match self {
            Event::PreTool => "tool call",
            Event::PostTool => "tool result",
            Event::PreMessage | Event::PostMessage => "message",
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// The text is not the name of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the name of an event")]
pub struct UnknownEvent;

impl FromStr for Event {
    type Err = UnknownEvent;

    /// Names are case-sensitive.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Event::ALL.into_iter().find(|event| event.as_str() == name).ok_or(UnknownEvent)
    }
}
