//! The JSON that the engine and the hook exchange.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What the engine asks. Keys that the policy does not need are ignored.
#[derive(Debug, Deserialize)]
pub struct Input {
    /// The kind of event; only `pre_tool` holds a command.
    pub event: String,
    /// The input of the tool.
    #[serde(default)]
    pub tool_input: Map<String, Value>,
    /// The settings of this hook in `hooks.toml`.
    #[serde(default)]
    pub settings: Settings,
}

/// What `hooks.toml` sets for this hook.
#[derive(Debug, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The branches that must not be overwritten or deleted.
    pub branches: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { branches: vec!["main".to_owned(), "master".to_owned()] }
    }
}

/// What the hook answers.
#[derive(Debug, PartialEq, Serialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum Action {
    /// The tool call may run.
    Allow,
    /// The tool call must not run.
    Deny {
        /// What to tell the agent.
        reason: String,
    },
    /// A person decides.
    Ask {
        /// What to tell the person.
        reason: String,
    },
    /// The tool call may run with another input.
    Modify {
        /// What to tell the agent.
        reason: String,
        /// The whole new input of the tool.
        modified_tool_input: Map<String, Value>,
    },
}
