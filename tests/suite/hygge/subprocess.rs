//! Hooks that are commands, from the config to the verdict.

use super::fixture::{hygge, loader, program_hook, shell_hook, tool_input};
use crate::support::project::Project;
use hookbox::{Decision, Input, Outcome, Verdict};
use serde_json::json;

/// What a `pre_tool` with the input `{}` comes to, if this command is the only hook.
async fn ask(project: Project, command: &str, further: &str) -> Outcome {
    let project = project.project(&(program_hook("t", &["pre_tool"], command) + further));
    let host = [("ANTHROPIC_API_KEY".into(), "sk-secret".into())];
    let path = std::env::var_os("PATH").map(|path| ("PATH".into(), path));
    let loaded = loader(&project).env(path.into_iter().chain(host)).load();
    assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
    loaded.registry.run_pre(Input::pre_tool("bash", "{}").unwrap()).await
}

/// As [`ask`], for an executable script with this text.
async fn ask_script(body: &str, further: &str) -> Outcome {
    let project = hygge();
    let script = project.script("hook.sh", body);
    ask(project, script.to_str().unwrap(), further).await
}

#[track_caller]
fn assert_denied(outcome: &Outcome, reason: &str) {
    assert_eq!((outcome.verdict, outcome.reason.as_deref()), (Verdict::Deny, Some(reason)), "{outcome:?}");
    assert_eq!(outcome.denied_by.as_deref(), Some("t"));
}

#[tokio::test]
async fn zero_exit_empty_stdout_allow() {
    let outcome = ask(hygge(), "/usr/bin/true", "").await;
    assert_eq!(outcome.verdict, Verdict::Allow, "{outcome:?}");
    assert_eq!(outcome.hooks.len(), 1);
}

#[tokio::test]
async fn non_zero_exit_deny() {
    assert_denied(&ask(hygge(), "/usr/bin/false", "").await, "hook t exited with error: exit status 1");
}

#[tokio::test]
async fn stdout_action_parsed() {
    let outcome = ask_script(r#"echo '{"decision":"deny","reason":"test-deny"}'"#, "").await;
    assert_denied(&outcome, "test-deny");
}

#[tokio::test]
async fn modify() {
    let body = r#"printf '{"decision":"modify","modified_tool_input":{"cmd":"ls"}}'"#;
    let outcome = ask_script(body, "").await;
    assert_eq!(outcome.verdict, Verdict::Allow, "{outcome:?}");
    assert_eq!(outcome.hooks[0].decision, Decision::Modify);
    assert_eq!(tool_input(&outcome), r#"{"cmd":"ls"}"#);
}

/// The shell's own child holds the pipes open. hygge waits for it for five seconds more; here it ends with its group.
#[tokio::test]
async fn timeout_deny() {
    let outcome = ask_script("sleep 10", "timeout = \"100ms\"\n").await;
    assert_denied(&outcome, "hook t timed out after 100ms");
    assert!(outcome.hooks[0].duration.as_secs() < 10, "{outcome:?}");
    assert!(outcome.warnings.is_empty(), "{outcome:?}");
}

#[tokio::test]
async fn malformed_stdout_fail_open() {
    let outcome = ask_script("echo 'not json at all'", "").await;
    assert_eq!(outcome.verdict, Verdict::Allow, "{outcome:?}");
    assert!(outcome.warnings.is_empty(), "{outcome:?}");
}

#[tokio::test]
async fn stdin_receives_input() {
    let body = r#"event=$(sed 's/^{"event":"\([a-z_]*\)".*/\1/'); printf '{"decision":"deny","reason":"%s"}' "$event""#;
    assert_denied(&ask_script(body, "").await, "pre_tool");
}

#[tokio::test]
async fn env_isolation() {
    let body = r#"[ -z "$ANTHROPIC_API_KEY" ] || printf '{"decision":"deny","reason":"LEAKED"}'"#;
    let outcome = ask_script(body, "").await;
    assert_eq!(outcome.verdict, Verdict::Allow, "{outcome:?}");
}

#[tokio::test]
async fn custom_env() {
    let body = r#"[ "$MY_CUSTOM_VAR" != hello ] || printf '{"decision":"deny","reason":"custom-env-ok"}'"#;
    let outcome = ask_script(body, "env = { MY_CUSTOM_VAR = \"hello\" }\n").await;
    assert_denied(&outcome, "custom-env-ok");
}

#[test]
fn a_command_in_the_background_is_waited_for_and_changes_nothing() {
    let answers = [
        r#"echo '{"decision":"modify","modified_message":"new"}'"#,
        r#"echo '{"decision":"deny","reason":"no"}'"#,
        "exit 1",
    ];
    for answer in answers {
        let project = hygge().project(&shell_hook("t", &["post_message"], &format!("cat >seen; {answer}")));
        let ran = project.ask(r#"{"event":"post_message","message":"old"}"#);
        let outcome = ran.json();
        assert_eq!((ran.status, &outcome["decision"]), (0, &json!("allow")), "{answer}: {outcome}");
        assert_eq!(outcome["input"]["message"], "old", "{answer}");
        assert_eq!(outcome["hooks"][0]["async"], true, "{answer}");
        let seen = std::fs::read_to_string(project.dir().join("seen")).unwrap();
        assert!(seen.ends_with(r#","message":"old"}"#), "{seen}");
    }
}
