//! The engine's part in hygge's tests of its agent: what the agent is told, and therefore can do.
//!
//! Two of these tests are about the agent alone and have no counterpart here. In
//! `ModeSwitchRefreshWithoutSessionDoesNotFail`, the agent asks no hook since it has no session yet. In
//! `ComposeSystemPrompt_WithHookSystemPromptAdditions`, it puts a heading above what the hooks added.

use super::fixture::{fake, tool_input};
use crate::conformance::by_test::{Named, named, row};
use hookbox::{Action, Event, Input, Json, NativeHook, Registry, Verdict};
use std::sync::{Arc, Mutex};

pub const TESTS: &[Named] = named![
    pre_tool_deny,
    pre_tool_modify,
    pre_message_deny,
    pre_message_system_prompt_append_is_not_rendered,
    mode_switch_refresh_invokes_pre_message,
    nil_registry_safe,
];

fn registry(hook: impl hookbox::Hook + 'static) -> Registry {
    let registry = Registry::new();
    registry.register(hook).unwrap();
    registry
}

#[tokio::test]
async fn pre_tool_deny() {
    let row = row("hygge", "pre_tool_deny");
    let registry = registry(fake("deny-all", &[Event::PreTool], Action::deny(row.input())));
    let outcome = registry.run_pre(Input::pre_tool("read", r#"{"path":"/x"}"#).unwrap()).await;
    assert_eq!(outcome.verdict, Verdict::Deny, "the tool is not executed");
    assert_eq!(outcome.denied_by.as_deref(), Some("deny-all"));
    assert_eq!(outcome.reason.as_deref(), Some(row.input()), "what the model gets to read");
    row.holds();
}

#[tokio::test]
async fn pre_tool_modify() {
    let row = row("hygge", "pre_tool_modify");
    let modified = Json::parse(row.expected()).unwrap();
    let registry = registry(fake("redirect", &[Event::PreTool], Action::modify_tool_input(modified)));
    let outcome = registry.run_pre(Input::pre_tool("read", row.input()).unwrap()).await;
    assert_eq!(outcome.verdict, Verdict::Allow);
    assert_eq!(tool_input(&outcome), row.expected(), "what the tool receives");
    row.holds();
}

#[tokio::test]
async fn pre_message_deny() {
    let row = row("hygge", "pre_message_deny");
    let registry = registry(fake("guard", &[Event::PreMessage], Action::deny(row.input())));
    let outcome = registry.run_pre(Input::pre_message("hello")).await;
    assert_eq!(outcome.verdict, Verdict::Deny, "nothing is stored");
    assert_eq!(outcome.denied_by.as_deref(), Some("guard"));
    assert_eq!(outcome.reason.as_deref(), Some(row.input()));
    row.holds();
}

#[tokio::test]
async fn pre_message_system_prompt_append_is_not_rendered() {
    let row = row("hygge", "pre_message_system_prompt_append_is_not_rendered");
    let (text, message) = (row.expected().to_owned(), row.input().to_owned());
    let registry = registry(NativeHook::new("context", [Event::PreMessage], move |input| {
        assert_eq!(input.message.as_ref(), Some(&message), "hooks see it untrimmed");
        Ok(Action::allow().with_system_prompt(text.clone()))
    }));
    let outcome = registry.run_pre(Input::pre_message(row.input())).await;
    assert_eq!(outcome.system_prompt_additions, [row.expected()], "what the model sees");
    assert_eq!(outcome.input.unwrap().message.as_deref(), Some(row.input()), "what is stored");
    assert!(!outcome.modified);
    row.holds();
}

/// The agent asks twice: with an empty message when the mode changes, then with the message of the next send.
#[tokio::test]
async fn mode_switch_refresh_invokes_pre_message() {
    let row = row("hygge", "mode_switch_refresh_invokes_pre_message");
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
        input.mode_name = Some(row.input().to_owned());
        let outcome = registry.run_pre(input).await;
        assert_eq!(outcome.system_prompt_additions, [row.expected()]);
    }
    let expected = [(row.input(), ""), (row.input(), "hello")].map(|(mode, text)| (mode.to_owned(), text.to_owned()));
    assert_eq!(*calls.lock().unwrap(), expected);
    row.holds();
}

#[tokio::test]
async fn nil_registry_safe() {
    let row = row("hygge", "nil_registry_safe");
    let outcome = Registry::default().run_pre(Input::pre_message(row.input())).await;
    assert_eq!(outcome.verdict, Verdict::Allow);
    assert_eq!(outcome.input.unwrap().message.as_deref(), Some(row.input()));
    row.holds();
}
