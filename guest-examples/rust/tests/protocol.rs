//! Checks the JSON around the command.
#![allow(clippy::expect_used, reason = "a test may fail this way")]

mod support;

use serde_json::{Value, json};
use support::{answer, ask};

fn tool(tool_input: Value) -> Value {
    ask(&json!({ "event": "pre_tool", "tool_input": tool_input }))
}

fn decision(tool_input: Value) -> String {
    let action = tool(tool_input);
    let decision = action.get("decision").and_then(Value::as_str);
    decision.expect("a decision").to_owned()
}

#[test]
fn the_whole_input_of_the_engine_is_understood() {
    let action = ask(&json!({
        "event": "pre_tool", "session_id": "s1", "hook_name": "pre_tool", "pwd": "/w",
        "tool_name": "bash", "tool_input": { "command": "rm -rf /" },
        "settings": { "branches": ["main"] }, "later": {},
    }));
    let reason = "`rm -rf /` would delete the whole file system; name the directory that you mean";
    assert_eq!(action, json!({ "decision": "deny", "reason": reason }));
}

#[test]
fn another_event_or_tool_is_allowed() {
    let allow = json!({ "decision": "allow" });
    let command = json!({ "command": "rm -rf /" });
    assert_eq!(ask(&json!({ "event": "post_tool", "tool_input": command })), allow);
    assert_eq!(ask(&json!({ "event": "session_start" })), allow);
    assert_eq!(tool(json!({ "path": "rm -rf /" })), allow);
}

#[test]
fn an_unreadable_input_is_an_error() {
    let tool = |command: Value| json!({ "event": "pre_tool", "tool_input": command }).to_string();
    for input in [
        String::new(),
        "{".to_owned(),
        "[]".to_owned(),
        json!({ "tool_input": {} }).to_string(),
        tool(json!("rm -rf /")),
        tool(json!({ "command": 1 })),
        tool(json!({ "command": ["ls", 1] })),
        tool(json!({ "command": null })),
        json!({ "event": "pre_tool", "settings": { "branches": "main" } }).to_string(),
        json!({ "event": "pre_tool", "settings": { "branch": ["main"] } }).to_string(),
        json!({ "event": "pre_tool", "settings": ["main"] }).to_string(),
        json!({ "event": "no_such_event" }).to_string(),
    ] {
        assert!(answer(&input).is_err(), "{input}");
    }
}

#[test]
fn the_settings_name_the_protected_branches() {
    let push = |settings: Value| {
        let tool_input = json!({ "command": "git push -f origin trunk main" });
        let input = json!({ "event": "pre_tool", "tool_input": tool_input, "settings": settings });
        ask(&input).get("decision").cloned()
    };
    assert_eq!(push(json!({})), Some(json!("deny")));
    assert_eq!(push(json!({ "branches": ["trunk"] })), Some(json!("deny")));
    assert_eq!(push(json!({ "branches": ["release"] })), Some(json!("modify")));
    assert_eq!(push(json!({ "branches": [] })), Some(json!("modify")));
}

#[test]
fn a_modification_changes_nothing_else() {
    let input = r#"{"event":"pre_tool","tool_input":{"z":1.10,"command":"git push -f origin x",
        "a":123456789012345678901234567890,"n":{"y":[],"b":null}}}"#;
    let action = answer(input).expect("a readable input");
    let changed = input.split("tool_input\":").nth(1).expect("a tool input").replace("-f", "--force-with-lease");
    let changed = format!(r#""modified_tool_input":{changed}"#);
    assert!(action.starts_with(r#"{"decision":"modify","reason":""#), "{action}");
    assert!(action.ends_with(&changed), "{action}");
}

#[test]
fn a_list_is_one_command() {
    for (command, expected) in [
        (json!(["rm", "-rf", "/"]), "deny"),
        (json!(["bash", "-lc", "rm -rf /"]), "deny"),
        (json!(["bash", "-lc", "rm -rf \"$X\""]), "ask"),
        (json!(["bash", "-lc", "ls && git push -f origin x"]), "deny"),
        (json!(["bash", "-lc", "ls"]), "allow"),
        (json!(["echo", "$(rm -rf /)", "; rm -rf /"]), "allow"),
        (json!(["rm", "-rf", "~"]), "allow"),
        (json!([]), "allow"),
    ] {
        assert_eq!(decision(json!({ "command": command })), expected, "{command}");
    }
}

#[test]
fn a_list_is_rewritten_word_by_word() {
    let action = tool(json!({ "cmd": ["git", "push", "-fu", "origin", "a b", "+c"] }));
    let cmd = ["git", "push", "--force-with-lease", "-u", "origin", "a b", "c"];
    assert_eq!(action.get("modified_tool_input"), Some(&json!({ "cmd": cmd })));
    let action = tool(json!({ "cmd": ["git", "push", "origin", "+c"] }));
    let cmd = ["git", "push", "--force-with-lease", "origin", "c"];
    assert_eq!(action.get("modified_tool_input"), Some(&json!({ "cmd": cmd })));
}

#[test]
fn both_keys_are_judged() {
    let both = |command: &str, cmd: &str| decision(json!({ "command": command, "cmd": cmd }));
    assert_eq!(both("ls", "rm -rf /"), "deny");
    assert_eq!(both("rm -rf .", "rm -rf /"), "deny");
    assert_eq!(both("rm -rf .", "git push -f origin x"), "ask");
    assert_eq!(both("ls", "git push -f origin x"), "modify");
}

#[test]
fn one_of_several_command_lines_is_denied_rather_than_rewritten() {
    let several = |lines: [&str; 2]| {
        let shells = lines.map(|line| json!({ "command": line }));
        let facts = json!({ "kind": "shell", "shells": shells, "complete": true });
        ask(&json!({ "event": "pre_tool", "tool_input": { "steps": lines }, "tool": facts }))
    };
    assert_eq!(several(["ls", "git push origin x"]), json!({ "decision": "allow" }));
    let action = several(["ls", "git push -f origin x"]);
    assert_eq!(action.get("decision"), Some(&json!("deny")), "{action}");
    assert_eq!(action.get("modified_tool_input"), None);
}

#[test]
fn a_command_beyond_the_bounds_is_asked_about() {
    let nested = |open: &str, close: &str, depth: usize| format!("{}true{}", open.repeat(depth), close.repeat(depth));
    assert_eq!(decision(json!({ "command": "x".repeat(64 * 1024) })), "allow");
    assert_eq!(decision(json!({ "command": "x".repeat(64 * 1024 + 1) })), "ask");
    assert_eq!(decision(json!({ "command": nested("echo $(", ")", 8) })), "allow");
    assert_eq!(decision(json!({ "command": nested("echo $(", ")", 9) })), "ask");
    assert_eq!(decision(json!({ "command": nested("eval ", "", 8) })), "allow");
    assert_eq!(decision(json!({ "command": nested("eval ", "", 9) })), "ask");
}
