//! ub: the rows that need more than the command line.

use super::{cancelled, hooks_of, loader};
use crate::support::project::Project;
use hookbox::config::{Loaded, Severity};
use hookbox::dialect::ub::{HookOutcome, UbDecision};
use hookbox::{Caller, Event, Input};
use std::time::Duration;

/// What a user's config with these hooks before a tool call loads, and where they run.
fn load(hooks: &str) -> (Loaded, Project) {
    let project = Project::new();
    project.write("home/.config/ub/config.yaml", format!("hooks:\n  pre_tool_call:\n{hooks}"));
    (loader(&project, "ub").load(), project)
}

fn bash() -> Input {
    Input::pre_tool("bash", r#"{"cmd":"ls"}"#).unwrap()
}

#[tokio::test]
async fn nop_runner_for_empty_config() {
    let registry = loader(&Project::new(), "ub").load().registry;
    assert!(registry.all().is_empty());
    let decision = UbDecision::of(&registry.run(bash()).await);
    assert_eq!(decision, UbDecision { block: false, reason: None, outcomes: Vec::new() });
}

#[test]
fn an_unset_variable_is_a_warning() {
    let (loaded, _) = load("    - command: [\"echo\", \"${MISSING}\", \"${OTHER:-d}\"]\n");
    assert!(loaded.broken.is_none());
    let told: Vec<_> = loaded.problems.iter().map(|problem| (problem.severity, problem.message.as_str())).collect();
    assert_eq!(told, [(Severity::Warning, "env variable used in config is unset: MISSING")]);
}

/// The time limit of a hook whose entry has this one.
fn limit(timeout: &str) -> Duration {
    let (loaded, _) = load(&format!("    - command: [\"true\"]\n{timeout}"));
    hooks_of(&loaded, Event::PreTool)[0].info().timeout.unwrap()
}

#[test]
fn the_default_timeout_is_ten_seconds() {
    assert_eq!(limit("").as_secs(), 10);
}

#[test]
fn timeouts_are_at_most_sixty_seconds() {
    for (timeout, millis) in [
        ("50ms", 50),
        ("5s", 5_000),
        ("\"5s\"", 5_000),
        ("59s999ms", 59_999),
        ("1m", 60_000),
        ("1m30s", 60_000),
        ("2h", 60_000),
    ] {
        assert_eq!(limit(&format!("      timeout: {timeout}\n")).as_millis(), millis, "{timeout}");
    }
}

#[test]
fn a_timeout_of_zero_or_less_is_ten_seconds() {
    for timeout in ["-1s", "-2h", "0s", "\"0\""] {
        assert_eq!(limit(&format!("      timeout: {timeout}\n")).as_secs(), 10, "{timeout}");
    }
}

/// What a hook that blocks comes to for this caller.
async fn ask(script: &str, caller: &Caller) -> (bool, Option<String>, HookOutcome) {
    let hook = format!("    - command: [\"/bin/sh\", \"-c\", \"{script}\"]\n      on_failure: block\n");
    let (loaded, _project) = load(&hook);
    let mut decision = UbDecision::of(&loaded.registry.run_for(bash(), caller).await);
    assert_eq!(decision.outcomes.len(), 1, "{decision:?}");
    (decision.block, decision.reason, decision.outcomes.remove(0))
}

#[tokio::test]
async fn cancelled_before() {
    let files = Project::new();
    let trace = files.home().join("trace");
    let (block, reason, outcome) = ask(&format!("touch {}", trace.display()), &cancelled()).await;
    assert_eq!((block, reason.as_deref()), (true, Some("hook /bin/sh exit -1")));
    assert_eq!((outcome.exit_code, outcome.error.as_deref()), (-1, Some("context canceled")));
    assert!(!trace.exists(), "the hook ran");
}

#[tokio::test]
async fn cancelled_during() {
    let (caller, cancel) = Caller::cancellable();
    let later = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        cancel.cancel();
    };
    let ((block, reason, outcome), ()) = tokio::join!(ask("exec sleep 5", &caller), later);
    assert_eq!((block, reason.as_deref()), (true, Some("hook /bin/sh exit -1")));
    assert_eq!((outcome.exit_code, outcome.error), (-1, None));
}
