//! Agents that call `hookbox hook`.

mod command_line;
mod effects;
mod payloads;
mod results;
mod strictness;

use hookbox::agent::{self, Agent, Call, Environment};
use serde_json::{Value, json};

fn agent(name: &str) -> &'static dyn Agent {
    agent::by_name(name).unwrap_or_else(|| panic!("there is no agent {name}"))
}

fn decode(name: &str, payload: &Value) -> Call {
    let call = agent(name).decode(payload.to_string().as_bytes(), &Environment::default());
    call.unwrap_or_else(|error| panic!("{name}: {error}: {payload}"))
}

/// The payload with which an agent announces a tool call.
fn before_tool(agent: &str, tool: &str, input: &Value) -> Value {
    match agent {
        "gemini" => json!({
            "session_id": "s1", "transcript_path": "/home/me/t.json", "cwd": "/home/me/app", "timestamp": "2026-11-22T08:32:12.919Z",
            "hook_event_name": "BeforeTool", "tool_name": tool, "tool_input": input,
        }),
        "copilot" => json!({
            "sessionId": "s1", "timestamp": 1_795_336_345_643_u64, "cwd": "/home/me/app", "toolName": tool, "toolArgs": input,
        }),
        "codex" => json!({
            "session_id": "s1", "turn_id": "t1", "transcript_path": null, "cwd": "/home/me/app", "hook_event_name": "PreToolUse",
            "model": "m", "permission_mode": "default", "tool_name": tool, "tool_input": input, "tool_use_id": "call_1",
        }),
        "qwen" => json!({
            "session_id": "s1", "transcript_path": "/home/me/t.jsonl", "cwd": "/home/me/app", "hook_event_name": "PreToolUse",
            "timestamp": "2026-11-22T08:45:27.116Z", "permission_mode": "default", "prompt_id": "p", "tool_name": tool,
            "tool_input": input, "tool_use_id": "toolu_1", "tool_call_id": "call_1",
        }),
        _ => json!({
            "session_id": "s1", "transcript_path": "/home/me/t.jsonl", "cwd": "/home/me/app", "prompt_id": "p1",
            "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input,
            "tool_use_id": "toolu_1",
        }),
    }
}

/// The payload with which an agent announces a prompt.
fn prompt(agent: &str, text: &str) -> Value {
    match agent {
        "gemini" => json!({
            "session_id": "s1", "transcript_path": "/t", "cwd": "/home/me/app", "hook_event_name": "BeforeAgent",
            "timestamp": "2026-11-22T08:32:10.983Z", "prompt": text,
        }),
        "copilot" => json!({"sessionId": "s1", "timestamp": 1, "cwd": "/home/me/app", "prompt": text}),
        _ => json!({
            "session_id": "s1", "transcript_path": "/t", "cwd": "/home/me/app", "hook_event_name": "UserPromptSubmit",
            "permission_mode": "default", "prompt": text,
        }),
    }
}
