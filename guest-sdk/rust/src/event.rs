//! The points in an agent's loop at which hooks run.

use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Defines the events. `gate` marks the gating events, whose answer can block what is about to happen.
macro_rules! events {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal $(, $gate:ident)?;)+) => {
        /// A point in an agent's loop.
        ///
        /// A hook runs at the events that its entry in `hooks.toml` lists. An event that this SDK does not know fails
        /// the hook.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
        #[non_exhaustive]
        pub enum Event {
            $($(#[doc = $doc])+ #[serde(rename = $name)] $variant,)+
        }

        impl Event {
            /// Every event.
            pub const ALL: &'static [Event] = &[$(Event::$variant),+];

            /// Returns the event's name as spelled in configs and Inputs.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Event::$variant => $name),+ }
            }

            /// Whether an answer can block what is about to happen.
            #[must_use]
            pub const fn is_gating(self) -> bool {
                match self { $(Event::$variant => events!(@gate $($gate)?)),+ }
            }
        }
    };
    (@gate gate) => { true };
    (@gate) => { false };
}

events! {
    /// Before each tool call. [`Action::update_input`](crate::Action::update_input) and
    /// [`Action::modify_tool_input`](crate::Action::modify_tool_input) rewrite the call.
    PreTool = "pre_tool", gate;
    /// After a tool returned, successfully or with an error.
    /// [`Action::modify_tool_result`](crate::Action::modify_tool_result) rewrites what the model sees.
    PostTool = "post_tool";
    /// Before the user's message is stored and sent. [`Action::modify_message`](crate::Action::modify_message) rewrites
    /// it.
    PreMessage = "pre_message", gate;
    /// After the final assistant message of a send.
    PostMessage = "post_message";
    /// Before the user would be asked whether a tool may run. [`Action::permit`](crate::Action::permit) skips the
    /// question.
    PermissionRequest = "permission_request", gate;
    /// Between a tool's return and the first use of its output.
    ToolResponseTransform = "tool_response_transform";
    /// After the decision whether a tool may run.
    ToolApprovalDecision = "on_tool_approval_decision";
    /// A run begins.
    SessionStart = "session_start";
    /// A run has ended.
    SessionEnd = "session_end";
    /// A run that had reached its iteration limit continues.
    SessionResume = "on_session_resume";
    /// Before each model call, while its context is assembled.
    TurnStart = "turn_start";
    /// A turn has ended, for whatever reason.
    TurnEnd = "turn_end";
    /// Right before the model is called. [`Action::update_messages`](crate::Action::update_messages) rewrites what it
    /// sees.
    BeforeLlmCall = "before_llm_call", gate;
    /// The model has answered.
    AfterLlmCall = "after_llm_call";
    /// Before a conversation is compacted, for whatever reason.
    PreCompact = "pre_compact", gate;
    /// Before a summary is generated. [`Action::summarize`](crate::Action::summarize) replaces it.
    BeforeCompaction = "before_compaction", gate;
    /// A summary has replaced the conversation.
    AfterCompaction = "after_compaction";
    /// A subagent that this agent started has finished.
    SubagentStop = "subagent_stop";
    /// The agent waits for the user.
    UserInput = "on_user_input";
    /// The user is notified.
    Notification = "notification";
    /// A run failed.
    Error = "on_error";
    /// A run has reached its iteration limit.
    MaxIterations = "on_max_iterations";
    /// The conversation continues with another agent.
    AgentSwitch = "on_agent_switch";
    /// The agent is about to stop working. A deny tells it to go on, with the reason as what to do.
    Stop = "stop", gate;
    /// An agent is about to start another one.
    SubagentStart = "subagent_start";
    /// A conversation was compacted, for whatever reason.
    PostCompact = "post_compact";
    /// The agent's settings are about to change.
    ConfigChange = "config_change", gate;
    /// A tool was not permitted to run.
    PermissionDenied = "permission_denied";
    /// Before anything else looks at a tool call. [`Action::update_input`](crate::Action::update_input) and
    /// [`Action::modify_tool_input`](crate::Action::modify_tool_input) rewrite the call.
    ToolInputTransform = "tool_input_transform", gate;
    /// Before the agent's own rules decide on a tool call.
    ToolGuard = "tool_guard", gate;
    /// The user sends messages to a run that is under way.
    SteeringSubmit = "user_steering_messages_submit", gate;
    /// The user sends a message that waits for the end of the run.
    FollowupSubmit = "user_followup_submit", gate;
    /// A git worktree was created for a run that is about to begin.
    WorktreeCreate = "worktree_create", gate;
}

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;
        impl Visitor<'_> for Name {
            type Value = Event;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of an event")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Event, E> {
                let known = Event::ALL.iter().find(|event| event.as_str() == name);
                known.copied().ok_or_else(|| E::custom(format_args!("there is no event `{name}`")))
            }
        }
        deserializer.deserialize_str(Name)
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
