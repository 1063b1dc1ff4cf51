//! A rewritten result keeps the shape that its tool gave it.

use super::{agent, before_tool, decode};
use hookbox::agent::{Call, plan};
use hookbox::{Code, Outcome, ToolResult};
use serde_json::{Value, json};

/// Returns the event of this result in Claude Code.
fn call_of(result: &Value) -> Call {
    let mut payload = before_tool("claude", "Any", &json!({}));
    payload["hook_event_name"] = json!("PostToolUse");
    payload["tool_response"] = result.clone();
    decode("claude", &payload)
}

/// Returns what hooks see of this result.
fn seen(result: &Value) -> String {
    call_of(result).input.unwrap().tool_result.unwrap().content
}

/// Returns what Claude Code gets for this result of a tool, once a hook has removed the token.
#[track_caller]
fn redacted(result: &Value) -> Value {
    let content = seen(result);
    assert!(content.contains("abc123"), "{content:?}");
    rewritten(result, &content.replace("abc123", "[redacted]"))
}

/// Returns what Claude Code gets for this result of a tool, once a hook has replaced what it saw with this text.
fn rewritten(result: &Value, content: &str) -> Value {
    let call = call_of(result);
    let mut outcome = Outcome::allow(call.input.clone().unwrap());
    let seen = outcome.input.as_mut().unwrap().tool_result.as_mut().unwrap();
    *seen = ToolResult { content: content.to_owned(), ..seen.clone() };
    outcome.modified = true;
    told(&call, &outcome)
}

/// Returns what Claude Code gets if a hook could not judge the result.
fn withheld(result: &Value) -> Value {
    let call = call_of(result);
    let outcome = Outcome::no_verdict(Code::Trap, "a notice", call.input.clone());
    told(&call, &outcome)
}

fn told(call: &Call, outcome: &Outcome) -> Value {
    let plan = plan(outcome, call, &agent("claude").capabilities(call));
    let reply = agent("claude").encode(call, &plan);
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

/// A picture of one pixel.
const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

/// Returns results whose secret is where there usually is no text.
fn unusual(secret: &str) -> Vec<Value> {
    let ok = json!({"type": "text", "text": "ok"});
    let beside = |key: &str, value: Value| json!({"content": [ok], key: value});
    vec![
        json!([ok, {"type": "resource_link", "uri": "file:///f", "name": "f", "description": secret}]),
        json!([ok, {"type": "resource_link", "uri": format!("https://h/?t={secret}"), "name": "f"}]),
        json!([ok, {"type": "resource", "resource": {"uri": secret, "text": "t"}}]),
        json!([ok, {"type": "resource", "resource": {"uri": "u", "blob": secret}}]),
        json!([ok, {"type": "hologram", "shows": [{"a": [secret]}]}]),
        json!([ok, {"type": "image", "data": PICTURE, "mimeType": "image/png", "alt": secret}]),
        json!([ok, {"type": "image", "data": secret, "mimeType": "image/png"}]),
        json!([ok, {"type": "text", "text": "t", "annotations": {"note": secret}}]),
        json!([ok, {"type": "text", "text": {"deep": secret}}]),
        json!([ok, {"type": "tool_result", "content": [{"type": "text", "text": secret}]}]),
        json!([ok, {"type": format!("x-{secret}-1234")}]),
        json!([{"type": "resource_link", "uri": secret}]),
        beside("structuredContent", json!({"rows": [{"token": secret}]})),
        beside("structuredContent", json!({secret: 1})),
        beside("_meta", json!({"k": secret})),
        beside("note", json!(secret)),
        beside("more", json!([[secret]])),
        json!({"stdout": "ok", "stderr": "", "interrupted": false, "isImage": false, "rawOutputPath": secret}),
        json!({"stdout": "ok", "stderr": [secret]}),
        json!({"type": "text", "file": {"filePath": secret, "content": "ok"}}),
        json!({"type": "text", "file": {"filePath": "/f", "content": "ok"}, "hint": secret}),
        json!({"content": "ok", "type": format!("{secret}-999")}),
        json!({"rows": [{secret: 1}]}),
    ]
}

#[test]
fn hooks_see_whatever_says_something() {
    for result in unusual("abc123") {
        let content = seen(&result);
        assert!(content.contains("abc123"), "{result}: {content}");
        let after = redacted(&result).to_string();
        assert!(!after.contains("abc123"), "{result}: {after}");
    }
}

#[test]
fn what_a_hook_takes_out_is_gone() {
    for result in unusual("abc123") {
        let after = rewritten(&result, "all is well").to_string();
        assert!(!after.contains("abc123"), "{result}: {after}");
    }
}

#[test]
fn nothing_of_a_withheld_result_stays() {
    for result in unusual("abc123") {
        let after = withheld(&result).to_string();
        assert!(!after.contains("abc123") && !after.contains(PICTURE), "{result}: {after}");
    }
    let picture = json!({"type": "image", "file": {"base64": PICTURE, "type": "image/gif", "originalSize": 70}});
    let after = withheld(&picture);
    assert_ne!(after["file"]["base64"], picture["file"]["base64"]);
    assert_eq!(after["file"]["type"], "image/png", "models accept it still");
}

#[test]
fn what_hooks_left_beside_the_text_stays() {
    let link = json!({"type": "resource_link", "uri": "file:///f", "name": "f"});
    let parts = json!([{"type": "text", "text": "T=abc123"}, link, {"type": "image", "data": PICTURE, "alt": "a dot"}]);
    let after = redacted(&parts);
    assert_eq!(after, json!([{"type": "text", "text": "T=[redacted]"}, link, parts[2]]));
    let of =
        |token: &str, row: &str| json!({"content": format!("T={token}"), "structuredContent": {"row": row, "n": 3}});
    assert_eq!(redacted(&of("abc123", "r")), of("[redacted]", "r"));
    assert_eq!(redacted(&of("x", "abc123")), of("x", "[redacted]"));
}

#[test]
fn pictures_and_labels_are_no_text() {
    let parts = json!([{"type": "text", "text": "ok"}, {"type": "image", "data": PICTURE, "mimeType": "image/png"}]);
    assert_eq!(seen(&parts), "ok");
    let url = format!("data:image/png;base64,{PICTURE}");
    assert_eq!(seen(&json!([{"type": "text", "text": "ok"}, {"type": "input_image", "image_url": url}])), "ok");
    assert_eq!(seen(&json!({"stdout": "ok", "stderr": "", "interrupted": false, "isImage": false})), "ok");
    assert_eq!(seen(&json!({"llmContent": "ok", "returnDisplay": "ok"})), "ok");
}
