//! hygge's hooks for a caller that does not wait forever.

use super::super::by_test::{Named, named, row};
use super::{cancelled, hooks_of, loader};
use crate::support::project::Project;
use hookbox::config::Loaded;
use hookbox::{Caller, Event, Input, Verdict};
use std::time::{Duration, Instant};

pub(super) const TESTS: &[Named] = named![cancelled_before, cancelled_during, a_deadline_of_the_caller];

/// Loads a hook that would take a minute, with a longer limit.
fn slow(toml: &str) -> (Project, Loaded) {
    let project = Project::new().project(toml);
    let loaded = loader(&project, "hygge").load();
    assert_eq!(hooks_of(&loaded, Event::PreTool).len(), 1);
    (project, loaded)
}

/// Checks that the hook counts as too slow, whichever caller has gone.
async fn assert_denied(test: &str, caller: &Caller) {
    let row = row("hygge", test);
    let (_project, loaded) = slow(row.input());
    let begin = Instant::now();
    let outcome = loaded.registry.run_for(Input::pre_tool("bash", "{}").unwrap(), caller).await;
    assert_eq!(outcome.verdict, Verdict::Deny, "{outcome:?}");
    assert_eq!(outcome.reason.as_deref(), Some(row.expected()));
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
    row.holds();
}

#[tokio::test]
async fn cancelled_before() {
    assert_denied("cancelled_before", &cancelled()).await;
}

#[tokio::test]
async fn cancelled_during() {
    let (caller, cancel) = Caller::cancellable();
    let later = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        cancel.cancel();
    };
    tokio::join!(assert_denied("cancelled_during", &caller), later);
}

#[tokio::test]
async fn a_deadline_of_the_caller() {
    let caller = Caller::default().until(Instant::now() + Duration::from_millis(300));
    assert_denied("a_deadline_of_the_caller", &caller).await;
}
