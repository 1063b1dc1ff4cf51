//! `hookbox convert`: the result runs, and decides the same.

use crate::support::project::Project;
use serde_json::json;

/// Runs a config under its dialect, and the output of `convert` as hookbox's own, both on the same Input.
#[track_caller]
fn both(dialect: &str, file: &str, config: &str, input: &serde_json::Value) -> [(i32, serde_json::Value); 2] {
    let project = Project::new();
    project.write(&format!("project/{file}"), config);
    let converted = project.run(&["convert", "--from", dialect, file], "");
    assert_eq!(converted.status, 0, "{}", converted.stderr);
    project.write("project/hooks.toml", &converted.stdout);
    let check = project.run(&["check", "--config", "hooks.toml"], "");
    assert_eq!(check.status, 0, "{}\n{}", check.stderr, converted.stdout);
    let input = input.to_string();
    let own = project.run(&["run", "--dialect", dialect, "--neutral", "--config", file], &input);
    let native = project.run(&["run", "--config", "hooks.toml"], &input);
    [own, native].map(|ran| (ran.status, ran.json()))
}

fn call(tool: &str) -> serde_json::Value {
    json!({ "event": "pre_tool", "tool_name": tool, "tool_input": { "command": "ls" } })
}

#[test]
fn ok_hooks_decide_the_same() {
    let config = json!({ "hooks": { "PreToolUse": [
        { "match": "bash|ed.t", "command": "grep -q '\"toolName\":\"bash\"' && { echo no >&2; exit 2; }; exit 1" },
        { "match": "(?i)NEVER", "command": "exit 2", "timeout": 3000 },
        { "match": "sh)|(?:rite", "command": "exit 2" },
    ] } });
    let unanchored = [("shell", 2), ("write", 2), ("writer", 0)];
    for (tool, status) in [("bash", 2), ("edit", 0), ("other", 0), ("never", 2)].into_iter().chain(unanchored) {
        let [own, native] = both("ok", "settings.json", &config.to_string(), &call(tool));
        assert_eq!((own.0, native.0), (status, status), "{tool}");
        assert_eq!(own.1["reason"], native.1["reason"], "{tool}");
    }
}

#[test]
fn ub_hooks_decide_the_same() {
    let config = r#"
hooks:
  pre_tool_call:
    - command: ["/bin/sh", "-c", "test -z \"$HOME\" && test \"$UB_HOOK_TOOL_NAME\" = bash && echo no >&2 && exit 7; exit 0"]
      tools: [bash, edit]
      on_failure: block
    - command: ["/bin/sh", "-c", "exit 3"]
"#;
    for (tool, status) in [("bash", 2), ("edit", 0), ("other", 0)] {
        let [own, native] = both("ub", "config.yaml", config, &call(tool));
        assert_eq!((own.0, native.0), (status, status), "{tool}");
    }
}

#[test]
fn docker_agent_hooks_decide_the_same() {
    let config = r#"
hooks:
  pre_tool_use:
    - matcher: "bash"
      hooks:
        - {type: command, command: "echo no >&2; exit 2"}
    - matcher: "ask.*"
      hooks:
        - type: command
          command: |
            echo '{"hook_specific_output":{"permission_decision":"ask","permission_decision_reason":"sure?"}}'
    - matcher: "edit"
      hooks:
        - type: command
          env: {X: "1"}
          command: |
            echo "{\"hook_specific_output\":{\"updated_input\":{\"command\":\"$X\"}}}"
"#;
    for (tool, status) in [("bash", 2), ("ask_me", 3), ("edit", 0), ("other", 0)] {
        let [own, native] = both("docker-agent", "agent.yaml", config, &call(tool));
        assert_eq!((own.0, native.0), (status, status), "{tool}");
        assert_eq!(own.1["input"]["tool_input"], native.1["input"]["tool_input"], "{tool}");
        assert_eq!(own.1["reason"], native.1["reason"], "{tool}");
    }
}

