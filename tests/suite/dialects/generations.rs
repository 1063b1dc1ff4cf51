//! docker-agent: what a config of a later generation needs is recognised, and the message says what to choose.

use crate::support::project::{Project, run};

#[test]
fn the_message_names_the_generation_that_has_it() {
    let hook = "{type: command, command: 'true'}";
    let builtin = |name: &str| format!("turn_start: [{{type: builtin, command: {name}, args: [strict]}}]");
    for (dialect, config, expected) in [
        ("docker-agent", builtin("add_context"), "docker-agent-v3"),
        ("docker-agent", builtin("limit_large_tool_results"), "docker-agent-v3"),
        ("docker-agent", builtin("safer_shell"), "docker-agent-v3"),
        ("docker-agent", format!("tool_guard: [{{hooks: [{hook}]}}]"), "docker-agent-v3"),
        ("docker-agent", format!("pre_tool_use: [{{preempt_yolo: true, hooks: [{hook}]}}]"), "docker-agent-v3"),
        ("docker-agent", "stop: [{type: command, command: x, strict_output: true}]".to_owned(), "docker-agent-v3"),
        ("docker-agent", format!("stop: {hook}"), "docker-agent-v3"),
        ("docker-agent-v1", format!("turn_start: [{hook}]"), "docker-agent"),
        ("docker-agent-v1", "session_start: [{type: builtin, command: add_date}]".to_owned(), "docker-agent"),
        ("docker-agent-v1", format!("tool_guard: [{{hooks: [{hook}]}}]"), "docker-agent-v3"),
        ("docker-agent-v1", "session_start: [{type: command, command: x, name: n}]".to_owned(), "docker-agent"),
    ] {
        let project = Project::new();
        let file = project.write("agent.yaml", format!("hooks:\n  {config}\n"));
        let check = |dialect: &str| run(project.command("check", &["--dialect", dialect]).arg(&file));
        let ran = check(dialect);
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(said.contains(&format!("`--dialect {expected}`")), "{dialect}, {config}: {said}");
        assert_ne!(ran.status, 0, "{config}");
        // The named generation is the right one.
        let right = check(expected);
        assert_eq!(right.status, 0, "{expected}, {config}: {}{}", right.stdout, right.stderr);
    }
}

#[test]
fn the_options_for_hooks_need_docker_agent() {
    let project = Project::new();
    let event = r#"{"event":"pre_tool","tool_name":"x","tool_input":{}}"#;
    for dialect in ["hygge", "ok", "ub"] {
        let args = ["--dialect", dialect, "--neutral", "--hook-pre-tool-use", "true"];
        let ran = run(project.command("run", &args).write_stdin(event));
        assert_eq!(ran.status, 1, "{dialect}: {}", ran.stdout);
        assert!(ran.stderr.contains("--dialect docker-agent"), "{}", ran.stderr);
    }
}

#[test]
fn an_option_for_an_event_of_a_later_generation_denies() {
    let project = Project::new();
    let file = project.write("agent.yaml", "agents: {root: {model: m}}\n");
    let args = ["--dialect", "docker-agent-v1", "--hook-stop", "true"];
    let payload = r#"{"session_id":"s","hook_event_name":"pre_tool_use","tool_name":"shell"}"#;
    let ran = run(project.command("run", &args).arg("--config").arg(file).write_stdin(payload));
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("which this generation does not have"), "{}", ran.stdout);
}
