//! Laws that hold for every case in `cases.toml` and `siblings.toml`, however its command is wrapped.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs, reason = "a test may fail this way")]

use command_allowlist::{Settings, judge};
use hookbox_sdk::shell::facts;
use hookbox_sdk::{Action, Decision, Input, Permission, Tool, ToolKind};
use rustix::time::{ClockId, clock_gettime};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

#[derive(Deserialize)]
struct Cases {
    settings: Value,
    case: Vec<Case>,
}

#[derive(Clone, Deserialize)]
struct Case {
    name: String,
    tool: String,
    input: Value,
    settings: Option<Value>,
    expect: Option<String>,
}

impl Case {
    fn command(&self) -> Option<&str> {
        self.input["command"].as_str().filter(|_| self.tool == "bash" && self.input.as_object().unwrap().len() == 1)
    }
}

/// Returns the facts that hookbox determines for a text, except those about links.
fn tool(text: &str) -> Tool {
    let request = json!({ "text": text, "home": "/home/me", "cwd": "/home/me/shop" });
    let answer: Value = serde_json::from_str(&facts::answer(&request.to_string()).unwrap()).unwrap();
    let mut tool = Tool::new(ToolKind::Shell);
    tool.command = Some(text.to_owned());
    tool.cwd = Some("/home/me/shop".to_owned());
    tool.commands = Some(serde_json::from_value(answer["commands"].clone()).unwrap());
    tool.complete = answer["complete"] == true;
    tool.unknown = serde_json::from_value(answer["unknown"].clone()).unwrap_or_default();
    tool
}

fn ask(text: &str, settings: &Value) -> Action {
    let settings: Settings = serde_json::from_value(settings.clone()).unwrap();
    let input = Input::pre_tool("bash", json!({ "command": text }));
    judge(&input.with_facts(&tool(text)).with_settings(settings)).unwrap()
}

fn cases() -> Vec<(Case, Value)> {
    let texts = [include_str!("../cases.toml"), include_str!("siblings.toml")];
    let with_settings = |cases: Cases| {
        let all = cases.settings;
        cases.case.into_iter().map(move |case| (case.settings.clone().unwrap_or_else(|| all.clone()), case))
    };
    let all = texts.into_iter().map(|text| toml::from_str::<Cases>(text).unwrap()).flat_map(with_settings);
    // hookbox, not the parser of commands, determines which places are guarded.
    let is_told = |case: &Case| case.expect.is_some() && !case.name.contains(".claude");
    // This case ends the command that it is inserted into.
    let is_told = |case: &Case| is_told(case) && case.name != "ls )" && case.name != "as many commands as are allowed";
    all.map(|(settings, case)| (case, settings)).filter(|(case, _)| is_told(case)).collect()
}

/// Checks every case that has a command, wrapped by `wrap`. `is_wrong` gets the expected and the actual decision.
fn check(what: &str, wrap: impl Fn(&str) -> String, is_wrong: impl Fn(&str, Decision) -> bool) {
    let mut failures = Vec::new();
    for (case, settings) in cases() {
        if let (Some(command), Some(expect)) = (case.command(), &case.expect) {
            let action = ask(&wrap(command), &settings);
            if is_wrong(expect, action.decision) {
                failures.push(format!("{}: expected {expect}, was {action:?}", case.name));
            }
        }
    }
    assert!(failures.is_empty(), "{what}:\n{}", failures.join("\n"));
}

fn is_weaker(expect: &str, decision: Decision) -> bool {
    expect != "allow" && decision == Decision::Allow
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A function that inserts a command into another.
type Wrap = fn(&str) -> String;

#[test]
fn every_case_gets_its_decision() {
    let name = |decision| serde_json::to_value(decision).unwrap().as_str().unwrap().to_owned();
    check("as it is", str::to_owned, |expect, decision| expect != name(decision));
}

#[test]
fn nothing_around_a_command_lets_it_pass() {
    let wraps: [(&str, Wrap); 9] = [
        ("behind another", |text| format!("ls\n{text}")),
        ("before another", |text| format!("{text}\nls")),
        ("in a subshell", |text| format!("(\n{text}\n)")),
        ("in a group", |text| format!("{{\n{text}\n}}")),
        ("in a condition", |text| format!("if ls; then\n{text}\nfi")),
        ("in a loop", |text| format!("for i in 1 2; do\n{text}\ndone")),
        ("in a function", |text| format!("f() {{\n{text}\n}}\nf")),
        ("in a substitution", |text| format!("echo \"$(\n{text}\n)\"")),
        ("in a shell", |text| format!("bash -c {}", quoted(text))),
    ];
    for (what, wrap) in wraps {
        check(what, wrap, is_weaker);
    }
}

#[test]
fn what_is_listed_passes_beside_others() {
    let is_stronger = |expect: &str, decision| expect == "allow" && decision != Decision::Allow;
    check("behind another", |text| format!("true\n{text}"), is_stronger);
    check("before another", |text| format!("{text}\nfalse"), is_stronger);
}

#[test]
fn an_entry_that_a_reason_names_is_enough() {
    for (case, mut settings) in cases() {
        let Some(command) = case.command() else {
            continue;
        };
        let mut entries = Vec::new();
        loop {
            let reason = ask(command, &settings).reason.unwrap_or_default();
            let entry = reason.split_once("the entry \"").and_then(|(_, rest)| rest.split_once("\" in `allow`"));
            let Some((entry, _)) = entry else {
                break;
            };
            assert!(!entries.contains(&entry.to_owned()), "{}: {entry} again", case.name);
            entries.push(entry.to_owned());
            let Some(allow) = settings["allow"].as_array_mut() else {
                settings["allow"] = json!([entry]);
                continue;
            };
            allow.push(json!(entry));
        }
    }
}

#[test]
fn a_listed_command_needs_no_question_where_that_is_wanted() {
    let settings = json!({ "allow": ["ls"], "grant": true });
    assert_eq!(ask("ls -la", &settings).permission, Some(Permission::Allow));
    for text in ["ls; rm x", "ls > x", "$CMD", "", "# ls", "X=1"] {
        assert_eq!(ask(text, &settings).permission, None, "{text}");
    }
    let audit = json!({ "allow": ["ls"], "grant": true, "mode": "audit" });
    assert_eq!(ask("ls", &audit).permission, None);
}

#[test]
fn facts_without_commands_are_an_error() {
    let mut tool = Tool::new(ToolKind::Shell);
    tool.command = Some("ls".to_owned());
    let input = Input::pre_tool("bash", json!({ "command": "ls" })).with_settings(Settings::default());
    assert!(judge(&input).is_err());
    assert!(judge(&input.with_facts(&tool)).is_err());
}

#[test]
fn a_long_text_takes_no_long_time() {
    let settings = json!({ "allow": ["echo", "ls", "./run.sh"], "max_commands": 100_000 });
    let text = "echo a > target/x; ls a/b/c/d; ./run.sh\n".repeat(300);
    let used = || Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap();
    let before = used();
    assert_eq!(ask(&text, &settings).decision, Decision::Ask);
    assert!((used() - before).as_secs() < 20);
}
