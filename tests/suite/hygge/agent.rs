//! The engine's part in hygge's tests of its agent: what the agent is told, and so what it can do.
//!
//! Two of these tests are about the agent alone and have no counterpart here: `ModeSwitchRefreshWithoutSession
//! DoesNotFail`, where it asks no hook since it has no session yet, and `ComposeSystemPrompt_WithHookSystemPrompt
//! Additions`, where it puts a heading above what the hooks added.

use super::fixture::{fake, tool_input};
use hookbox::{Action, Event, Input, Json, NativeHook, Registry, Verdict};
use std::sync::{Arc, Mutex};

fn registry(hook: impl hookbox::Hook + 'static) -> Registry {
    let registry = Registry::new();
    registry.register(hook).unwrap();
    registry
}

#[tokio::test]
async fn pre_tool_deny() {
    let registry = registry(fake("deny-all", &[Event::PreTool], Action::deny("blocked by policy")));
    let outcome = registry.run_pre(Input::pre_tool("read", r#"{"path":"/x"}"#).unwrap()).await;
    assert_eq!(outcome.verdict, Verdict::Deny, "the tool is not executed");
    assert_eq!(outcome.denied_by.as_deref(), Some("deny-all"));
    assert_eq!(outcome.reason.as_deref(), Some("blocked by policy"), "what the model gets to read");
}

#[tokio::test]
async fn pre_tool_modify() {
    let modified = Json::parse(r#"{"path":"/modified/path"}"#).unwrap();
    let registry = registry(fake("redirect", &[Event::PreTool], Action::modify_tool_input(modified)));
    let outcome = registry.run_pre(Input::pre_tool("read", r#"{"path":"/original"}"#).unwrap()).await;
    assert_eq!(outcome.verdict, Verdict::Allow);
    assert_eq!(tool_input(&outcome), r#"{"path":"/modified/path"}"#, "what the tool receives");
}

#[tokio::test]
async fn pre_message_deny() {
    let registry = registry(fake("guard", &[Event::PreMessage], Action::deny("message blocked")));
    let outcome = registry.run_pre(Input::pre_message("hello")).await;
    assert_eq!(outcome.verdict, Verdict::Deny, "nothing is stored");
    assert_eq!(outcome.denied_by.as_deref(), Some("guard"));
    assert_eq!(outcome.reason.as_deref(), Some("message blocked"));
}

#[tokio::test]
async fn pre_message_system_prompt_append_is_not_rendered() {
    let registry = registry(NativeHook::new("context", [Event::PreMessage], |input| {
        assert_eq!(input.message.as_deref(), Some("  hello\n\n"), "hooks see it untrimmed");
        let text = Some("plugin-only context".to_owned());
        Ok(set!(Action::allow(), system_prompt_append: text))
    }));
    let outcome = registry.run_pre(Input::pre_message("  hello\n\n")).await;
    assert_eq!(outcome.system_prompt_additions, ["plugin-only context"], "what the model sees");
    assert_eq!(outcome.input.unwrap().message.as_deref(), Some("  hello\n\n"), "what is stored");
    assert!(!outcome.modified);
}

/// The agent asks twice: with an empty message when the mode changes, then with the message of the next send.
#[tokio::test]
async fn mode_switch_refresh_invokes_pre_message() {
    let calls = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&calls);
    let registry = registry(NativeHook::new("modes", [Event::PreMessage], move |input| {
        let mode = input.mode_name.clone().unwrap_or_default();
        let text = Some(format!("mode context: {mode}"));
        sink.lock().unwrap().push((mode, input.message.clone().unwrap_or_default()));
        Ok(set!(Action::allow(), system_prompt_append: text))
    }));
    for message in ["", "hello"] {
        let mut input = Input::pre_message(message);
        input.mode_name = Some("Deep".to_owned());
        let outcome = registry.run_pre(input).await;
        assert_eq!(outcome.system_prompt_additions, ["mode context: Deep"]);
    }
    let expected = [("Deep", ""), ("Deep", "hello")].map(|(mode, text)| (mode.to_owned(), text.to_owned()));
    assert_eq!(*calls.lock().unwrap(), expected);
}

#[tokio::test]
async fn nil_registry_safe() {
    let outcome = Registry::default().run_pre(Input::pre_message("hello")).await;
    assert_eq!(outcome.verdict, Verdict::Allow);
    assert_eq!(outcome.input.unwrap().message.as_deref(), Some("hello"));
}
