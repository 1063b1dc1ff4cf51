//! What a tool call means, in words that are the same for every agent.

mod arguments;
mod commands;
mod config;
mod lines;
mod names;
mod patches;
mod paths;
mod possible;
mod protocol;
mod wrapped;

use hookbox::facts::{Facts, Scene, Tools};
use hookbox::{Input, Json, Tool};
use serde_json::Value;

/// Returns the facts of a call in `/w`, by no particular agent.
fn facts(tool: &str, input: &Value) -> Tool {
    facts_of(None, tool, input)
}

/// Returns the facts of a call by an agent.
fn facts_of(agent: Option<&str>, tool: &str, input: &Value) -> Tool {
    let facts = Facts::new(Scene::new("/w").with_home("/home/me"), Tools::default());
    facts.find(&input_of(agent, tool, input)).unwrap()
}

fn input_of(agent: Option<&str>, tool: &str, input: &Value) -> Input {
    let mut whole = serde_json::json!({"event": "pre_tool", "tool_name": tool, "tool_input": input});
    if let Some(agent) = agent {
        whole["agent"] = agent.into();
    }
    Input::from_slice(whole.to_string().as_bytes()).unwrap()
}

/// Returns the certain paths of a call, as `access path`.
fn paths(tool: &Tool) -> Vec<String> {
    tool.paths.iter().filter(|path| path.certain).map(|path| format!("{} {}", path.access, path.path)).collect()
}

/// Returns a call's tool input as JSON text.
fn json(value: &Value) -> Json {
    Json::from_value(value).unwrap()
}
