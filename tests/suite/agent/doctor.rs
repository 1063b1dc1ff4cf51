//! `hookbox doctor`.

use crate::support::project::{Project, Ran};
use serde_json::{Value, json};
use std::fs;

const GUARD: &str = "[hooks.guard]\nevents = [\"pre_tool\"]\ncommand = \"true\"\n";

fn doctor(project: &Project, agent: &str) -> (i32, Value) {
    let ran: Ran = project.run(&["doctor", agent, "--format", "json"], "");
    (ran.status, ran.json())
}

fn installed(agent: &str) -> Project {
    let project = Project::new().user(GUARD);
    assert_eq!(project.run(&["install", agent, "--yes"], "").status, 0);
    project
}

#[test]
fn the_command_in_the_settings_is_tried() {
    for agent in ["claude", "codex", "gemini", "copilot", "cursor", "qwen", "droid", "cline", "opencode"] {
        let (status, report) = doctor(&installed(agent), agent);
        let examined = &report["agents"][0];
        assert_eq!((&examined["denies"], &examined["allows"]), (&json!(true), &json!(true)), "{agent}: {report:#}");
        assert_eq!(
            (status, &report["ok"], &examined["problems"]),
            (0, &json!(true), &json!([])),
            "{agent}: {report:#}"
        );
    }
}

#[test]
fn an_agent_that_does_not_ask_is_told_of() {
    let project = Project::new().user(GUARD);
    let (status, report) = doctor(&project, "claude");
    assert_eq!((status, &report["agents"][0]["denies"]), (1, &Value::Null));
    assert_eq!(report["agents"][0]["problems"], json!(["it does not ask hookbox: run `hookbox install claude`"]));
}

#[test]
fn a_command_that_cannot_deny_is_told_of() {
    let project = installed("claude");
    let path = project.home().join(".claude/settings.json");
    let text = fs::read_to_string(&path).unwrap();
    for (what, changed) in [
        ("gone", text.replace("/hookbox hook claude", "/gone/hookbox hook claude")),
        ("of another agent", text.replace("hook claude", "hook gemini # hook claude")),
    ] {
        fs::write(&path, changed).unwrap();
        let (status, report) = doctor(&project, "claude");
        assert_eq!((status, &report["agents"][0]["denies"]), (1, &json!(false)), "{what}: {report:#}");
        let problem = report["agents"][0]["problems"][0].as_str().unwrap();
        assert!(problem.contains("does not deny"), "{problem}");
    }
}

#[test]
fn policies_that_stop_everything_are_told_of() {
    let project = installed("claude");
    project.write("home/.agents/hooks.toml", "[hooks.guard\n");
    let (status, report) = doctor(&project, "claude");
    assert_eq!(
        (status, &report["agents"][0]["denies"], &report["agents"][0]["allows"]),
        (1, &json!(true), &json!(false))
    );
    assert!(!report["config"]["problems"].as_array().unwrap().is_empty());
}

#[test]
fn settings_that_switch_hooks_off_are_told_of() {
    let project = installed("claude");
    let path = project.home().join(".claude/settings.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen('{', "{\"disableAllHooks\": true,", 1)).unwrap();
    let (status, report) = doctor(&project, "claude");
    assert!(status == 1 && report["agents"][0]["problems"][0].as_str().unwrap().contains("switches all hooks off"));
    fs::write(&path, text.replace("\"PermissionRequest\"", "\"Other\"")).unwrap();
    let (status, report) = doctor(&project, "claude");
    assert!(status == 1 && report["agents"][0]["problems"][0].as_str().unwrap().contains("not for PermissionRequest"));
    fs::write(&path, "{").unwrap();
    let (status, report) = doctor(&project, "claude");
    assert!(
        status == 1 && report["agents"][0]["problems"][0].as_str().unwrap().contains("is not understood"),
        "{report:#}"
    );
}

#[test]
fn what_an_agent_cannot_be_told_is_listed() {
    let ran = installed("qwen").run(&["doctor", "qwen"], "");
    assert!(ran.stdout.contains("cannot    PreToolUse: a rewritten tool input becomes a deny"), "{ran:?}");
    let (_, report) = doctor(&installed("qwen"), "qwen");
    let before_tool =
        report["agents"][0]["cannot"].as_array().unwrap().iter().find(|cannot| cannot["event"] == "PreToolUse");
    assert!(before_tool.unwrap()["losses"].as_array().unwrap().contains(&json!("rewrite_input")));
}
