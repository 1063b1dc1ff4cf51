//! The chain of an event that can be stopped: which hooks are asked, about what, and which answers count.

use super::fixture::{asked, fake};
use hookbox::{Action, Code, Event, Failure, HookInfo, Input, Json, NativeHook, OnError, Registry, Verdict};

/// Returns a hook on `pre_message` that adds text to the system prompt.
fn appending(name: &str, decision: Action, text: &str) -> impl hookbox::Hook + use<> {
    let action = set!(decision, system_prompt_append: Some(text.to_owned()));
    fake(name, &[Event::PreMessage], action)
}

/// Returns a hook that fails, with this `on_error`.
fn failing(event: Event, on_error: OnError) -> impl hookbox::Hook + use<> {
    let mut info = HookInfo::new("failing", [event]);
    info.on_error = on_error;
    NativeHook::with_info(info, |_| Err(Failure::failed("no database")))
}

#[tokio::test]
async fn hooks_are_asked_in_the_order_of_their_registration() {
    let registry = Registry::new();
    for name in ["c", "a", "b"] {
        registry.register(fake(name, &[Event::PreTool], Action::allow())).unwrap();
    }
    let outcome = registry.run_pre(Input::pre_tool("bash", "{}").unwrap()).await;
    assert_eq!(asked(&outcome), ["c", "a", "b"]);
}

#[tokio::test]
async fn a_deny_keeps_what_the_hooks_before_it_brought() {
    let registry = Registry::new();
    registry.register(failing(Event::PreMessage, OnError::Allow)).unwrap();
    registry.register(appending("context", Action::modify_message("rewritten"), "kept")).unwrap();
    registry.register(appending("guard", Action::deny("no"), "dropped")).unwrap();
    registry.register(appending("late", Action::allow(), "never asked")).unwrap();

    let outcome = registry.run_pre(Input::pre_message("original")).await;

    assert_eq!(outcome.verdict, Verdict::Deny);
    assert_eq!(outcome.denied_by.as_deref(), Some("guard"));
    assert_eq!(outcome.reason.as_deref(), Some("no"));
    assert_eq!(outcome.input.as_ref().unwrap().message.as_deref(), Some("rewritten"));
    assert_eq!(outcome.system_prompt_additions, ["kept"]);
    assert_eq!(outcome.warnings.len(), 1, "the failure before the deny: {outcome:?}");
    assert_eq!(asked(&outcome), ["failing", "context", "guard"]);
}

#[tokio::test]
async fn the_next_hook_sees_the_new_value() {
    let registry = Registry::new();
    let rewrite = Action::modify_tool_input(Json::parse(r#"{"cmd":"ls"}"#).unwrap());
    registry.register(fake("first", &[Event::PreTool], rewrite)).unwrap();
    let second = NativeHook::new("second", [Event::PreTool], |input| {
        Ok(Action::deny(input.tool_input.as_ref().unwrap().as_str()))
    });
    registry.register(second).unwrap();
    let outcome = registry.run_pre(Input::pre_tool("bash", "{}").unwrap()).await;
    assert_eq!(outcome.reason.as_deref(), Some(r#"{"cmd":"ls"}"#));
}

/// hygge skips a hook of the embedding program that fails. Here that is the hook's own choice.
#[tokio::test]
async fn a_hook_that_fails_denies_unless_it_says_otherwise() {
    for (on_error, verdict) in [(OnError::Deny, Verdict::Deny), (OnError::Allow, Verdict::Allow)] {
        let registry = Registry::new();
        registry.register(failing(Event::PreTool, on_error)).unwrap();
        let outcome = registry.run_pre(Input::pre_tool("bash", "{}").unwrap()).await;
        assert_eq!(outcome.verdict, verdict);
        assert_eq!(outcome.warnings.len(), 1, "{outcome:?}");
        let warning = &outcome.warnings[0];
        assert_eq!((warning.hook.as_str(), warning.code), ("failing", Code::Failed));
        assert!(warning.message.contains("no database"), "{warning:?}");
    }
}

#[tokio::test]
async fn additions_to_the_system_prompt_keep_their_order_and_their_white_space() {
    let registry = Registry::new();
    registry.register(appending("one", Action::allow(), "  one\n")).unwrap();
    registry.register(appending("blank", Action::allow(), " \n\t")).unwrap();
    registry.register(appending("two", Action::modify_message("new"), "two")).unwrap();
    let outcome = registry.run_pre(Input::pre_message("old")).await;
    assert_eq!(outcome.system_prompt_additions, ["  one\n", "two"]);
}
