//! The points in an agent's loop where hooks are asked.

use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// The properties of an event.
struct Traits {
    name: &'static str,
    /// The thing that a denied or failed answer stops, as a noun for messages.
    subject: &'static str,
    gating: bool,
    /// Whether the event is about one tool.
    tool: bool,
}

/// Defines [`Event`]. The flag `gate` marks events that an answer can stop, `tool` events that are about one tool.
macro_rules! events {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $subject:literal $(, $flag:ident)*;)+) => {
        /// A point in an agent's loop.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Event {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Event {
            /// Every event, in the order that listings use.
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
    /// After a tool returned, successfully or with an error. `modified_tool_result` rewrites what the model sees.
    PostTool = "post_tool", "tool result", tool;
    /// Before the user's message is stored and sent. `modified_message` rewrites it.
    PreMessage = "pre_message", "message", gate;
    /// After the final assistant message of a send.
    PostMessage = "post_message", "message";
    /// Before the user would be asked whether a tool may run. A `permission` of `allow` skips the question.
    PermissionRequest = "permission_request", "tool call", gate, tool;
    /// After a tool returned, before its output is used. `updated_tool_response` or `modified_tool_result` rewrites it.
    ToolResponseTransform = "tool_response_transform", "tool result", tool;
    /// After the decision whether a tool may run.
    ToolApprovalDecision = "on_tool_approval_decision", "decision", tool;
    /// A run begins.
    SessionStart = "session_start", "session";
    /// A run has ended.
    SessionEnd = "session_end", "session";
    /// A run continues after it reached its iteration limit.
    SessionResume = "on_session_resume", "session";
    /// Before each model call, while its context is assembled.
    TurnStart = "turn_start", "turn";
    /// A turn has ended, for whatever reason.
    TurnEnd = "turn_end", "turn";
    /// Right before the model is called. `updated_messages` rewrites what it sees.
    BeforeLlmCall = "before_llm_call", "model call", gate;
    /// The model has answered.
    AfterLlmCall = "after_llm_call", "model call";
    /// Before a conversation is compacted, for whatever reason.
    PreCompact = "pre_compact", "compaction", gate;
    /// Before a summary is made. `summary` replaces it.
    BeforeCompaction = "before_compaction", "compaction", gate;
    /// A summary has replaced the conversation.
    AfterCompaction = "after_compaction", "compaction";
    /// An agent that this one started has finished.
    SubagentStop = "subagent_stop", "agent";
    /// The agent waits for the user.
    UserInput = "on_user_input", "wait";
    /// The user is shown a notification.
    Notification = "notification", "notification";
    /// A run failed.
    Error = "on_error", "error";
    /// A run has reached its iteration limit.
    MaxIterations = "on_max_iterations", "limit";
    /// The conversation continues with another agent.
    AgentSwitch = "on_agent_switch", "switch";
    /// The agent is about to stop working. A deny tells it to go on; the reason says what to do.
    Stop = "stop", "stop", gate;
    /// An agent is about to start another one.
    SubagentStart = "subagent_start", "agent";
    /// A conversation was compacted, for whatever reason.
    PostCompact = "post_compact", "compaction";
    /// The agent's settings are about to change.
    ConfigChange = "config_change", "change", gate;
    /// A tool was not permitted to run.
    PermissionDenied = "permission_denied", "tool call", tool;
    /// Before anything else looks at a tool call. `modified_tool_input` or `updated_input` rewrites the call.
    ToolInputTransform = "tool_input_transform", "tool call", gate, tool;
    /// Before the agent's own rules decide on a tool call. A `permission` counts, a rewrite does not.
    ToolGuard = "tool_guard", "tool call", gate, tool;
    /// The user sends messages to a run that is under way.
    SteeringSubmit = "user_steering_messages_submit", "message", gate;
    /// The user sends a message that waits for the end of the run.
    FollowupSubmit = "user_followup_submit", "message", gate;
    /// A git worktree was created for a run that is about to begin.
    WorktreeCreate = "worktree_create", "run", gate;
}

impl Event {
    /// Returns the event's name as configs and payloads spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.traits().name
    }

    /// Returns whether an answer can stop the action that the event announces.
    #[must_use]
    pub const fn is_gating(self) -> bool {
        self.traits().gating
    }

    /// Returns whether the event is about one tool, so a `match` on the tool's name applies.
    #[must_use]
    pub const fn has_tool(self) -> bool {
        self.traits().tool
    }

    /// Returns whether a hook can answer for the user with a `permission`.
    #[must_use]
    pub const fn has_permission(self) -> bool {
        matches!(self, Event::PreTool | Event::PermissionRequest | Event::ToolGuard)
    }

    /// Returns whether a hook can rewrite the tool's input.
    pub(crate) const fn rewrites_call(self) -> bool {
        matches!(self, Event::PreTool | Event::ToolInputTransform)
    }

    /// Returns whether the event is about the tool's result, before the model sees it.
    pub(crate) const fn has_result(self) -> bool {
        matches!(self, Event::PostTool | Event::ToolResponseTransform)
    }

    /// Returns the thing that a denied or failed answer stops, as a noun for messages.
    pub(crate) const fn subject(self) -> &'static str {
        self.traits().subject
    }

    /// Returns the name of every event, for messages.
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

/// The error for a text that is not the name of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the name of an event")]
pub struct UnknownEvent;

impl FromStr for Event {
    type Err = UnknownEvent;

    /// Parses the name of an event. Names are case-sensitive.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Event::ALL.iter().copied().find(|event| event.as_str() == name).ok_or(UnknownEvent)
    }
}
