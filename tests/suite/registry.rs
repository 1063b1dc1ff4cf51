//! The hooks of a host: registration, listing, matching, time and panics.

use crate::support::bash;
use async_trait::async_trait;
use hookbox::{
    Action, Code, Event, Failure, Hook, HookInfo, Input, Matcher, Mode, NativeHook, Outcome, RegisterError, Registry,
    Verdict,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

fn denier(name: &str, events: &[Event]) -> impl Hook + use<> {
    NativeHook::new(name, events.iter().copied(), |_| Ok(Action::deny("no")))
}

fn names(hooks: &[Arc<dyn Hook>]) -> Vec<&str> {
    hooks.iter().map(|hook| hook.info().name.as_str()).collect()
}

#[tokio::test]
async fn an_empty_registry_allows_and_hands_the_input_back() {
    let input = bash("ls");
    assert_eq!(Registry::new().run_pre(input.clone()).await, Outcome::allow(input));
}

#[tokio::test]
async fn hooks_come_and_go() {
    let registry = Registry::new();
    registry.register(denier("guard", &[Event::PreTool])).unwrap();
    assert_eq!(registry.run_pre(bash("ls")).await.verdict, Verdict::Deny);
    registry.unregister("other");
    assert_eq!(names(&registry.for_event(Event::PreTool)), ["guard"]);
    registry.unregister("guard");
    assert_eq!(registry.run_pre(bash("ls")).await.verdict, Verdict::Allow);
    assert!(registry.all().is_empty());
}

#[test]
fn listings_scan_events_then_registration_and_show_a_name_once() {
    let registry = Registry::new();
    registry.register(denier("z", &[Event::PostTool])).unwrap();
    registry.register(denier("b", &[Event::PreTool, Event::PreMessage])).unwrap();
    registry.register(denier("a", &[Event::PreTool])).unwrap();
    registry.register(denier("b", &[Event::PreTool])).unwrap();
    assert_eq!(names(&registry.for_event(Event::PreTool)), ["b", "a", "b"]);
    assert_eq!(names(&registry.all()), ["b", "a", "z"]);
    registry.unregister("b");
    assert_eq!(names(&registry.all()), ["a", "z"]);
}

#[test]
fn a_hook_that_could_not_gate_is_not_registered() {
    let mut info = HookInfo::new("late", [Event::PreTool]);
    info.events = vec![(Event::PreTool, Mode::Async)];
    let registry = Registry::new();
    let error = registry.register(NativeHook::with_info(info, |_| Ok(Action::allow()))).unwrap_err();
    assert_eq!(error, RegisterError::AsyncGate { name: "late".to_owned(), event: Event::PreTool });
    assert_eq!(registry.register(denier("", &[Event::PreTool])).unwrap_err(), RegisterError::EmptyName);
}

#[tokio::test]
async fn a_matcher_is_anchored_and_a_call_without_a_name_concerns_everybody() {
    let registry = Registry::new();
    let mut info = HookInfo::new("guard", [Event::PreTool]);
    info.matcher = Matcher::new("bash|sh.*").unwrap();
    registry.register(NativeHook::with_info(info, |_| Ok(Action::deny("no")))).unwrap();
    for (tool, verdict) in [
        ("bash", Verdict::Deny),
        ("shell", Verdict::Deny),
        ("bash2", Verdict::Allow),
        ("my-bash", Verdict::Allow),
        ("Bash", Verdict::Allow),
        ("", Verdict::Deny),
    ] {
        let outcome = registry.run_pre(Input::pre_tool(tool, "{}").unwrap()).await;
        assert_eq!(outcome.verdict, verdict, "{tool:?}");
    }
    assert_eq!(registry.run_pre(Input::new(Event::PreTool)).await.verdict, Verdict::Deny);
}

#[test]
fn a_pattern_cannot_get_past_its_anchors() {
    assert!(Matcher::new("a)|(b").is_err());
    assert!(Matcher::new("(").is_err());
    assert!(Matcher::new(&"(a{1000}){1000}".repeat(10)).is_err());
    assert!(Matcher::new("*").unwrap().matches(Some("anything")));
    assert!(Matcher::new(".*").unwrap().matches(Some("a\nb")), "every name is every name");
}

#[tokio::test]
async fn a_panic_is_a_failure_of_the_hook() {
    let registry = Registry::new();
    registry
        .register(NativeHook::new("wild", [Event::PreTool], |_| -> Result<Action, Failure> { panic!("boo") }))
        .unwrap();
    let outcome = registry.run_pre(bash("ls")).await;
    assert_eq!((outcome.verdict, outcome.hooks[0].code), (Verdict::Deny, Some(Code::Trap)));
    assert_eq!(registry.run_pre(bash("ls")).await.verdict, Verdict::Deny, "the registry still works");
}

struct Sleeper(HookInfo);

#[async_trait]
impl Hook for Sleeper {
    fn info(&self) -> &HookInfo {
        &self.0
    }

    async fn run(&self, _: &Input) -> Result<Action, Failure> {
        std::future::pending().await
    }
}

#[tokio::test]
async fn a_native_hook_that_waits_for_ever_is_given_up() {
    let mut info = HookInfo::new("sleeper", [Event::PreTool]);
    info.timeout = Some(Duration::from_millis(20));
    let registry = Registry::new();
    registry.register(Sleeper(info)).unwrap();
    let outcome = registry.run_pre(bash("ls")).await;
    assert_eq!(outcome.hooks[0].code, Some(Code::Timeout));
    assert_eq!(
        outcome.reason.as_deref(),
        Some("E101: hook `sleeper` did not answer within 20ms; the tool call was blocked")
    );
}

/// A hook that denies after a few turns. A hook that answers on the first or second turn gets no timer.
struct Turns(HookInfo);

#[async_trait]
impl Hook for Turns {
    fn info(&self) -> &HookInfo {
        &self.0
    }

    async fn run(&self, _: &Input) -> Result<Action, Failure> {
        for _ in 0..3 {
            tokio::task::yield_now().await;
        }
        Ok(Action::deny("no"))
    }
}

#[tokio::test]
async fn a_limit_beyond_the_end_of_the_clock_is_never_reached() {
    let registry = Registry::new();
    registry.register(Turns(HookInfo::new("slow", [Event::PreTool]).with_timeout(Duration::MAX))).unwrap();
    assert_eq!(registry.run_pre(bash("ls")).await.reason.as_deref(), Some("no"));
}

/// A hook that counts how often it is finished.
struct Finishing(HookInfo, Arc<AtomicUsize>);

#[async_trait]
impl Hook for Finishing {
    fn info(&self) -> &HookInfo {
        &self.0
    }

    async fn run(&self, _: &Input) -> Result<Action, Failure> {
        Ok(Action::allow())
    }

    async fn finish(&self) {
        self.1.fetch_add(1, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn close_finishes_each_hook_once_whatever_its_name_and_events() {
    let registry = Registry::new();
    let finished: [Arc<AtomicUsize>; 2] = Default::default();
    for count in &finished {
        let info = HookInfo::new("log", [Event::PreTool, Event::PostTool]);
        registry.register(Finishing(info, Arc::clone(count))).unwrap();
    }
    registry.close().await;
    assert_eq!(finished.map(|count| count.load(Ordering::SeqCst)), [1, 1]);
}

fn background(name: &str) -> HookInfo {
    let mut info = HookInfo::new(name, []);
    info.events = vec![(Event::PostTool, Mode::Async)];
    info
}

#[tokio::test(start_paused = true)]
async fn close_gives_up_what_does_not_end() {
    let registry = Registry::new();
    let mut info = background("sleeper");
    info.timeout = None;
    registry.register(Sleeper(info)).unwrap();
    let outcome = registry.run_post(Input::new(Event::PostTool)).await;
    assert_eq!(outcome.verdict, Verdict::Allow);
    assert!(outcome.hooks[0].is_async);
    let started = tokio::time::Instant::now();
    assert_eq!(registry.close().await, 1);
    assert!(started.elapsed() >= Duration::from_secs(2));
    assert_eq!(registry.close().await, 0, "nothing is left");
}

#[tokio::test(start_paused = true)]
async fn the_33rd_async_hook_is_dropped_with_a_warning() {
    let registry = Registry::new();
    for index in 0..33 {
        registry.register(Sleeper(background(&format!("h{index}")))).unwrap();
    }
    let outcome = registry.run_post(Input::new(Event::PostTool)).await;
    assert_eq!(outcome.hooks.len(), 32);
    assert_eq!(outcome.warnings.len(), 1);
    assert_eq!((outcome.warnings[0].code, outcome.warnings[0].hook.as_str()), (Code::Dropped, "h32"));
    registry.close().await;
}

#[tokio::test]
async fn async_hooks_see_the_input_as_the_sync_ones_left_it() {
    let registry = Registry::new();
    let seen = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&seen);
    registry
        .register(NativeHook::with_info(background("telemetry"), move |input| {
            counter.store(input.tool_result.as_ref().unwrap().content.len(), Ordering::SeqCst);
            Ok(Action::allow())
        }))
        .unwrap();
    registry
        .register(NativeHook::new("redact", [Event::PostTool], |_| {
            Ok(Action::modify_tool_result(hookbox::ToolResult { is_error: false, content: "short".to_owned() }))
        }))
        .unwrap();
    let input = bash("ls").into_post_tool(hookbox::ToolResult { is_error: false, content: "long, long".to_owned() });
    registry.run_post(input).await;
    registry.close().await;
    assert_eq!(seen.load(Ordering::SeqCst), "short".len());
}

#[tokio::test]
async fn hooks_see_one_time_for_the_whole_event_and_the_caller_gets_its_own_input_back() {
    let registry = Registry::new();
    registry
        .register(NativeHook::new("clock", [Event::PreTool], |input| {
            let text = input.to_hook_json(None);
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            Ok(Action::ask(value["now"].as_str().unwrap()))
        }))
        .unwrap();
    let mut given = bash("ls");
    given.now = Some("2026-01-02T03:04:05Z".to_owned());
    assert_eq!(registry.run_pre(given).await.reason.as_deref(), Some("2026-01-02T03:04:05Z"));
    let outcome = registry.run_pre(bash("ls")).await;
    assert!(outcome.reason.unwrap().starts_with("20"));
    assert_eq!(outcome.input.as_deref(), Some(&bash("ls")));
}
