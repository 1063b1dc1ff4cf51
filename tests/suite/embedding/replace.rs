//! Hooks are swapped while events run.

use crate::support::bash;
use hookbox::{Action, Event, Hook, NativeHook, RegisterError, Registry, Verdict};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn hook(name: &'static str) -> Arc<dyn Hook> {
    Arc::new(NativeHook::new(name, [Event::PreTool], move |_| Ok(Action::deny(name))))
}

#[tokio::test]
async fn all_hooks_are_replaced_or_none() {
    let registry = Registry::new();
    registry.register_shared(hook("old")).unwrap();
    let nameless: Arc<dyn Hook> = Arc::new(NativeHook::new("", [Event::PreTool], |_| Ok(Action::allow())));
    assert_eq!(registry.replace_all([hook("new"), nameless]), Err(RegisterError::EmptyName));
    assert_eq!(registry.run(bash("ls")).await.denied_by.as_deref(), Some("old"));
    registry.replace_all([hook("new")]).unwrap();
    assert_eq!(registry.run(bash("ls")).await.denied_by.as_deref(), Some("new"));
    registry.replace_all([]).unwrap();
    assert_eq!(registry.run(bash("ls")).await.verdict, Verdict::Allow);
}

/// No event ever sees a partial swap: there is always a guard, so each event is denied by exactly one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_event_falls_between_old_and_new_hooks() {
    let registry = Arc::new(Registry::new());
    registry.replace_all([hook("a")]).unwrap();
    let done = Arc::new(AtomicBool::new(false));
    let swapping = {
        let (registry, done) = (Arc::clone(&registry), Arc::clone(&done));
        std::thread::spawn(move || {
            let mut swaps = 0;
            while !done.load(Ordering::Relaxed) {
                registry.replace_all([hook(if swaps % 2 == 0 { "b" } else { "a" })]).unwrap();
                swaps += 1;
            }
            swaps
        })
    };
    let mut by = [0, 0];
    for _ in 0..2000 {
        let outcome = registry.run(bash("ls")).await;
        assert_eq!((outcome.verdict, outcome.hooks.len()), (Verdict::Deny, 1));
        by[usize::from(outcome.denied_by.as_deref() == Some("b"))] += 1;
        tokio::task::yield_now().await;
    }
    done.store(true, Ordering::Relaxed);
    assert!(swapping.join().unwrap() > 1 && by[0] > 0 && by[1] > 0, "nothing was swapped meanwhile: {by:?}");
}
