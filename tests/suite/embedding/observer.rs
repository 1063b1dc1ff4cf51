//! Observers see every decided event.

use crate::support::bash;
use hookbox::{Action, Event, Input, NativeHook, Observer, Outcome, Registry, Verdict};
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<(Event, Verdict)>>>);

impl Observer for Seen {
    fn decided(&self, outcome: &Outcome, _: Duration) {
        self.0.lock().unwrap().push((outcome.input.as_ref().unwrap().event, outcome.verdict));
    }
}

#[tokio::test]
async fn an_observer_sees_what_was_decided_also_where_no_hook_hears_of_it() {
    let registry = Registry::new();
    registry.register(NativeHook::new("guard", [Event::PreTool], |_| Ok(Action::deny("no")))).unwrap();
    registry.run(Input::new(Event::PostTool)).await;
    let seen = Seen::default();
    registry.observe(seen.clone());
    registry.run(bash("ls")).await;
    registry.run(Input::new(Event::PostTool)).await;
    // This event is given up before it is decided.
    drop(registry.run(bash("ls")));
    let expected = [(Event::PreTool, Verdict::Deny), (Event::PostTool, Verdict::Allow)];
    assert_eq!(*seen.0.lock().unwrap(), expected);
}

#[tokio::test]
async fn a_panic_of_an_observer_costs_no_verdict_and_no_other_observer() {
    let registry = Registry::new();
    registry.register(NativeHook::new("guard", [Event::PreTool], |_| Ok(Action::deny("no")))).unwrap();
    let seen = Seen::default();
    registry.observe(|_: &Outcome, _: Duration| panic!("an observer's own fault"));
    registry.observe(seen.clone());
    assert_eq!(registry.run(bash("ls")).await.verdict, Verdict::Deny);
    assert_eq!(seen.0.lock().unwrap().len(), 1);
}
