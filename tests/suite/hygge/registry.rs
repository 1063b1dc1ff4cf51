//! The registry, with hooks of the embedding program.

use super::fixture::{Blocking, fake, result, returned, tool_content, tool_input};
use crate::conformance::by_test::{Named, Row, named, row};
use hookbox::{Action, Event, HookInfo, Input, Json, Mode, NativeHook, RegisterError, Registry, ToolResult, Verdict};
use std::sync::Arc;
use std::time::Duration;

pub const TESTS: &[Named] = named![
    run_pre_all_allow,
    run_pre_deny_short_circuits,
    run_pre_modify_accumulates,
    run_pre_nil_registry,
    run_post_sync_modify_accumulates,
    run_post_async_drops_modify,
    close_waits_for_async,
    close_nil_safe,
    for_event,
    all_deduplicates,
    close_async_cap,
];

/// Returns the row that names this test.
fn given(test: &str) -> Row {
    row("hygge", test)
}

/// Returns the events of a row's input.
fn events(text: &str) -> Vec<Event> {
    text.split_whitespace().map(|name| name.parse().unwrap()).collect()
}

fn call(tool_input: &str) -> Input {
    Input::pre_tool("bash", tool_input).unwrap()
}

/// Returns a hook on `pre_tool` that replaces the tool's input.
fn rewriting(name: &str, tool_input: &str) -> impl hookbox::Hook + use<> {
    fake(name, &[Event::PreTool], Action::modify_tool_input(Json::parse(tool_input).unwrap()))
}

fn names(hooks: &[Arc<dyn hookbox::Hook>]) -> Vec<&str> {
    hooks.iter().map(|hook| hook.info().name.as_str()).collect()
}

