//! The hook, from JSON to JSON.
#![allow(clippy::expect_used, dead_code, reason = "a test may fail this way, and need not use all")]

use no_destructive_commands::judge;
use serde_json::{Value, json};

pub(crate) fn answer(input: &str) -> Result<String, String> {
    hookbox_sdk::answer(judge, input)
}

/// Returns the Action for a whole Input.
pub(crate) fn ask(input: &Value) -> Value {
    let action = answer(&input.to_string()).expect("a readable input");
    serde_json::from_str(&action).expect("JSON")
}

/// Returns the Action for a command.
pub(crate) fn ask_about(command: &str) -> Value {
    ask(&json!({ "event": "pre_tool", "tool_name": "bash", "tool_input": { "command": command } }))
}
