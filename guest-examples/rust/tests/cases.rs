//! Checks the decision for every command in `cases.toml`, which `hookbox test` reads too.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail this way")]

mod support;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use support::{ask, ask_about};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    input: Option<Value>,
    whole: Option<Value>,
    expect: String,
    modified: Option<Map<String, Value>>,
}

impl Case {
    fn action(&self) -> Value {
        match &self.whole {
            Some(input) => ask(input),
            None => ask(&json!({ "event": "pre_tool", "tool_input": self.input })),
        }
    }
}

fn cases() -> Vec<Case> {
    let cases: Cases = toml::from_str(include_str!("../cases.toml")).expect("cases");
    cases.case
}

#[test]
fn every_command_gets_its_decision() {
    let cases = cases();
    assert!(cases.len() >= 600, "only {} cases", cases.len());
    let mut failures = Vec::new();
    for case in &cases {
        let action = case.action();
        let is_right = match &case.modified {
            Some(members) => members.iter().all(|(key, value)| action["modified_tool_input"][key] == *value),
            None => action["modified_tool_input"].is_null(),
        };
        if action["decision"] != case.expect.as_str() || !is_right {
            failures.push(format!("{}: expected {}\n    {action}", case.name, case.expect));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_reason_is_one_sentence() {
    for case in cases().iter().filter(|case| case.expect != "allow") {
        let action = case.action();
        let reason = action["reason"].as_str().expect("a reason");
        assert!(reason.chars().count() <= 301, "{reason}");
        assert!(!reason.contains(|c: char| c == '\n' || ('\u{E000}'..='\u{E00F}').contains(&c)), "{reason}");
        assert!(reason.contains("; ") || reason.contains(", so "), "{reason}");
    }
}

#[test]
fn a_modified_command_is_allowed() {
    for case in cases() {
        if let Some(result) = case.modified {
            let command = result["command"].as_str().expect("a command");
            assert_eq!(ask_about(command), json!({ "decision": "allow" }), "{command}");
        }
    }
}