/// Lets background hooks run until they wait for something.
async fn settle() {
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn run_pre_all_allow() {
    let (row, registry) = (given("run_pre_all_allow"), Registry::new());
    for name in row.input().split_whitespace() {
        registry.register(fake(name, &[Event::PreTool], Action::allow())).unwrap();
    }
    let outcome = registry.run_pre(call("{}")).await;
    assert_eq!(outcome.verdict, Verdict::Allow);
    assert_eq!(outcome.hooks.len(), 2);
    assert!(outcome.warnings.is_empty(), "{outcome:?}");
    row.holds();
}

#[tokio::test]
async fn run_pre_deny_short_circuits() {
    let (row, registry) = (given("run_pre_deny_short_circuits"), Registry::new());
    registry.register(fake("guard", &[Event::PreTool], Action::deny(row.input()))).unwrap();
    registry.register(NativeHook::new("second", [Event::PreTool], |_| panic!("was called"))).unwrap();
    let outcome = registry.run_pre(call("{}")).await;
    assert_eq!(outcome.verdict, Verdict::Deny);
    assert_eq!(outcome.denied_by.as_deref(), Some("guard"));
    assert_eq!(outcome.reason.as_deref(), Some(row.input()));
    assert_eq!(outcome.hooks.len(), 1, "`second` was not called: {outcome:?}");
    row.holds();
}

#[tokio::test]
async fn run_pre_modify_accumulates() {
    let (row, registry) = (given("run_pre_modify_accumulates"), Registry::new());
    registry.register(rewriting("m1", row.input())).unwrap();
    registry.register(rewriting("m2", row.expected())).unwrap();
    let outcome = registry.run_pre(call("{}")).await;
    assert_eq!((outcome.verdict, outcome.hooks.len()), (Verdict::Allow, 2));
    assert_eq!(tool_input(&outcome), row.expected());
    row.holds();
}

/// There is no nil registry here. A registry without hooks does the same.
#[tokio::test]
async fn run_pre_nil_registry() {
    let row = given("run_pre_nil_registry");
    let outcome = Registry::new().run_pre(call(row.input())).await;
    assert_eq!(outcome.verdict, Verdict::Allow);
    assert_eq!(tool_input(&outcome), row.input());
    assert!(!outcome.modified);
    row.holds();
}

#[tokio::test]
async fn run_post_sync_modify_accumulates() {
    let (row, registry) = (given("run_post_sync_modify_accumulates"), Registry::new());
    registry.register(fake("r1", &[Event::PostTool], Action::modify_tool_result(result("redacted-1")))).unwrap();
    let second = NativeHook::new("r2", [Event::PostTool], |input| {
        assert_eq!(input.tool_result, Some(result("redacted-1")));
        Ok(Action::modify_tool_result(result("redacted-2")))
    });
    registry.register(second).unwrap();
    let outcome = registry.run_post(returned(row.input())).await;
    assert_eq!(tool_content(&outcome), row.expected());
    assert!(outcome.warnings.is_empty(), "{outcome:?}");
    row.holds();
}

#[tokio::test]
async fn run_post_async_drops_modify() {
    let (row, registry) = (given("run_post_async_drops_modify"), Registry::new());
    let rewrite = Action::modify_tool_result(result(row.input()));
    let hook = Arc::new(Blocking::answering(rewrite));
    hook.release();
    registry.register_shared(hook.clone()).unwrap();
    let outcome = registry.run_post(returned("original")).await;
    registry.close().await;
    assert_eq!(hook.ended(), 1);
    assert_eq!(tool_content(&outcome), "original");
    row.holds();
}

#[tokio::test]
async fn close_waits_for_async() {
    let (row, registry) = (given("close_waits_for_async"), Arc::new(Registry::new()));
    let hook = Blocking::shared();
    registry.register_shared(hook.clone()).unwrap();
    registry.run_post(returned(row.input())).await;
    let closing = tokio::spawn({
        let registry = Arc::clone(&registry);
        async move { registry.close().await }
    });
    settle().await;
    assert!(!closing.is_finished(), "close returned while a hook was in flight");
    hook.release();
    assert_eq!(closing.await.unwrap(), 0);
    assert_eq!(hook.ended(), 1);
    row.holds();
}

#[tokio::test]
async fn close_nil_safe() {
    let (row, registry) = (given("close_nil_safe"), Registry::new());
    assert_eq!(registry.all().len().to_string(), row.input());
    assert_eq!(registry.close().await, 0);
    row.holds();
}

/// This is hygge's case `For`.
#[test]
fn for_event() {
    let (row, registry) = (given("for_event"), Registry::new());
    registry.register(fake("a", &events(row.input()), Action::allow())).unwrap();
    registry.register(fake("b", &[Event::PreTool], Action::allow())).unwrap();
    assert_eq!(names(&registry.for_event(Event::PreTool)), ["a", "b"]);
    assert_eq!(names(&registry.for_event(Event::PostTool)), ["a"]);
    assert!(registry.for_event(Event::PreMessage).is_empty());
    row.holds();
}

#[test]
fn all_deduplicates() {
    let (row, registry) = (given("all_deduplicates"), Registry::new());
    registry.register(fake("multi", &events(row.input()), Action::allow())).unwrap();
    registry.register(fake("single", &[Event::PreTool], Action::allow())).unwrap();
    assert_eq!(registry.all().len(), 2);
    row.holds();
}

/// hygge only logs the hook that it drops; here the outcome says so.
#[tokio::test]
async fn close_async_cap() {
    let (row, registry) = (given("close_async_cap"), Registry::new());
    let hook = Blocking::shared();
    for _ in 0..row.input().parse().unwrap() {
        registry.register_shared(hook.clone()).unwrap();
    }
    let outcome = registry.run_post(returned("")).await;
    settle().await;
    assert_eq!(hook.started(), 32);
    assert_eq!(outcome.warnings.len(), 1, "{outcome:?}");
    assert_eq!(outcome.warnings[0].code, hookbox::Code::Dropped);
    hook.release();
    assert_eq!(registry.close().await, 0);
    assert_eq!(hook.ended().to_string(), row.expected());
    row.holds();
}

/// hygge panics when a hook is added to a registry that was not made by its constructor.
#[test]
fn a_default_registry_takes_hooks_but_none_without_a_name() {
    let registry = Registry::default();
    let nameless = fake("", &[Event::PreTool], Action::allow());
    assert_eq!(registry.register(nameless), Err(RegisterError::EmptyName));
    registry.register(fake("a", &[Event::PreTool], Action::allow())).unwrap();
    assert_eq!(names(&registry.all()), ["a"]);
}

/// hygge accepts an async hook on such an event, and then never asks it.
#[test]
fn an_async_hook_is_refused_on_a_gating_event() {
    for event in [Event::PreTool, Event::PreMessage] {
        let mut info = HookInfo::new("guard", []);
        info.events = vec![(Event::PostTool, Mode::Async), (event, Mode::Async)];
        let registry = Registry::new();
        let refused = registry.register(NativeHook::with_info(info, |_| Ok(Action::allow())));
        let name = "guard".to_owned();
        assert_eq!(refused, Err(RegisterError::AsyncGate { name, event }));
        assert!(registry.all().is_empty(), "not even on the other event");
    }
}

#[tokio::test]
async fn a_hook_registered_on_post_message_stays_sync_and_may_modify() {
    let registry = Registry::new();
    registry.register(fake("pm", &[Event::PostMessage], Action::modify_message("new"))).unwrap();
    let outcome = registry.run_post(Input::post_message("old")).await;
    assert_eq!(outcome.input.unwrap().message.as_deref(), Some("new"));
}

#[test]
fn a_name_may_repeat_and_unregister_removes_all_of_it() {
    let registry = Registry::new();
    for (name, event) in [("twice", Event::PreTool), ("once", Event::PreTool), ("twice", Event::PostTool)] {
        registry.register(fake(name, &[event, event], Action::allow())).unwrap();
    }
    assert_eq!(names(&registry.for_event(Event::PreTool)), ["twice", "twice", "once", "once"]);
    registry.unregister("unknown");
    assert_eq!(registry.for_event(Event::PostTool).len(), 2);
    registry.unregister("twice");
    assert_eq!(names(&registry.for_event(Event::PreTool)), ["once", "once"]);
    assert!(registry.for_event(Event::PostTool).is_empty());
}

#[test]
fn all_scans_the_events_in_order_and_the_first_of_a_name_wins() {
    let registry = Registry::new();
    let mut later = HookInfo::new("shared", [Event::PostTool]);
    later.description = "on post_tool".to_owned();
    registry.register(NativeHook::with_info(later, |_| Ok(Action::allow()))).unwrap();
    let rows = [("z", Event::PostMessage), ("y", Event::PreMessage), ("shared", Event::PreTool), ("b", Event::PreTool)];
    for (name, event) in rows {
        registry.register(fake(name, &[event], Action::allow())).unwrap();
    }
    let all = registry.all();
    assert_eq!(names(&all), ["shared", "b", "y", "z"]);
    assert_eq!(all[0].info().description, "", "the one on pre_tool");
}

#[test]
fn for_event_gives_a_copy() {
    let registry = Registry::new();
    registry.register(fake("a", &[Event::PreTool], Action::allow())).unwrap();
    let before = registry.for_event(Event::PreTool);
    registry.unregister("a");
    assert_eq!(names(&before), ["a"]);
}

/// hygge leaves the hook running in the background; here it is ended, so a second call has nothing to wait for.
#[tokio::test]
async fn close_gives_up_after_two_seconds_and_says_how_many_were_left() {
    let registry = Registry::new();
    registry.register_shared(Blocking::shared()).unwrap();
    registry.run_post(returned("")).await;
    let started = std::time::Instant::now();
    assert_eq!(registry.close().await, 1);
    assert!(started.elapsed() >= Duration::from_secs(2));
    assert_eq!(registry.close().await, 0);
}

#[tokio::test]
async fn an_empty_registry_leaves_a_result_alone() {
    let failed = ToolResult { is_error: true, content: "x".to_owned() };
    let outcome = Registry::new().run_post(call("{}").into_post_tool(failed.clone())).await;
    assert_eq!(outcome.input.unwrap().tool_result, Some(failed));
}
