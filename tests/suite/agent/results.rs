//! A rewritten result keeps the shape that its tool gave it.

use super::{agent, before_tool, decode};
use hookbox::agent::plan;
use hookbox::{Outcome, ToolResult};
use serde_json::{Value, json};

/// What Claude Code gets for this result of a tool, once a hook has removed the token.
#[track_caller]
fn redacted(result: &Value) -> Value {
    let mut payload = before_tool("claude", "Any", &json!({}));
    payload["hook_event_name"] = json!("PostToolUse");
    payload["tool_response"] = result.clone();
    let call = decode("claude", &payload);
    let mut outcome = Outcome::allow(call.input.clone().unwrap());
    let seen = outcome.input.as_mut().unwrap().tool_result.as_mut().unwrap();
    assert!(seen.content.contains("abc123"), "{seen:?}");
    *seen = ToolResult { content: seen.content.replace("abc123", "[redacted]"), ..seen.clone() };
    outcome.modified = true;
    let plan = plan(&outcome, &call, &agent("claude").capabilities(&call));
    let reply = agent("claude").encode(&call, &plan);
    let reply: Value = serde_json::from_str(&reply.stdout).unwrap();
    reply["hookSpecificOutput"]["updatedToolOutput"].clone()
}

#[test]
fn a_command() {
    let of = |stdout: &str, stderr: &str| json!({"stdout": stdout, "stderr": stderr, "interrupted": false, "isImage": false});
    assert_eq!(redacted(&of("T=abc123\n", "")), of("T=[redacted]\n", ""));
    assert_eq!(redacted(&of("ok", "T=abc123")), of("ok\nT=[redacted]", ""));
}

#[test]
fn a_file() {
    let of = |content: &str| {
        let file = json!({"filePath": "/f", "content": content, "numLines": 1, "startLine": 1, "totalLines": 1});
        json!({"type": "text", "file": file})
    };
    assert_eq!(redacted(&of("T=abc123\n")), of("T=[redacted]\n"));
}

#[test]
fn parts_of_a_message() {
    let image = json!({"type": "image", "data": "AAAA"});
    let parts = json!([{"type": "text", "text": "T=abc123"}, image, {"type": "text", "text": "more"}]);
    assert_eq!(redacted(&parts), json!([{"type": "text", "text": "T=[redacted]\nmore"}, image]));
    assert_eq!(redacted(&json!("T=abc123")), json!("T=[redacted]"));
}

#[test]
fn any_other_object() {
    let of = |token: &str| json!({"rows": [{"token": token}], "count": 1});
    assert_eq!(redacted(&of("abc123")), of("[redacted]"));
}

#[test]
fn text_beside_the_text_goes_too() {
    let written = json!({"type": "update", "filePath": "/f", "content": "T=abc123", "originalFile": "T=abc123", "structuredPatch": [{"lines": ["-T=abc123"]}]});
    let after = redacted(&written).to_string();
    assert!(!after.contains("abc123") && after.contains("\"type\":\"update\"") && after.contains("/f"), "{after}");
    let parts =
        json!([{"type": "text", "text": "ok"}, {"type": "resource", "resource": {"uri": "u", "text": "T=abc123"}}]);
    assert_eq!(redacted(&parts), json!([{"type": "text", "text": "ok\nT=[redacted]"}]));
}
