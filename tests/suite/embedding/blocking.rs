//! Events without a Tokio runtime.

use super::{denying, host};
use crate::support::component::Guest;
use crate::support::project::Project;
use crate::support::{bash, plain};
use async_trait::async_trait;
use hookbox::{
    Action, Blocking, Caller, Code, Event, Failure, Hook, HookInfo, Input, Mode, NativeHook, Registry, Verdict,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

#[test]
fn a_component_needs_no_runtime() {
    let registry = Registry::new();
    registry.register(plain("guard", &Guest::answering(r#"{"decision":"deny","reason":"no"}"#).build())).unwrap();
    let hooks = Blocking::new(registry);
    assert_eq!(hooks.run(bash("ls")).unwrap().verdict, Verdict::Deny);
    assert_eq!(hooks.close(), 0);
}

#[test]
fn shell_hooks_are_asked_from_many_threads_at_once() {
    let project = Project::new().user(&denying("guard", "no"));
    let loaded = host(&project).load().unwrap();
    let hooks = Blocking::new(loaded.registry);
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let hooks = hooks.clone();
            std::thread::spawn(move || hooks.run(bash("ls")).unwrap().denied_by)
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap().as_deref(), Some("guard"));
    }
}

struct Sleeper(HookInfo);

#[async_trait]
impl Hook for Sleeper {
    fn info(&self) -> &HookInfo {
        &self.0
    }

    async fn run(&self, _: &Input) -> Result<Action, Failure> {
        tokio::time::sleep(Duration::from_secs(60)).await;
        Ok(Action::allow())
    }
}

#[test]
fn a_caller_that_leaves_gets_its_deny() {
    let registry = Registry::new();
    registry.register(Sleeper(HookInfo::new("slow", [Event::PreTool]))).unwrap();
    let hooks = Blocking::new(registry);
    let started = Instant::now();
    let caller = Caller::default().until(started + Duration::from_millis(50));
    let outcome = hooks.run_for(bash("ls"), &caller).unwrap();
    assert_eq!((outcome.verdict, outcome.hooks[0].code), (Verdict::Deny, Some(Code::Cancelled)));
    let interrupted = hooks.run_unless(bash("ls"), Caller::unbounded(), tokio_sleep()).unwrap();
    assert_eq!(interrupted.err(), Some("interrupted"));
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
}

async fn tokio_sleep() -> &'static str {
    tokio::time::sleep(Duration::from_millis(50)).await;
    "interrupted"
}

/// Async hooks go on when no call is in progress.
#[test]
fn async_hooks_go_on_between_the_calls() {
    let seen = Arc::new(AtomicUsize::new(0));
    let mut info = HookInfo::new("log", []);
    info.events = vec![(Event::PostTool, Mode::Async)];
    let registry = Registry::new();
    let counted = Arc::clone(&seen);
    registry
        .register(NativeHook::with_info(info, move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
            Ok(Action::allow())
        }))
        .unwrap();
    let hooks = Blocking::new(registry);
    assert!(hooks.run(Input::new(Event::PostTool)).unwrap().hooks[0].is_async);
    let started = Instant::now();
    while seen.load(Ordering::SeqCst) == 0 {
        assert!(started.elapsed() < Duration::from_secs(20), "the async hook was never asked");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(hooks.close(), 0);
}
