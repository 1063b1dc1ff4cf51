//! The points in an agent's loop at which hooks are asked.

use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// What the engine knows of an event.
struct Traits {
    name: &'static str,
    /// What a denied or failed answer stops, as a noun for messages.
    subject: &'static str,
    gating: bool,
    /// Whether it is about one tool.
    tool: bool,
}

/// `gate` marks the events whose answer can stop the thing, `tool` those that are about one tool.
macro_rules! events {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $subject:literal $(, $flag:ident)*;)+) => {
        /// A point in an agent's loop.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Event {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Event {
            /// Every event, in the order in which listings scan them.
            pub const ALL: &'static [Event] = &[$(Event::$variant),+];

            const fn traits(self) -> Traits {
                match self {
                    $(Event::$variant => {
                        #[allow(unused_mut, reason = "an event without flags changes nothing")]
                        let mut traits = Traits { name: $name, subject: $subject, gating: false, tool: false };
                        $(events!(@set traits $flag);)*
                        traits
                    })+
                }
            }
        }
    };
    (@set $traits:ident gate) => { $traits.gating = true };
    (@set $traits:ident tool) => { $traits.tool = true };
}

events! {
    /// Before each tool call. `modified_tool_input` or `updated_input` rewrites the call.
    PreTool = "pre_tool", "tool call", gate, tool;
    /// After a tool returned, with success or with an error. `modified_tool_result` rewrites what the model sees.
    PostTool = "post_tool", "tool result", tool;
    /// Before the user's message is stored and sent. `modified_message` rewrites it.
    PreMessage = "pre_message", "message", gate;
    /// After the final assistant message of a send.
    PostMessage = "post_message", "message";
    /// Before the user would be asked whether a tool may run. A `permission` of `allow` spares the question.
    PermissionRequest = "permission_request", "tool call", gate, tool;
    /// Between a tool's return and any use of its output. `updated_tool_response` or `modified_tool_result` rewrites it.
    ToolResponseTransform = "tool_response_transform", "tool result", tool;
    /// After it was decided whether a tool may run.
    ToolApprovalDecision = "on_tool_approval_decision", "decision", tool;
    /// A run begins.
    SessionStart = "session_start", "session";
    /// A run has ended.
    SessionEnd = "session_end", "session";
    /// A run that had reached its limit of iterations goes on.
    SessionResume = "on_session_resume", "session";
    /// Before each call of the model, when its context is put together.
    TurnStart = "turn_start", "turn";
    /// A turn has ended, in whatever way.
    TurnEnd = "turn_end", "turn";
    /// Right before the model is called. `updated_messages` rewrites what it sees.
    BeforeLlmCall = "before_llm_call", "model call", gate;
    /// The model has answered.
    AfterLlmCall = "after_llm_call", "model call";
    /// Before a conversation is compacted, whatever for.
    PreCompact = "pre_compact", "compaction", gate;
    /// Before a summary is made. `summary` takes its place.
    BeforeCompaction = "before_compaction", "compaction", gate;
    /// A summary was put in place.
    AfterCompaction = "after_compaction", "compaction";
    /// An agent that this one had started is done.
    SubagentStop = "subagent_stop", "agent";
    /// The agent waits for the user.
    UserInput = "on_user_input", "wait";
    /// The user is told something.
    Notification = "notification", "notification";
    /// A run failed.
    Error = "on_error", "error";
    /// A run has reached its limit of iterations.
    MaxIterations = "on_max_iterations", "limit";
    /// The conversation goes on with another agent.
    AgentSwitch = "on_agent_switch", "switch";
}

impl Event {
    /// The event's name as configs and payloads spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.traits().name
    }

    /// Whether an answer can stop the thing that is about to happen.
    #[must_use]
    pub const fn is_gating(self) -> bool {
        self.traits().gating
    }

    /// Whether the event is about one tool, so that a `match` on the tool's name applies.
    #[must_use]
    pub const fn has_tool(self) -> bool {
        self.traits().tool
    }

    /// Whether a hook can answer the question that the user would be asked, by a `permission`.
    #[must_use]
    pub const fn has_permission(self) -> bool {
        matches!(self, Event::PreTool | Event::PermissionRequest)
    }

    /// What a denied or failed answer stops, as a noun for messages.
    pub(crate) const fn subject(self) -> &'static str {
        self.traits().subject
    }

    /// The names of every event, for messages.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        Event::ALL.iter().copied().map(Event::as_str).collect()
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
        Event::ALL.iter().copied().find(|event| event.as_str() == name).ok_or(UnknownEvent)
    }
}
