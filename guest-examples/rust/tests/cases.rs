//! Checks the decision for every command in `cases.txt`.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail this way")]

use no_destructive_commands::answer;
use serde_json::{Value, json};

struct Case {
    line: usize,
    decision: String,
    command: String,
    result: Option<String>,
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for (index, line) in include_str!("cases.txt").lines().enumerate() {
        if line.is_empty() || line.starts_with("# ") {
            continue;
        }
        let (decision, text) = line.split_once(' ').expect("a decision and a command");
        let text = text.trim_start().replace('⏎', "\n");
        if decision == "=>" {
            cases.last_mut().expect("a command before").result = Some(text);
        } else {
            cases.push(Case { line: index + 1, decision: decision.to_owned(), command: text, result: None });
        }
    }
    cases
}

fn judge(command: &str) -> Value {
    let input = json!({
        "event": "pre_tool",
        "tool_name": "bash",
        "tool_input": { "command": command },
    });
    let action = answer(&input.to_string()).expect("a readable input");
    serde_json::from_str(&action).expect("JSON")
}

#[test]
fn every_command_gets_its_decision() {
    let cases = cases();
    assert!(cases.len() >= 150, "only {} cases", cases.len());
    let mut failures = Vec::new();
    for case in &cases {
        let action = judge(&case.command);
        let result = action["modified_tool_input"]["command"].as_str();
        if action["decision"] != case.decision.as_str() || result != case.result.as_deref() {
            failures.push(format!("line {}: {}\n    {action}", case.line, case.command));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_reason_is_one_sentence() {
    for case in cases().iter().filter(|case| case.decision != "allow") {
        let action = judge(&case.command);
        let reason = action["reason"].as_str().expect("a reason");
        assert!(reason.chars().count() <= 301, "{reason}");
        assert!(!reason.contains(['\n', '\u{E000}', '\u{E001}', '\u{E002}']), "{reason}");
        assert!(reason.contains("; ") || reason.contains(", so "), "{reason}");
    }
}

#[test]
fn a_modified_command_is_allowed() {
    for case in cases() {
        if let Some(result) = case.result {
            assert_eq!(judge(&result), json!({ "decision": "allow" }), "{result}");
        }
    }
}
