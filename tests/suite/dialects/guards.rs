//! Guards that must not get lost through our limits, through a typo, or by being moved.

use crate::support::component::Guest;
use crate::support::project::{self, Project, Ran};
use assert_cmd::Command;
use hookbox::dialect::docker_agent::{Definition, DockerAgent, Executor, Generation};
use hookbox::dialect::{Options, Strictness};
use hookbox::{Event, Input};
use serde_json::json;
use std::path::Path;

const OK_CALL: &str = r#"{"event":"PreToolUse","toolName":"bash","toolArgs":{}}"#;
const UB_CALL: &str = r#"{"event":"pre_tool_call","tool":{"name":"bash"}}"#;
const DOCKER_CALL: &str = r#"{"hook_event_name":"pre_tool_use","tool_name":"bash"}"#;
const CALL: &str = r#"{"event":"pre_tool","tool_name":"bash","tool_input":{}}"#;

#[track_caller]
fn run(project: &Project, dialect: &str, file: &str, config: &str, payload: &str, args: &[&str]) -> Ran {
    project.write(&format!("project/{file}"), config);
    project.write("project/trap.wasm", Guest::running("unreachable").build());
    project.run(&[&["run", "--dialect", dialect, "--config", file], args].concat(), payload)
}

#[track_caller]
fn status(dialect: &str, file: &str, config: &str, payload: &str) -> i32 {
    run(&Project::new(), dialect, file, config, payload, &[]).status
}

fn ok_config(entry: &serde_json::Value) -> String {
    json!({ "hooks": { "PreToolUse": [entry] } }).to_string()
}

#[test]
fn a_pattern_that_only_we_cannot_use_drops_no_guard() {
    let deep = format!("{}bash{}", "(".repeat(200), ")".repeat(200));
    let many = (0..2000).map(|n| format!("mcp__server{n}__tool")).collect::<Vec<_>>().join("|") + "|bash";
    for (pattern, what) in [(r"mcp__[\pL\pN_]{1,64}__.*|bash", "large"), (&deep, "deep"), (&many, "long")] {
        let config = ok_config(&json!({ "match": pattern, "command": "exit 2" }));
        assert_eq!(status("ok", "s.json", &config, OK_CALL), 2, "{what}");
        let matcher = json!(pattern);
        let config = format!(
            "hooks:\n  pre_tool_use:\n    - matcher: {matcher}\n      hooks: [{{type: command, command: exit 2}}]\n"
        );
        assert_eq!(status("docker-agent", "a.yaml", &config, DOCKER_CALL), 2, "{what}");
    }
}

#[test]
fn a_file_that_only_we_find_too_large_drops_no_guard() {
    let padding = "x".repeat(300 << 10);
    let config = json!({ "padding": padding, "hooks": { "PreToolUse": [{ "command": "exit 2" }] } }).to_string();
    assert_eq!(status("ok", "s.json", &config, OK_CALL), 2);
    let huge = json!({ "padding": "x".repeat(5 << 20) }).to_string();
    assert_eq!(status("ok", "s.json", &huge, OK_CALL), 1, "no verdict, where its own system might have one");
    let hygge = format!("[hooks.h]\nevents = [\"pre_tool\"]\ncommand = \"false\"\n# {padding}\n");
    assert_eq!(status("hygge", "h.toml", &hygge, CALL), 2);
}

#[test]
fn a_file_that_is_not_quite_utf8_is_read_as_go_does() {
    let project = Project::new();
    let config: &[u8] = b"{\"hooks\":{\"PreToolUse\":[{\"description\":\"\xff\",\"command\":\"exit 2\"}]}}";
    project.write("project/s.json", config);
    assert_eq!(project.run(&["run", "--dialect", "ok", "--config", "s.json"], OK_CALL).status, 2);
}

