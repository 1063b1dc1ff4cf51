//! Agents that call `hookbox hook`.

mod command_line;
mod doctor;
mod doctor_trust;
mod documented;
mod droid_files;
mod effects;
mod forms;
pub mod goldens;
mod guarded;
mod install;
mod install_program;
mod install_races;
mod installed_where;
mod loading;
mod memory;
mod off;
mod opencode_plugin;
mod payloads;
mod results;
mod strictness;
mod surroundings;
mod tolerance;
mod unjudged;
mod unknown;
mod unreadable;

use hookbox::agent::{self, Agent, Call, Environment};
use serde_json::{Value, json};

const AGENTS: [&str; 10] =
    ["claude", "codex", "gemini", "copilot", "cursor", "qwen", "droid", "cline", "opencode", "generic-claude"];

pub fn agent(name: &str) -> &'static dyn Agent {
    agent::by_name(name).unwrap_or_else(|| panic!("there is no agent {name}"))
}

fn decode(name: &str, payload: &Value) -> Call {
    let call = agent(name).decode(payload.to_string().as_bytes(), &Environment::default());
    call.unwrap_or_else(|error| panic!("{name}: {error}: {payload}"))
}

/// Returns the payload with which an agent announces a tool call.
pub fn before_tool(agent: &str, tool: &str, input: &Value) -> Value {
    match agent {
        "gemini" => json!({
            "session_id": "s1", "transcript_path": "/home/me/t.json", "cwd": "/home/me/app", "timestamp": "2026-11-22T08:32:12.919Z",
            "hook_event_name": "BeforeTool", "tool_name": tool, "tool_input": input,
        }),
        "copilot" => json!({
            "sessionId": "s1", "timestamp": 1_795_336_345_643_u64, "cwd": "/home/me/app", "toolName": tool, "toolArgs": input,
        }),
        "cursor" => json!({
            "conversation_id": "s1", "generation_id": "g1", "hook_event_name": "preToolUse", "cursor_version": "2.4.0",
            "workspace_roots": ["/home/me/app"], "tool_name": tool, "tool_input": input, "tool_use_id": "t1", "cwd": "",
        }),
        "cline" => json!({
            "clineVersion": "", "taskId": "s1", "workspaceRoots": ["/home/me/app"], "hookName": "tool_call",
            "tool_call": {"id": "call_1", "name": tool, "input": input},
            "preToolUse": {"toolName": tool, "parameters": {"command": "\"as text\""}},
        }),
        "opencode" => json!({
            "event": "tool.execute.before", "directory": "/home/me/app",
            "input": {"tool": tool, "sessionID": "s1", "callID": "call_1"}, "output": {"args": input},
        }),
        "droid" => json!({
            "session_id": "s1", "transcript_path": "/t", "cwd": "/home/me/app", "permission_mode": "auto-low",
            "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input,
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

/// Returns the payload with which an agent announces a prompt.
fn prompt(agent: &str, text: &str) -> Value {
    match agent {
        "gemini" => json!({
            "session_id": "s1", "transcript_path": "/t", "cwd": "/home/me/app", "hook_event_name": "BeforeAgent",
            "timestamp": "2026-11-22T08:32:10.983Z", "prompt": text,
        }),
        "copilot" => json!({"sessionId": "s1", "timestamp": 1, "cwd": "/home/me/app", "prompt": text}),
        "cursor" => json!({
            "conversation_id": "s1", "hook_event_name": "beforeSubmitPrompt", "workspace_roots": ["/home/me/app"],
            "prompt": text, "attachments": [],
        }),
        "cline" => json!({
            "clineVersion": "", "taskId": "s1", "hookName": "UserPromptSubmit", "userPromptSubmit": {"prompt": text},
        }),
        "opencode" => json!({
            "event": "chat.message", "directory": "/home/me/app", "input": {"sessionID": "s1"},
            "output": {"message": {}, "parts": [{"type": "text", "text": text}]},
        }),
        _ => json!({
            "session_id": "s1", "transcript_path": "/t", "cwd": "/home/me/app", "hook_event_name": "UserPromptSubmit",
            "permission_mode": "default", "prompt": text,
        }),
    }
}

/// Returns the payload with which an agent shows the result of a command.
fn after_tool(agent: &str, input: &Value, output: &str) -> Value {
    let mut payload = before_tool(agent, "Bash", input);
    match agent {
        "copilot" => payload["toolResult"] = json!({"resultType": "success", "textResultForLlm": output}),
        "codex" => payload["tool_response"] = json!(output),
        "gemini" | "qwen" => payload["tool_response"] = json!({"llmContent": output, "returnDisplay": output}),
        "cursor" => payload["tool_output"] = json!(json!({"content": output}).to_string()),
        "cline" => {
            payload["tool_result"] = json!({"name": "Bash", "input": input, "output": output});
            payload.as_object_mut().unwrap().remove("tool_call");
        }
        "opencode" => payload["output"] = json!({"title": "", "metadata": {}, "output": output}),
        _ => payload["tool_response"] = json!({"stdout": output, "stderr": "", "interrupted": false, "isImage": false}),
    }
    let (key, event) = match agent {
        "gemini" => ("hook_event_name", "AfterTool"),
        "cursor" => ("hook_event_name", "postToolUse"),
        "cline" => ("hookName", "tool_result"),
        "opencode" => ("event", "tool.execute.after"),
        "copilot" => return payload,
        _ => ("hook_event_name", "PostToolUse"),
    };
    payload[key] = json!(event);
    payload
}
