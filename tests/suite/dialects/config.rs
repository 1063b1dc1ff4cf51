//! Components in the configs of other systems, hooks of other systems in ours, and how listings show them.

use crate::support::component::Guest;
use crate::support::project::Project;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const DENY: &str = r#"{"decision":"deny","reason":"no"}"#;

/// Runs a config with a component beside it.
#[track_caller]
fn run(dialect: &str, file: &str, config: &str, payload: &Value, args: &[&str]) -> (i32, Value) {
    let project = Project::new();
    project.write(&format!("project/{file}"), config);
    project.write("project/guard.wasm", Guest::answering(DENY).build());
    let mut all = vec!["run", "--dialect", dialect, "--config", file];
    all.extend(args);
    let ran = project.run(&all, &payload.to_string());
    (ran.status, ran.json())
}

#[test]
fn an_entry_may_be_a_component() {
    let docker = "hooks:\n  pre_tool_use:\n    - hooks: [{type: component, component: guard.wasm, settings: {a: 1}}]\n";
    let named = "hooks:\n  pre_tool_use:\n    - hooks: [{type: component, command: guard.wasm}]\n";
    let payload = json!({ "hook_event_name": "pre_tool_use", "tool_name": "bash", "tool_input": { "a": 1 } });
    for config in [docker, named] {
        let (status, answer) = run("docker-agent", "a.yaml", config, &payload, &["--answer"]);
        assert_eq!((status, &answer), (2, &json!({ "allowed": false, "message": "no" })));
    }
    let ok = json!({ "hooks": { "PreToolUse": [{ "match": "bash", "component": "guard.wasm" }] } }).to_string();
    let payload = json!({ "event": "PreToolUse", "toolName": "bash", "toolArgs": {} });
    let (status, answer) = run("ok", "s.json", &ok, &payload, &["--answer"]);
    assert_eq!((status, &answer["blocked"]), (2, &json!(true)));
    assert_eq!(answer["outcomes"][0]["text"], "hook [global/PreToolUse] guard.wasm — block: no");
    let ub = "hooks:\n  pre_tool_call:\n    - {component: guard.wasm, tools: [bash]}\n";
    let payload = json!({ "event": "pre_tool_call", "tool": { "name": "bash" } });
    let (status, answer) = run("ub", "u.yaml", ub, &payload, &["--answer"]);
    assert_eq!((status, &answer["reason"]), (2, &json!("no")));
    assert_eq!(answer["outcomes"][0]["exit_code"], 1);
}

#[test]
fn what_is_written_about_a_component_is_read_strictly() {
    let ok = json!({ "hooks": { "PreToolUse": [{ "component": "guard.wasm", "limits": { "memry": "1MiB" } }] } });
    let payload = json!({ "event": "PreToolUse", "toolName": "bash", "toolArgs": {} });
    let (status, outcome) = run("ok", "s.json", &ok.to_string(), &payload, &[]);
    assert_eq!(status, 2);
    assert!(outcome["reason"].as_str().unwrap().contains("unknown key `limits.memry`"), "{outcome}");
    let ub = "hooks:\n  pre_tool_call:\n    - {component: nowhere.wasm, on_failure: warn}\n    - {component: nowhere.wasm}\n";
    let payload = json!({ "event": "pre_tool_call", "tool": { "name": "bash" } });
    let (status, outcome) = run("ub", "u.yaml", ub, &payload, &[]);
    assert_eq!(status, 2, "a component that cannot run denies, unless its entry says otherwise");
    assert_eq!(outcome["hooks"][0]["decision"], "allow");
    assert_eq!(outcome["hooks"][1]["decision"], "deny");
}

