//! A policy judges all agents alike.

use super::{Bench, strictness};
use crate::agent::{agent, goldens};
use crate::support::project::Project;
use hookbox::agent::Environment;
use hookbox::{Event, Input, Verdict};
use serde_json::json;

const AGENTS: [&str; 10] =
    ["claude", "codex", "gemini", "copilot", "cursor", "qwen", "droid", "cline", "opencode", "generic-claude"];

fn decoded(name: &str, payload: &str) -> Input {
    agent(name).decode(payload.as_bytes(), &Environment::default()).unwrap().input.unwrap()
}

#[tokio::test]
async fn a_force_push_is_denied_under_each_agent() {
    let bench = Bench::new("no-destructive-commands", None);
    for name in AGENTS {
        let payload = goldens::of(name)["pre_tool"].payload.clone();
        assert_eq!(bench.ask(decoded(name, &payload)).await.verdict, Verdict::Deny, "{name}");
        let harmless = payload.replace("git push --force origin main", "git status");
        assert_ne!(harmless, payload, "{name}");
        assert_eq!(bench.ask(decoded(name, &harmless)).await.verdict, Verdict::Allow, "{name}");
    }
}

/// Tries the same change through the tools of several agents.
#[tokio::test]
async fn a_protected_file_is_protected_from_every_tool() {
    let bench = Bench::new("protect-paths", None);
    let patch = "*** Begin Patch\n*** Update File: .git/config\n@@\n-a\n+b\n*** End Patch\n";
    for (tool, input) in [
        ("Bash", json!({"command": "echo x >> .git/config"})),
        ("shell", json!({"command": ["sh", "-c", "echo x >> .git/config"]})),
        ("Write", json!({"file_path": "/home/user/project/.git/config", "content": "x"})),
        ("Edit", json!({"file_path": ".git/config", "old_string": "a", "new_string": "b"})),
        ("MultiEdit", json!({"file_path": ".git/config", "edits": [{"old_string": "a", "new_string": "b"}]})),
        ("apply_patch", json!({"input": patch})),
        ("write_file", json!({"file_path": ".git/config", "content": "x"})),
        ("replace", json!({"file_path": ".git/config", "old_string": "a", "new_string": "b"})),
        ("create", json!({"path": ".git/config", "file_text": "x"})),
        ("edit", json!({"filePath": ".git/config", "oldString": "a", "newString": "b"})),
        ("Delete", json!({"file_path": ".git/config"})),
    ] {
        let input = Input::pre_tool(tool, &input.to_string()).unwrap();
        assert!(strictness(&bench.ask(input).await) > 0, "{tool}");
    }
}

#[test]
fn the_hook_of_an_agent_denies_with_a_policy() {
    let project = Project::new().user("[hooks.guard]\npolicy = \"no-destructive-commands\"\n");
    let payload = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": project.dir(), "tool_name": "Bash",
        "tool_input": {"command": "git push --force origin main"},
    });
    let ran = project.run(&["hook", "claude"], &payload.to_string());
    let reply: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(reply["hookSpecificOutput"]["permissionDecision"], "deny", "{ran:?}");
    assert!(ran.stdout.contains("no-destructive-commands: "), "{ran:?}");
}

#[tokio::test]
async fn a_secret_of_a_result_does_not_reach_the_model() {
    let bench = Bench::new("no-secret-leaks", None);
    let secret = format!("ghp_{}", "Zk3vQ9xLm2RtYb7Wc5Hn8Jp4Ds6Fg1Ae0UiX");
    let mut input = Input::pre_tool("Bash", "{\"command\":\"make deploy\"}").unwrap();
    input.event = Event::PostTool;
    input.tool_result = Some(hookbox::ToolResult { content: format!("token: {secret}\nok\n"), is_error: false });
    let outcome = bench.ask(input).await;
    let content = outcome.input.unwrap().tool_result.unwrap().content;
    assert!(!content.contains(&secret) && content.contains("redacted") && content.ends_with("\nok\n"), "{content}");
}