#[test]
fn hygge_hooks_decide_the_same() {
    let config = "[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"/bin/sh\"\n\
                  args = [\"-c\", \"echo not json; test -z \\\"$SECRET\\\"\"]\nenv = { A = \"b\" }\n";
    let [own, native] = both("hygge", "old.toml", config, &call("bash"));
    assert_eq!((own.0, native.0), (0, 0), "what is no answer allows in both");
}

#[test]
fn what_has_no_form_is_named() {
    let project = Project::new();
    project.write(
        "project/agent.yaml",
        "hooks:\n  pre_tool_use:\n    - hooks: [{type: model, model: a/b, prompt: judge}]\n",
    );
    let converted = project.run(&["convert", "--from", "docker-agent", "agent.yaml"], "");
    assert_eq!(converted.status, 1, "a guard would be lost");
    assert!(converted.stdout.contains("# LEFT OUT: line 3"), "{}", converted.stdout);
    assert!(converted.stderr.contains("left out: line 3"), "{}", converted.stderr);
    project.write("project/agent.yaml", "hooks: 5\n");
    let broken = project.run(&["convert", "--from", "docker-agent", "agent.yaml"], "");
    assert_eq!((broken.status, broken.stdout.as_str()), (1, ""));
    assert!(broken.stderr.contains("agent.yaml:1:8"), "{}", broken.stderr);
}

#[test]
fn an_empty_command_blocks_only_if_it_did_so_before() {
    let project = Project::new();
    for (failure, status, stands_in) in [("warn", 0, false), ("block", 1, true)] {
        let config = format!("hooks:\n  pre_tool_call:\n    - {{ command: [' '], on_failure: {failure} }}\n");
        project.write("project/config.yaml", config);
        let converted = project.run(&["convert", "--from", "ub", "config.yaml"], "");
        assert_eq!(converted.status, status, "{failure}: {}", converted.stderr);
        assert!(converted.stdout.contains("# LEFT OUT: line 3: its command is empty"), "{}", converted.stdout);
        assert_eq!(converted.stdout.contains("command = \"false\""), stands_in, "{}", converted.stdout);
    }
}

#[test]
fn a_hook_that_was_never_asked_is_named() {
    let project = Project::new();
    let config = r#"{"hooks": {"PreToolUse": [
        {"match": "a(", "command": "exit 2"},
        {"match": "bash", "command": "exit 0"}
    ]}}"#;
    project.write("project/settings.json", config);
    let converted = project.run(&["convert", "--from", "ok", "settings.json"], "");
    assert_eq!(converted.status, 0, "{}", converted.stderr);
    let told = "# LEFT OUT: line 2: `match` is not a regex, so that the hook is never asked";
    assert!(converted.stdout.contains(told), "{}", converted.stdout);
    assert_eq!(converted.stdout.matches("[hooks.").count(), 1, "{}", converted.stdout);
}

#[test]
fn variables_put_in_place_are_announced() {
    let project = Project::new();
    project.write(
        "project/agent.yaml",
        "hooks:\n  stop:\n    - {type: command, command: 'true', env: {A: '${env.HOME}'}}\n",
    );
    for (dialect, is_said) in [("docker-agent", false), ("docker-agent-v3", true)] {
        let converted = project.run(&["convert", "--from", dialect, "agent.yaml"], "");
        assert_eq!(converted.stdout.contains("`${env.NAME}` is not put in place"), is_said, "{}", converted.stdout);
    }
}

#[test]
fn a_directory_keeps_its_limit() {
    let project = Project::new();
    let dir = "{ path: cache, as: /cache, access: read-write, max_bytes: 1MiB }";
    let config = format!("hooks:\n  pre_tool_call:\n    - {{ component: guard.wasm, grants: {{ dirs: [{dir}] }} }}\n");
    project.write("project/config.yaml", config);
    let converted = project.run(&["convert", "--from", "ub", "config.yaml"], "");
    let expected = r#"dirs = [{ path = "cache", as = "/cache", access = "read-write", max_bytes = "1048576B" }]"#;
    assert!(converted.stdout.contains(expected), "{converted:?}");
}
