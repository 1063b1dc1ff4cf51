//! The chain of an event that has happened: sync hooks first, then the async ones in the background.

use super::fixture::{Blocking, asked, fake, result, returned, tool_content};
use hookbox::{Action, Code, Event, Failure, HookInfo, Mode, NativeHook, Registry, Verdict};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Returns the info of a hook that is async on `post_tool`.
fn in_background(name: &str) -> HookInfo {
    let mut info = HookInfo::new(name, []);
    info.events = vec![(Event::PostTool, Mode::Async)];
    info
}

#[tokio::test]
async fn async_hooks_come_last_and_see_what_the_sync_ones_left() {
    let registry = Registry::new();
    let seen = Arc::new(Mutex::new(None));
    let sink = Arc::clone(&seen);
    let watcher = NativeHook::with_info(in_background("watcher"), move |input| {
        *sink.lock().unwrap() = input.tool_result.clone();
        Ok(Action::allow())
    });
    registry.register(watcher).unwrap();
    registry.register(fake("redact", &[Event::PostTool], Action::modify_tool_result(result("redacted")))).unwrap();

    let outcome = registry.run_post(returned("secret")).await;

    assert_eq!(asked(&outcome), ["redact", "watcher"]);
    assert_eq!(registry.close().await, 0);
    assert_eq!(*seen.lock().unwrap(), Some(result("redacted")));
}

/// hygge silently ignores both, and so does hookbox if the hook is a command. A hook of the embedding program is named
/// in a warning here.
#[tokio::test]
async fn a_deny_and_a_failure_stop_nothing() {
    let registry = Registry::new();
    registry.register(fake("late", &[Event::PostTool], Action::deny("too late"))).unwrap();
    let failing = NativeHook::new("failing", [Event::PostTool], |_| Err(Failure::failed("no database")));
    registry.register(failing).unwrap();
    registry.register(fake("redact", &[Event::PostTool], Action::modify_tool_result(result("redacted")))).unwrap();

    let outcome = registry.run_post(returned("original")).await;

    assert_eq!(outcome.verdict, Verdict::Allow);
    assert_eq!(outcome.denied_by, None);
    assert_eq!(tool_content(&outcome), "redacted");
    let codes: Vec<Code> = outcome.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, [Code::Ignored, Code::Failed]);
}

#[tokio::test]
async fn async_hooks_survive_the_request_that_started_them() {
    let registry = Arc::new(Registry::new());
    let hook = Blocking::shared();
    registry.register_shared(hook.clone()).unwrap();
    let request = tokio::spawn({
        let registry = Arc::clone(&registry);
        async move {
            registry.run_post(returned("")).await;
            std::future::pending::<()>().await;
        }
    });
    while hook.started() == 0 {
        tokio::task::yield_now().await;
    }
    request.abort();
    assert!(request.await.unwrap_err().is_cancelled());
    hook.release();
    assert_eq!(registry.close().await, 0);
    assert_eq!(hook.ended(), 1);
}

#[tokio::test]
async fn async_hooks_keep_their_timeout() {
    let registry = Registry::new();
    let mut hook = Blocking::answering(Action::allow());
    hook.info.timeout = Some(Duration::from_millis(50));
    let hook = Arc::new(hook);
    registry.register_shared(hook.clone()).unwrap();
    registry.run_post(returned("")).await;
    assert_eq!(registry.close().await, 0, "none is left to be ended by `close`");
    assert_eq!((hook.started(), hook.ended()), (1, 0));
}

#[tokio::test]
async fn async_hooks_that_have_ended_make_room() {
    let registry = Registry::new();
    let hook = Blocking::shared();
    hook.release();
    registry.register_shared(hook.clone()).unwrap();
    for _ in 0..40 {
        let outcome = registry.run_post(returned("")).await;
        assert!(outcome.warnings.is_empty(), "{outcome:?}");
        tokio::task::yield_now().await;
    }
    registry.close().await;
    assert_eq!(hook.ended(), 40);
}
