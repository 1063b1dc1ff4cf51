//! Checks the decision for every case in `cases.toml`, which `hookbox test` reads too.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail this way")]

use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    settings: Value,
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    input: Option<Value>,
    whole: Option<Value>,
    settings: Option<Value>,
    expect: String,
    reason: Option<String>,
}

fn judge(mut input: Value, settings: &Value) -> Result<Value, String> {
    input["settings"] = settings.clone();
    let action = hookbox_sdk::answer(command_allowlist::judge, &input.to_string())?;
    Ok(serde_json::from_str(&action).expect("JSON"))
}

#[test]
fn every_case_gets_its_decision() {
    let cases: Cases = toml::from_str(include_str!("../cases.toml")).expect("cases");
    let count = |expect: &str| cases.case.iter().filter(|case| case.expect == expect).count();
    assert!(count("allow") >= 40 && count("ask") >= 40);
    let mut failures = Vec::new();
    for case in &cases.case {
        let short = || json!({ "event": "pre_tool", "tool_name": "bash", "tool_input": case.input });
        let input = case.whole.clone().unwrap_or_else(short);
        let settings = case.settings.as_ref().unwrap_or(&cases.settings);
        let action = judge(input, settings).expect("an Action");
        let is_right = case.reason.as_deref().is_none_or(|reason| action["reason"] == reason);
        if action["decision"] != case.expect.as_str() || !is_right {
            failures.push(format!("{}: expected {}\n    {action}", case.name, case.expect));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let bash =
        |command: Value| json!({ "event": "pre_tool", "tool_name": "bash", "tool_input": { "command": command } });
    for settings in [
        json!({ "allow": "ls" }),
        json!({ "allow": [1] }),
        json!({ "allow": [{ "program": "ls", "flag": [] }] }),
        json!({ "allow": [{ "sub": ["x"] }] }),
        json!({ "alow": ["ls"] }),
        json!({ "otherwise": "allow" }),
        json!({ "max_commands": -1 }),
    ] {
        assert!(judge(bash(json!("ls")), &settings).is_err(), "{settings}");
    }
    for command in [json!(1), json!(null), json!(["ls", 1]), json!({})] {
        assert!(judge(bash(command.clone()), &json!({ "allow": ["ls"] })).is_err(), "{command}");
    }
}

#[test]
fn a_listed_command_needs_no_question_where_the_operator_grants_that() {
    let settings = json!({ "allow": ["ls"], "grant": true });
    let ask = |command: &str| {
        let input = json!({ "event": "permission_request", "tool_input": { "command": command } });
        judge(input, &settings).expect("an Action")
    };
    assert_eq!(ask("ls -la")["permission"], "allow");
    assert_eq!(ask("ls; rm x")["permission"], Value::Null);
}
