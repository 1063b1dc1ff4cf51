//! The fields that only lifecycle events carry.

use super::Json;
use super::json::typed;
use std::collections::BTreeMap;

/// The type of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldType {
    /// A string.
    Text,
    /// A whole number.
    Number,
    /// A list.
    List,
}

macro_rules! fields {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $type:ident;)+) => {
        /// A field of an Input that only some lifecycle events have.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Field {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Field {
            /// Every field, in the order in which an Input lists them.
            pub const ALL: &'static [Field] = &[$(Field::$variant),+];

            /// Returns the field's key.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Field::$variant => $name),+ }
            }

            /// Returns the type of the field's value.
            #[must_use]
            pub const fn field_type(self) -> FieldType {
                match self { $(Field::$variant => FieldType::$type),+ }
            }
        }
    };
}

fields! {
    /// The agent whose loop this is, if there are several.
    AgentName = "agent_name", Text;
    /// The model, as `provider/model`.
    ModelId = "model_id", Text;
    /// The number of the model call in this run, starting from 1.
    Iteration = "iteration", Number;
    /// The user's last message.
    LastUserMessage = "last_user_message", Text;
    /// The conversation as the model will see it.
    Messages = "messages", List;
    /// What started a session or a compaction.
    Source = "source", Text;
    /// Why a session or a turn ended.
    Reason = "reason", Text;
    /// The session that started this one.
    ParentSessionId = "parent_session_id", Text;
    /// `error` or `warning`.
    NotificationLevel = "notification_level", Text;
    /// The text of the notification.
    NotificationMessage = "notification_message", Text;
    /// The agent that hands off the conversation.
    FromAgent = "from_agent", Text;
    /// The agent that takes over.
    ToAgent = "to_agent", Text;
    /// How the conversation is handed off.
    AgentSwitchKind = "agent_switch_kind", Text;
    /// The models of the agent that hands off.
    FromAgentModels = "from_agent_models", List;
    /// The iteration limit that was reached.
    PreviousMaxIterations = "previous_max_iterations", Number;
    /// The iteration limit from now on.
    NewMaxIterations = "new_max_iterations", Number;
    /// Whether the tool may run.
    ApprovalDecision = "approval_decision", Text;
    /// Who or what made that decision.
    ApprovalSource = "approval_source", Text;
    /// The number of input tokens.
    InputTokens = "input_tokens", Number;
    /// The number of output tokens.
    OutputTokens = "output_tokens", Number;
    /// The maximum number of tokens that the model accepts.
    ContextLimit = "context_limit", Number;
    /// Why a conversation is compacted.
    CompactionReason = "compaction_reason", Text;
    /// The summary that replaces the conversation.
    Summary = "summary", Text;
}

impl Field {
    /// Returns the field with this key.
    #[must_use]
    pub fn of_key(key: &str) -> Option<Self> {
        Field::ALL.iter().copied().find(|field| field.as_str() == key)
    }

    /// Checks that a JSON text has the field's type.
    pub(super) fn check(self, text: &str) -> Result<(), String> {
        match self.field_type() {
            FieldType::Text => typed::<String>(self.as_str(), text).map(drop),
            FieldType::Number => typed::<i64>(self.as_str(), text).map(drop),
            FieldType::List if text.starts_with('[') => Ok(()),
            FieldType::List => Err(format!("`{}` has the wrong type: it must be a list", self.as_str())),
        }
    }
}

/// The lifecycle fields of one Input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fields(BTreeMap<Field, Json>);

impl Fields {
    pub(super) fn get(&self, field: Field) -> Option<&Json> {
        self.0.get(&field)
    }

    pub(super) fn set(&mut self, field: Field, value: Option<Json>) {
        match value {
            Some(value) => self.0.insert(field, value),
            None => self.0.remove(&field),
        };
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Field, &Json)> {
        self.0.iter().map(|(field, value)| (*field, value))
    }
}
