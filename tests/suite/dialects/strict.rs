//! `--strict`: what a system would let pass after a failure is a deny, but only if the event can be stopped.

use crate::support::project::Project;
use serde_json::json;

/// Returns the exit statuses of a config, by the system's rule and strictly.
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
        r#"echo '{"hookSpecificOutput":{"permissionDecision":"deny"}}'"#,
        r#"echo '{"decision":"allow","ask":true}'"#,
        r#"echo '{"decision":"deny","decision":"allow"}'"#,
        r#"echo '{"decision":"allow","modified_tool_input":{}}'"#,
        r#"echo '{"decision":"modify","modified_tool_input":{},"modified_message":"x"}'"#,
        r#"echo '{"system_prompt_append":"x"}'"#,
        r#"printf '{"reason":"\377"}'"#,
    ] {
        assert_eq!(statuses("hygge", "h.toml", &entry(script), call), (0, 2), "{script}");
    }
    let async_guard = "[hooks.h]\nevents = [\"pre_tool\"]\ncommand = \"true\"\nmode = \"async\"\n";
    assert_eq!(statuses("hygge", "h.toml", async_guard, call), (0, 2), "an entry that is left out");
    assert_eq!(statuses("hygge", "h.toml", "hooks = 5", call), (0, 1), "a file of which nothing is known");
}

#[test]
fn of_docker_agent() {
    let config = |event: &str, stdout: &str| {
        let hook = json!({ "type": "command", "command": format!("printf '%s' '{stdout}'") });
        let hooks = if event == "turn_start" { json!([hook]) } else { json!([{ "hooks": [hook] }]) };
        json!({ "hooks": { event: hooks } }).to_string()
    };
    let call = r#"{"hook_event_name":"pre_tool_use","tool_name":"shell","tool_input":{"cmd":"ls"}}"#;
    let named = |members: &str| format!(r#"{{"hook_specific_output":{{"hook_event_name":"pre_tool_use",{members}}}}}"#);
    for overlooked in [
        r#"{"hookSpecificOutput":{"permissionDecision":"deny"}}"#.to_owned(),
        r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}"#.to_owned(),
        r#"{"hook_specific_output":{"hook_event_name":"post_tool_use","permission_decision":"allow"}}"#.to_owned(),
        named(r#""permissionDecision":"deny""#),
        named(r#""permission_decision":"block""#),
        named(r#""permission_decision":"allow","risk":5"#),
        named(r#""updated_tool_response":"x""#),
        named(r#""updated_messages":[{"role":"user","content":"x"}]"#),
        named(r#""summary":"x""#),
        r#"{"decision":"deny"}"#.to_owned(),
        r#"{"decision":"block","decision":"allow"}"#.to_owned(),
        r#"{"continue":"false"}"#.to_owned(),
        r#"{"permission_decision":"deny"}"#.to_owned(),
        r#"{"decision":"block"} done"#.to_owned(),
        r#"checking {"decision":"block"}"#.to_owned(),
        r#"[{"decision":"block"}]"#.to_owned(),
        "not today".to_owned(),
    ] {
        assert_eq!(
            statuses("docker-agent", "d.json", &config("pre_tool_use", &overlooked), call),
            (0, 2),
            "{overlooked}"
        );
    }
    for understood in [
        String::new(),
        "{}".to_owned(),
        r#"{"continue":true,"suppress_output":true,"system_message":"hi"}"#.to_owned(),
        r#"{"Continue":true,"stop_reason":null}"#.to_owned(),
        named(r#""permission_decision":"allow","permission_decision_reason":"r","additional_context":"c""#),
        named(r#""updated_input":{"cmd":"pwd"}"#),
        named(r#""updated_input":null,"summary":"","updated_messages":[]"#),
    ] {
        assert_eq!(
            statuses("docker-agent", "d.json", &config("pre_tool_use", &understood), call),
            (0, 0),
            "{understood}"
        );
    }
    let denied = named(r#""permission_decision":"deny""#);
    assert_eq!(statuses("docker-agent", "d.json", &config("pre_tool_use", &denied), call), (2, 2));
    let binary = "hooks:\n  pre_tool_use:\n    - hooks: [{type: command, command: \"printf '{\\\"reason\\\":\\\"\\\\377\\\"}'\"}]\n";
    assert_eq!(statuses("docker-agent", "d.yaml", binary, call), (0, 2), "not UTF-8");
    let text = config("turn_start", "text for the model");
    assert_eq!(statuses("docker-agent", "d.json", &text, r#"{"hook_event_name":"turn_start"}"#), (0, 0));
    let result = r#"{"hook_event_name":"post_tool_use","tool_name":"shell","tool_input":{},"tool_response":"x"}"#;
    assert_eq!(statuses("docker-agent", "d.json", &config("post_tool_use", "all fine"), result), (0, 0));
    let late = "note: x\n{\"decision\":\"block\"}";
    assert_eq!(
        statuses("docker-agent", "d.json", &config("post_tool_use", late), result),
        (0, 2),
        "an answer behind text"
    );
    let misplaced = r#"{"hook_specific_output":{"hook_event_name":"post_tool_use","permission_decision":"deny"}}"#;
    assert_eq!(statuses("docker-agent", "d.json", &config("post_tool_use", misplaced), result), (0, 2));
    // The first generation cannot ask, and knows less.
    for overlooked in [named(r#""permission_decision":"ask""#), named(r#""summary":"""#)] {
        let statuses = statuses("docker-agent-v1", "d.json", &config("pre_tool_use", &overlooked), call);
        assert_eq!(statuses, (0, 2), "{overlooked}");
    }
}

/// ok and ub use the exit status, and an answer in JSON meant something else.
#[test]
fn an_answer_that_nobody_reads() {
    let answer = r#"echo '{"decision":"block"}'"#;
    let ok = json!({ "hooks": { "PreToolUse": [{ "command": answer }] } }).to_string();
    assert_eq!(statuses("ok", "s.json", &ok, r#"{"event":"PreToolUse","toolName":"bash","toolArgs":{}}"#), (0, 2));
    let command = json!(["/bin/sh", "-c", answer]);
    let ub = format!("hooks:\n  pre_tool_call:\n    - command: {command}\n");
    assert_eq!(statuses("ub", "u.yaml", &ub, r#"{"event":"pre_tool_call","tool":{"name":"bash"}}"#), (0, 2));
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
