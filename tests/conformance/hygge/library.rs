//! hygge's hooks for a caller that does not wait for ever.

use super::{cancelled, hooks_of, loader};
use crate::support::project::Project;
use hookbox::config::Loaded;
use hookbox::{Caller, Event, Input, Verdict};
use std::time::{Duration, Instant};

/// A hook that would take a minute, with a limit that is longer.
fn slow() -> (Project, Loaded) {
    let toml = "[hooks.t]\nevents = [\"pre_tool\"]\ncommand = \"sleep\"\nargs = [\"60\"]\ntimeout = \"2m\"\n";
    let project = Project::new().project(toml);
    let loaded = loader(&project, "hygge").load();
    assert_eq!(hooks_of(&loaded, Event::PreTool).len(), 1);
    (project, loaded)
}

/// Whoever has gone, the hook is said to have taken too long.
async fn assert_denied(caller: &Caller) {
    let (_project, loaded) = slow();
    let begin = Instant::now();
    let outcome = loaded.registry.run_for(Input::pre_tool("bash", "{}").unwrap(), caller).await;
    assert_eq!(outcome.verdict, Verdict::Deny, "{outcome:?}");
    assert_eq!(outcome.reason.as_deref(), Some("hook t timed out after 2m0s"));
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
}

#[tokio::test]
async fn cancelled_before() {
    assert_denied(&cancelled()).await;
}

#[tokio::test]
async fn cancelled_during() {
    let (caller, cancel) = Caller::cancellable();
    let later = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        cancel.cancel();
    };
    tokio::join!(assert_denied(&caller), later);
}

#[tokio::test]
async fn a_deadline_of_the_caller() {
    assert_denied(&Caller::default().until(Instant::now() + Duration::from_millis(300))).await;
}