#[test]
fn a_typing_error_beside_a_component_denies() {
    for entry in [
        json!({ "component": "trap.wasm", "shaa256": "00" }),
        json!({ "component": "trap.wasm", "command": "true" }),
        json!({ "component": "trap.wasm", "match": "[" }),
    ] {
        let ran = run(&Project::new(), "ok", "s.json", &ok_config(&entry), OK_CALL, &[]);
        assert_eq!(ran.status, 2, "{entry}");
        assert!(ran.json()["reason"].as_str().unwrap().contains("E50"), "{entry}: {}", ran.stdout);
    }
    for entry in ["on_failure: deny", "on_failure: Block", "tool: [bash]", "command: [x]"] {
        let config = format!("hooks:\n  pre_tool_call:\n    - component: trap.wasm\n      {entry}\n");
        assert_eq!(status("ub", "u.yaml", &config, UB_CALL), 2, "{entry}");
    }
    let unasked =
        "hooks:\n  pre_tool_use:\n    - matcher: '['\n      hooks: [{type: component, component: trap.wasm}]\n";
    assert_eq!(status("docker-agent", "a.yaml", unasked, DOCKER_CALL), 2);
    let project = Project::new();
    project
        .write("project/.agents/hooks.toml", "[hooks.g]\nevents = [\"pre_tool\"]\ncomponent = \"x.wasm\"\nbogus = 1\n");
    assert_eq!(project.run(&["run", "--dialect", "hygge"], CALL).status, 2, "in a project too");
}

#[test]
fn hooks_that_stand_where_nobody_reads_them_are_refused() {
    let hook = "pre_tool_use: [{hooks: [{type: command, command: exit 2}]}]";
    for config in [
        format!("agents:\n  root:\n    hoooks:\n      {hook}\n"),
        format!("agents:\n  root:\n    Hooks:\n      {hook}\n"),
        format!("agents:\n  root:\n    {hook}\n"),
        format!("agents:\n  root: {{model: x}}\nhooks:\n  {hook}\n"),
        format!("agents:\n  root: {{model: x}}\n{hook}\n"),
        format!("hooks: {{}}\n{hook}\n"),
    ] {
        let ran = run(&Project::new(), "docker-agent", "a.yaml", &config, DOCKER_CALL, &[]);
        assert_eq!(ran.status, 1, "{config}");
    }
}

#[test]
fn a_guest_in_our_own_config_that_cannot_start_denies() {
    for command in ["nonexistent-program", "./nowhere.sh"] {
        for dialect in ["ub", "ok", "hygge", "docker-agent"] {
            let entry =
                format!("[hooks.g]\nevents = [\"pre_tool\"]\ndialect = \"{dialect}\"\ncommand = \"{command}\"\n");
            let ran = Project::new().user(&entry).run(&["run"], CALL);
            assert_eq!(ran.status, 2, "{dialect} {command}: {}", ran.stdout);
        }
    }
}

