//! The events that agents send.

use crate::protocol::{Input, Json};

/// One event of an agent.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Call {
    /// The agent's own name for the event. Empty if its payloads neither name it nor reveal it by their keys.
    pub event: String,
    /// What the hooks judge. `None` for an event that goes on unjudged, because hookbox does not know it and it has no
    /// tool call.
    pub input: Option<Input>,
    /// Whether a person can be asked.
    pub is_attended: bool,
    /// Whether the agent is already going on because a hook did not let it stop.
    pub is_continued: bool,
    /// The tool's result as the agent sent it, whose shape a new result must keep.
    pub result: Option<Json>,
    /// Whether the payload is in Claude Code's format although the agent has its own.
    pub is_compatible: bool,
    /// Whether hookbox does not know the event, but judges it as `pre_tool` because it has a tool call.
    pub is_unknown_event: bool,
    /// Whether the Input's `command` was built from other forms in the agent's own tool input.
    pub has_joined_command: bool,
}

impl Call {
    /// Creates a call about an event that hookbox does not know.
    #[must_use]
    pub fn unjudged(event: impl Into<String>) -> Self {
        Call {
            event: event.into(),
            input: None,
            is_attended: true,
            is_continued: false,
            result: None,
            is_compatible: false,
            is_unknown_event: false,
            has_joined_command: false,
        }
    }
}

/// The environment variables that agents set for their hooks, where they say more than the payloads.
#[derive(Clone, Debug, Default)]
pub struct Environment(Vec<(String, String)>);

impl Environment {
    /// Creates the environment from variables that are valid text.
    pub fn new(variables: impl IntoIterator<Item = (String, String)>) -> Self {
        Environment(variables.into_iter().collect())
    }

    /// Returns the value of a variable. An empty one counts as absent.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        let value = self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        value.filter(|value| !value.is_empty())
    }
}
