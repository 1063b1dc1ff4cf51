//! ub: the rows that need more than the command line.

use super::super::by_test::{Named, named, row, rows};
use super::{cancelled, hooks_of, loader};
use crate::support::project::Project;
use hookbox::config::{Loaded, Severity};
use hookbox::dialect::ub::{HookOutcome, UbDecision};
use hookbox::{Caller, Event, Input};
use std::time::Duration;

pub(super) const TESTS: &[Named] = named![
    nop_runner_for_empty_config,
    an_unset_variable_is_a_warning,
    the_default_timeout_is_ten_seconds,
    timeouts_are_at_most_sixty_seconds,
    a_timeout_of_zero_or_less_is_ten_seconds,
    cancelled_before,
    cancelled_during,
];

/// Loads a user's config with these hooks before a tool call. Also returns the project where they run.
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
    let (row, project) = (row("ub", "nop_runner_for_empty_config"), Project::new());
    assert!(loader(&project, "ub").load().registry.all().is_empty());
    project.write("home/.config/ub/config.yaml", row.input());
    let loaded = loader(&project, "ub").load();
    assert_eq!(loaded.files.len(), 1, "it was read");
    let registry = loaded.registry;
    assert!(registry.all().is_empty());
    let decision = UbDecision::from_outcome(&registry.run(bash()).await);
    assert_eq!((decision.block, decision.reason, decision.outcomes.len()), (false, None, 0));
    row.holds();
}

#[test]
fn an_unset_variable_is_a_warning() {
    let row = row("ub", "an_unset_variable_is_a_warning");
    let (loaded, _) = load(row.input());
    assert!(loaded.broken.is_none());
    let told: Vec<_> = loaded.problems.iter().map(|problem| (problem.severity, problem.message.as_str())).collect();
    assert_eq!(told, [(Severity::Warning, row.expected())]);
    row.holds();
}

/// Returns the time limit of a hook whose entry has this one.
fn limit(timeout: &str) -> Duration {
    let (loaded, _) = load(&format!("    - command: [\"true\"]\n{timeout}"));
    hooks_of(&loaded, Event::PreTool)[0].info().timeout.unwrap()
}

#[test]
fn the_default_timeout_is_ten_seconds() {
    for row in rows("ub", "the_default_timeout_is_ten_seconds") {
        assert_eq!(limit(row.input()).as_secs().to_string(), row.expected());
        row.holds();
    }
}

#[test]
fn timeouts_are_at_most_sixty_seconds() {
    for row in rows("ub", "timeouts_are_at_most_sixty_seconds") {
        for line in row.input().lines() {
            let (timeout, millis) = line.split_once(" is ").unwrap();
            let limit = limit(&format!("      timeout: {timeout}\n"));
            assert_eq!(limit.as_millis().to_string(), millis, "{timeout}");
        }
        row.holds();
    }
}

#[test]
fn a_timeout_of_zero_or_less_is_ten_seconds() {
    let row = row("ub", "a_timeout_of_zero_or_less_is_ten_seconds");
    for timeout in row.input().split_whitespace() {
        assert_eq!(limit(&format!("      timeout: {timeout}\n")).as_secs(), 10, "{timeout}");
    }
    row.holds();
}

/// Returns the result of a hook that blocks, for this caller.
async fn ask(script: &str, caller: &Caller) -> (bool, Option<String>, HookOutcome) {
    let hook = format!("    - command: [\"/bin/sh\", \"-c\", \"{script}\"]\n      on_failure: block\n");
    let (loaded, _project) = load(&hook);
    let mut decision = UbDecision::from_outcome(&loaded.registry.run_for(bash(), caller).await);
    assert_eq!(decision.outcomes.len(), 1, "{decision:?}");
    (decision.block, decision.reason, decision.outcomes.remove(0))
}

#[tokio::test]
async fn cancelled_before() {
    let (row, files) = (row("ub", "cancelled_before"), Project::new());
    let trace = files.home().join("trace");
    let script = row.input().replace("{trace}", trace.to_str().unwrap());
    let (_, _, ran) = ask(&script, &Caller::default()).await;
    assert!(ran.exit_code == 0 && trace.exists(), "the hook leaves a trace");
    std::fs::remove_file(&trace).unwrap();
    let (block, reason, outcome) = ask(&script, &cancelled()).await;
    assert_eq!((block, reason.as_deref()), (true, Some("hook /bin/sh exit -1")));
    assert_eq!((outcome.exit_code, outcome.error.as_deref()), (-1, Some(row.expected())));
    assert!(!trace.exists(), "the hook ran");
    row.holds();
}

#[tokio::test]
async fn cancelled_during() {
    let row = row("ub", "cancelled_during");
    let (caller, cancel) = Caller::cancellable();
    let later = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        cancel.cancel();
    };
    let ((block, reason, outcome), ()) = tokio::join!(ask(row.input(), &caller), later);
    assert_eq!((block, reason.as_deref()), (true, Some("hook /bin/sh exit -1")));
    assert_eq!((outcome.exit_code, outcome.error), (-1, None));
    row.holds();
}