#[test]
fn what_is_converted_keeps_its_guards() {
    let project = Project::new();
    project.script("project/guard.sh", "exit 3");
    project.write(
        "project/sub/u.yaml",
        "hooks:\n  pre_tool_call:\n    - {command: [./guard.sh], on_failure: block}\n    - {command: ['']}\n\
         \x20 pre_user_turn:\n    - {command: ['false'], on_failure: block}\n",
    );
    let converted = project.run(&["convert", "--from", "ub", "sub/u.yaml"], "");
    assert_eq!(converted.status, 0, "what is left out never blocked: {}", converted.stderr);
    project.write("project/sub/hooks.toml", &converted.stdout);
    let native = |input: &str| project.run(&["run", "--config", "sub/hooks.toml"], input).status;
    assert_eq!(native(CALL), 2, "a relative program is the same one: {}", converted.stdout);
    assert_eq!(native(r#"{"event":"pre_message","message":"hi"}"#), 0, "what could not be stopped cannot");
    let long = "hooks:\n  pre_tool_use:\n    - hooks: [{type: command, command: 'echo \"{\\\"continue\\\":false}\"', timeout: 3600}]\n";
    project.write("project/a.yaml", long);
    let converted = project.run(&["convert", "--from", "docker-agent", "a.yaml"], "");
    assert!(converted.stdout.contains("# timeout was: 1h0m0s"), "{}", converted.stdout);
    project.write("project/hooks.toml", &converted.stdout);
    assert_eq!(project.run(&["run", "--config", "hooks.toml"], CALL).status, 2, "to end the loop stops the call");
}

#[test]
fn no_message_shows_the_value_of_a_variable() {
    for config in [
        "hooks:\n  pre_tool_call:\n    - {command: [x], timeout: '${SECRET}'}\n",
        "hooks: {'${SECRET}': 1, '${SECRET}': 2}\n",
        "hooks:\n  pre_tool_call:\n    - {component: '${SECRET}', limits: {memory: '${SECRET}'}}\n",
        "hooks:\n  pre_tool_call:\n    - {command: ['false', '${SECRET}'], on_failure: block}\n",
    ] {
        let project = Project::new();
        project.write("project/u.yaml", config);
        for command in ["run", "check", "list"] {
            let mut hookbox = assert_cmd::Command::cargo_bin("hookbox").unwrap();
            hookbox.args([command, "--dialect", "ub", "--config", "u.yaml"]).current_dir(project.dir());
            let ran = crate::support::project::run(hookbox.env("SECRET", "hunter2!").write_stdin(UB_CALL));
            assert!(!(ran.stdout + &ran.stderr).contains("hunter2"), "{command} {config}");
        }
    }
}

#[test]
fn variables_cannot_blow_a_config_up() {
    let project = Project::new();
    project.write("project/u.yaml", format!("x: \"{}\"\n", "${LONG}".repeat(10_000)));
    let mut command = Command::cargo_bin("hookbox").unwrap();
    command
        .args(["run", "--dialect", "ub", "--config", "u.yaml"])
        .current_dir(project.dir())
        .env("HOME", project.home());
    let ran = project::run(command.env("LONG", "x".repeat(1000)).write_stdin(UB_CALL));
    assert_eq!(ran.status, 1);
    assert!(ran.json()["reason"].as_str().unwrap().contains("with its variables in place"), "{}", ran.stdout);
}

#[test]
fn json_may_spell_a_character_as_a_pair() {
    let config = r#"{"hooks":{"pre_tool_use":[{"hooks":[{"type":"command","command":"echo \"\ud83e\udd80 \\ud83e\" >&2; exit 2"}]}]}}"#;
    let ran = run(&Project::new(), "docker-agent", "a.json", config, DOCKER_CALL, &["--answer"]);
    assert_eq!((ran.status, ran.json()["message"].as_str().unwrap()), (2, r"🦀 \ud83e"));
}

#[test]
fn what_the_answer_has_no_place_for_goes_to_stderr() {
    let config = ok_config(&json!({ "match": "[", "command": "exit 2" }));
    let ran = run(&Project::new(), "ok", "s.json", &config, OK_CALL, &["--answer"]);
    assert_eq!(ran.status, 0);
    assert!(ran.stderr.contains("warning[E504]"), "{}", ran.stderr);
    let usage = Project::new().run(&["run", "--dialect", "ub", "--answer", "--no-such"], "");
    assert_eq!((usage.status, &usage.json()["block"]), (1, &json!(true)), "{}", usage.stdout);
}

#[test]
fn bad_usage_is_denied_in_the_form_of_the_dialect_however_it_is_named() {
    for named in [&["--dialect", "ok"][..], &["--dialect=ok"]] {
        let ran = Project::new().run(&[&["run"][..], named, &["--answer", "--bogus"]].concat(), "");
        let expected = json!({ "event": "", "blocked": true, "outcomes": [] });
        assert_eq!((ran.status, ran.json()), (1, expected), "{named:?}: {ran:?}");
    }
}

#[test]
fn check_finds_what_would_only_fail_when_it_is_asked() {
    let project = Project::new();
    project.write(
        "project/a.yaml",
        "hooks:\n  turn_start:\n    - {type: builtin, command: nosuch}\n    - {type: model, model: a/b, prompt: hi}\n",
    );
    let check = project.run(&["check", "--dialect", "docker-agent", "--config", "a.yaml"], "");
    assert_eq!(check.status, 1);
    assert!(check.stderr.contains("no builtin hook registered as \"nosuch\""), "{}", check.stderr);
    assert!(check.stderr.contains("model a/b: \"a/b\" is no model"), "{}", check.stderr);
}

#[test]
fn a_command_is_called_as_it_was_asked_for() {
    let config = ok_config(&json!({ "command": "echo $0 >&2; exit 2" }));
    let ran = run(&Project::new(), "ok", "s.json", &config, OK_CALL, &[]);
    assert_eq!(ran.json()["reason"], "sh");
}

/// A rewrite that the chain did not apply must not be in the report either: guards have not seen it.
#[test]
fn a_report_has_no_rewrite_that_no_guard_has_seen() {
    let project = Project::new();
    for (name, answer) in [
        ("beside.wasm", r#"{"decision":"allow","updated_input":{"cmd":"rm -rf /"}}"#),
        ("asks.wasm", r#"{"decision":"ask","updated_input":{"cmd":"rm -rf /"}}"#),
    ] {
        project.write(&format!("project/{name}"), Guest::answering(answer).build());
        let config = format!("hooks:\n  pre_tool_use:\n    - hooks: [{{type: component, component: {name}}}]\n");
        let payload = r#"{"hook_event_name":"pre_tool_use","tool_name":"shell","tool_input":{"cmd":"ls"}}"#;
        let ran = run(&project, "docker-agent", "a.yaml", &config, payload, &["--answer"]);
        assert_eq!(ran.json().get("modified_input"), None, "{name}: {}", ran.stdout);
    }
}

/// A component that rewrites, and accepts its own rewrite when it is asked again.
#[test]
fn a_components_rewrite_is_docker_agents_modified_input() {
    let project = Project::new();
    std::fs::copy(crate::support::guests::path("no_destructive_commands.wasm"), project.dir().join("guard.wasm"))
        .unwrap();
    let config = "hooks:\n  pre_tool_use:\n    - hooks: [{type: component, component: guard.wasm}]\n";
    let payload = json!({
        "hook_event_name": "pre_tool_use", "tool_name": "bash",
        "tool_input": { "command": "git push --force origin feature" },
    });
    let ran = run(&project, "docker-agent", "a.yaml", config, &payload.to_string(), &["--answer"]);
    let answer = ran.json();
    assert_eq!((ran.status, &answer["allowed"]), (0, &json!(true)), "{answer}");
    let rewritten = answer["modified_input"]["command"].as_str().unwrap();
    assert!(rewritten.contains("--force-with-lease"), "{answer}");
}

#[test]
fn check_points_out_what_its_system_overlooks() {
    for (dialect, file, config, words) in [
        ("ok", "s.json", r#"{"hooks":{"PreTool":[{"command":"true"}]}}"#, "did you mean `PreToolUse`?"),
        ("ok", "s.json", r#"{"hooks":{"PreToolUse":[{"matcher":"x","command":"true"}]}}"#, "did you mean `match`?"),
        ("ok", "s.json", r#"{"hooks":{"PreToolUse":[{"comand":"true"}]}}"#, "did you mean `command`?"),
        ("ok", "s.json", r#"{"PreToolUse":[]}"#, "this file has no hook that ok would run"),
        ("ok", "s.json", r#"{"hooks":{"PreToolUse":[{"command":"./nowhere.sh"}]}}"#, "nowhere.sh` is not a file"),
        ("ub", "u.yaml", "hooks:\n  pre_tool_use:\n    - command: [\"true\"]\n", "did you mean `pre_tool_call`?"),
        (
            "ub",
            "u.yaml",
            "hooks:\n  pre_tool_call:\n    - {command: [\"true\"], on_failure: deny}\n",
            "so means `warn`",
        ),
        ("ub", "u.yaml", "pre_tool_call:\n  - command: [\"true\"]\n", "outside of `hooks`"),
        ("docker-agent", "a.yaml", "pre_tool: []\n", "did you mean `pre_tool_use`?"),
        (
            "docker-agent",
            "a.yaml",
            "pre_tool_use: [{type: command, command: x}]\n",
            "below `hooks`, beside a `matcher`",
        ),
    ] {
        let project = Project::new();
        project.write(&format!("project/{file}"), config);
        let check = project.run(&["check", "--dialect", dialect, "--config", file], "");
        assert_eq!(check.status, 1, "{config}");
        assert!(check.stderr.contains(words), "{config}: {}", check.stderr);
    }
}

#[test]
fn what_is_left_out_of_a_conversion_denies() {
    let project = Project::new();
    let config =
        "hooks:\n  pre_tool_use:\n    - matcher: bash\n      hooks: [{type: model, model: a/b, prompt: judge}]\n";
    project.write("project/a.yaml", config);
    let converted = project.run(&["convert", "--from", "docker-agent", "a.yaml"], "");
    project.write("project/hooks.toml", &converted.stdout);
    assert_eq!(project.run(&["run", "--config", "hooks.toml"], CALL).status, 2, "{}", converted.stdout);
    let other = CALL.replace("bash", "read");
    assert_eq!(project.run(&["run", "--config", "hooks.toml"], &other).status, 0);
}

/// No clock can express the end of this time.
#[test]
fn the_longest_time_limit_drops_no_guard() {
    for hook in ["type: command, command: exit 2", "type: builtin, command: nosuch"] {
        let config = format!("hooks:\n  pre_tool_use:\n    - hooks: [{{{hook}, timeout: {}}}]\n", i64::MAX);
        assert_eq!(status("docker-agent", "a.yaml", &config, DOCKER_CALL), 2, "{hook}");
    }
}

/// A host adds these hooks without a file.
#[tokio::test]
async fn a_pattern_that_cannot_be_used_drops_no_guard_of_a_host() {
    let deep = format!("{}bash{}", "(".repeat(200), ")".repeat(200));
    for (generation, strictness, pattern) in [
        (Generation::V3, Strictness::Faithful, "["),
        (Generation::V1_58, Strictness::Strict, "["),
        (Generation::V1_58, Strictness::Faithful, deep.as_str()),
    ] {
        let dialect = DockerAgent::new(generation, &Options::default().with_strictness(strictness));
        let mut executor = Executor::empty(dialect, Path::new("/"));
        executor.add(Event::PreTool, Some(pattern), Definition::new("command", "exit 2"), &[]);
        assert!(executor.has(Event::PreTool), "{generation:?}, {strictness:?}");
        let result = executor.dispatch(Event::PreTool, Input::pre_tool("bash", "{}").unwrap()).await.unwrap();
        assert!(!result.allowed, "{generation:?}, {strictness:?}: {result:?}");
    }
}

/// docker-agent asks the two lanes one after the other, and only the second may rewrite.
#[test]
fn a_hook_in_both_lanes_is_asked_in_both() {
    let answer = r#"{"hook_specific_output":{"updated_input":{"cmd":"safe"}}}"#;
    let hook = json!({ "type": "command", "command": format!("echo '{answer}'") });
    let config =
        json!({ "hooks": { "pre_tool_use": [{ "preempt_yolo": true, "hooks": [hook] }, { "hooks": [hook] }] } });
    let call = r#"{"hook_event_name":"pre_tool_use","tool_name":"shell","tool_input":{"cmd":"rm"}}"#;
    let ran = run(&Project::new(), "docker-agent-v3", "a.json", &config.to_string(), call, &["--answer"]);
    assert_eq!((ran.status, &ran.json()["modified_input"]), (0, &json!({ "cmd": "safe" })), "{ran:?}");
}

/// As in Go, `null` means `false`, and the rest of the file counts.
#[test]
fn a_project_stays_trusted_beside_one_with_null() {
    let project = Project::new();
    project.write("project/.ok/settings.json", ok_config(&json!({ "command": "exit 2" })));
    let root = std::fs::canonicalize(project.dir()).unwrap();
    let trust = json!({ "projects": { "/elsewhere": null, root.to_str().unwrap(): true } });
    project.write("home/.ok/trust.json", trust.to_string());
    assert_eq!(project.run(&["run", "--dialect", "ok"], OK_CALL).status, 2);
}