#[test]
fn a_hook_in_our_own_config_may_speak_a_dialect() {
    let entry = |more: &str| {
        format!(
            "[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"/bin/sh\"\n\
             args = [\"-c\", \"grep -q hook_event_name && pwd >&2 && exit $CODE\"]\n{more}\n"
        )
    };
    let project = Project::new().user(&entry("dialect = \"docker-agent\"\nenv = { CODE = \"2\" }\ncwd = \"sub\""));
    project.write("project/sub/x", "");
    let ran = project.run(&["run"], r#"{"event":"pre_tool","tool_name":"bash","tool_input":{}}"#);
    assert_eq!(ran.status, 2, "{}", ran.stdout);
    assert!(ran.json()["reason"].as_str().unwrap().ends_with("/project/sub"), "{}", ran.stdout);
    let project = Project::new().user(&entry("dialect = \"nobody\""));
    let ran = project.run(&["run"], r#"{"event":"pre_tool","tool_name":"bash","tool_input":{}}"#);
    assert_eq!(ran.status, 2);
    assert!(ran.json()["reason"].as_str().unwrap().contains("dialect \"nobody\""), "{}", ran.stdout);
}

#[test]
fn listings_work_on_each_dialect() {
    let files = [
        ("docker-agent", "a.yaml", "hooks:\n  turn_start: [{type: command, name: greet, command: date}]\n"),
        ("ok", "s.json", r#"{"hooks":{"Stop":[{"command":"greet","description":"says hello"}]}}"#),
        ("ub", "u.yaml", "hooks:\n  post_user_turn:\n    - command: [greet]\n      timeout: 5s\n"),
        ("hygge", "h.toml", "[hooks.greet]\nevents = [\"pre_message\"]\ncommand = \"true\"\n"),
    ];
    for (dialect, file, config) in files {
        let project = Project::new();
        project.write(&format!("project/{file}"), config);
        let scope = ["--dialect", dialect, "--config", file];
        let on = |command: &[&str]| project.run(&[command, &scope].concat(), "");
        let list = on(&["list", "--format", "json"]);
        let listed: Value = serde_json::from_str(&list.stdout).unwrap();
        assert_eq!((list.status, &listed[0]["name"]), (0, &json!("greet")), "{dialect}");
        assert!(on(&["list"]).stdout.contains("greet"), "{dialect}");
        let show = on(&["show", "greet"]);
        assert_eq!(show.status, 0, "{dialect}: {}", show.stderr);
        assert!(show.stdout.starts_with("name:        greet\n"), "{dialect}: {}", show.stdout);
        let check = on(&["check"]);
        let is_there = !matches!(dialect, "ub");
        assert_eq!(check.status == 0, is_there, "{dialect}: {} {}", check.stdout, check.stderr);
    }
}

#[test]
fn docker_agent_needs_a_file() {
    let ran = Project::new().run(&["run", "--dialect", "docker-agent"], r#"{"hook_event_name":"stop"}"#);
    assert_eq!(ran.status, 1);
    assert!(ran.stderr.contains("name the file with --config"), "{}", ran.stderr);
}

/// hygge lets such a hook run in the background on all of its events, and drops what it would change.
#[test]
fn a_hygge_hook_that_hears_post_message_changes_no_result() {
    let project = Project::new();
    let answer = r#"{"decision":"modify","modified_tool_result":{"content":"changed"}}"#;
    let hook = "events = [\"post_tool\", \"post_message\"]\ncommand = \"/bin/sh\"";
    let args = format!("args = [\"-c\", \"\"\"echo '{answer}'\"\"\"]");
    project.write("project/.agents/hooks.toml", format!("[hooks.t]\n{hook}\n{args}\n"));
    let call = json!({
        "event": "post_tool", "tool_name": "bash", "tool_input": {},
        "tool_result": { "is_error": false, "content": "as it was" },
    });
    let outcome = project.run(&["run", "--dialect", "hygge"], &call.to_string()).json();
    assert_eq!((&outcome["modified"], &outcome["hooks"][0]["async"]), (&json!(false), &json!(true)), "{outcome}");
}

#[test]
fn references_that_no_brace_closes_take_no_time() {
    let project = Project::new();
    project.write("project/.ub/config.yaml", format!("#{}", "${A:-".repeat(800_000)));
    let started = Instant::now();
    let ran = project.run(&["run", "--dialect", "ub"], r#"{"event":"pre_user_turn"}"#);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
}
