//! `--strict`: what a system lets pass that failed is a deny, and only where it can be one.

use crate::support::project::Project;
use serde_json::json;

/// The exit statuses of a config, as the system has it and strictly.
#[track_caller]
fn statuses(dialect: &str, file: &str, config: &str, payload: &str) -> (i32, i32) {
    let project = Project::new();
    project.write(&format!("project/{file}"), config);
    let run = |args: &[&str]| {
        let ran = project.run(&[&["run", "--dialect", dialect, "--config", file], args].concat(), payload);
        ran.json();
        ran.status
    };
    (run(&[]), run(&["--strict"]))
}

#[test]
fn of_ok() {
    let call = r#"{"event":"PreToolUse","toolName":"bash","toolArgs":{}}"#;
    let entries = [
        json!({ "command": "exit 1" }),
        json!({ "command": "nosuchcommand" }),
        json!({ "command": "kill -9 $$" }),
        json!({ "command": "true", "cwd": "/nowhere" }),
        json!({ "command": "sleep 2 & exit 0" }),
        json!({ "command": "exit 0", "match": "[" }),
    ];
    for entry in entries {
        let config = json!({ "hooks": { "PreToolUse": [entry] } }).to_string();
        assert_eq!(statuses("ok", "s.json", &config, call), (0, 2), "{entry}");
    }
    assert_eq!(statuses("ok", "s.json", "{not json", call), (0, 1), "a file of which nothing is known");
    let stop = json!({ "hooks": { "Stop": [{ "command": "exit 2" }] } }).to_string();
    assert_eq!(statuses("ok", "s.json", &stop, r#"{"event":"Stop"}"#), (0, 0), "nothing to stop");
}

#[test]
fn of_ub() {
    let call = r#"{"event":"pre_tool_call","tool":{"name":"bash"}}"#;
    for entry in [
        "command: [/bin/sh, -c, exit 3]",
        "{command: [/bin/sh, -c, exit 3], on_failure: deny}",
        "command: [nosuchprogram]",
        "command: []",
        "{command: [], on_failure: block}",
        "{command: [sleep, 5], timeout: 50ms}",
    ] {
        let config = format!("hooks:\n  pre_tool_call:\n    - {entry}\n");
        assert_eq!(statuses("ub", "u.yaml", &config, call), (0, 2), "{entry}");
    }
    let turn = "hooks:\n  pre_user_turn:\n    - command: [/bin/sh, -c, exit 3]\n";
    assert_eq!(statuses("ub", "u.yaml", turn, r#"{"event":"pre_user_turn"}"#), (0, 0), "nothing to stop");
}

#[test]
fn of_hygge() {
    let call = r#"{"event":"pre_tool","tool_name":"bash","tool_input":{}}"#;
    let entry = |script: &str| {
        let args = json!(["-c", script]);
        format!("[hooks.h]\nevents = [\"pre_tool\"]\ncommand = \"/bin/sh\"\nargs = {args}\n")
    };
    for script in [
        "echo not json",
        r#"echo '{"decision":"block"}'"#,
        r#"echo '{"decision":"deny"} xx'"#,
        r#"echo '{"decision":"modify"}'"#,
        r#"echo '{"decision":"deny","reason":5}'"#,
    ] {
        assert_eq!(statuses("hygge", "h.toml", &entry(script), call), (0, 2), "{script}");
    }
    let async_guard = "[hooks.h]\nevents = [\"pre_tool\"]\ncommand = \"true\"\nmode = \"async\"\n";
    assert_eq!(statuses("hygge", "h.toml", async_guard, call), (0, 2), "an entry that is left out");
    assert_eq!(statuses("hygge", "h.toml", "hooks = 5", call), (0, 1), "a file of which nothing is known");
}

#[test]
fn what_passes_for_good_reasons_still_passes() {
    let ok = json!({ "hooks": { "PreToolUse": [{ "command": "echo; echo x >&2" }] } }).to_string();
    let call = r#"{"event":"PreToolUse","toolName":"bash","toolArgs":{}}"#;
    assert_eq!(statuses("ok", "s.json", &ok, call), (0, 0));
    let ub = "hooks:\n  pre_tool_call:\n    - command: [\"true\"]\n    - {command: [\"false\"], tools: [edit]}\n";
    assert_eq!(statuses("ub", "u.yaml", ub, r#"{"event":"pre_tool_call","tool":{"name":"bash"}}"#), (0, 0));
    let hygge = "[hooks.h]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n";
    let call = r#"{"event":"pre_tool","tool_name":"bash","tool_input":{}}"#;
    assert_eq!(statuses("hygge", "h.toml", hygge, call), (0, 0));
}
