//! The SDK for hooks in Rust speaks the engine's protocol, all of it.

use crate::support::{bash, guests, plain, root};
use hookbox::{Event, Field, FieldType, Input, Json, Registry, Verdict};
use hookbox_componentize::Power;
use hookbox_sdk as sdk;

/// Returns a value for a field, as JSON.
fn sample(field: Field) -> &'static str {
    match field.field_type() {
        FieldType::Text => r#""some text""#,
        FieldType::Number => "7",
        FieldType::List => "[1]",
        other => panic!("no sample for {other:?}"),
    }
}

#[test]
fn it_knows_every_event() {
    let ours: Vec<_> = Event::ALL.iter().map(|event| (event.as_str(), event.is_gating())).collect();
    let theirs: Vec<_> = sdk::Event::ALL.iter().map(|event| (event.as_str(), event.is_gating())).collect();
    assert_eq!(theirs, ours);
    for event in Event::ALL {
        let input: sdk::Input = sdk::Input::from_json(&Input::new(*event).to_hook_json(None)).unwrap();
        assert_eq!(input.event.as_str(), event.as_str());
    }
}

#[test]
fn it_reads_every_field_of_an_input() {
    let mut input = Input::pre_tool("bash", r#"{"n": 1.10}"#).unwrap().into_post_tool(hookbox::ToolResult::default());
    input.session_id = Some("session".to_owned());
    input.pwd = Some("/w".to_owned());
    input.message = Some("message".to_owned());
    input.mode_name = Some("mode".to_owned());
    input.tool_use_id = Some("id".to_owned());
    input.turn = Some(4);
    input.now = Some("2026-01-01T00:00:00Z".to_owned());
    for field in Field::ALL {
        input.set_field(*field, Some(Json::parse(sample(*field)).unwrap())).unwrap();
    }
    let text = input.to_hook_json(None);
    let read: sdk::Input = sdk::Input::from_json(&text).unwrap();
    let shown = format!("{read:?}");
    // A field that the SDK does not know would be ignored, and therefore missing.
    let members: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&text).unwrap();
    for key in members.keys() {
        assert!(shown.contains(&format!("{key}: ")), "`{key}` is missing in {shown}");
        assert!(!shown.contains(&format!("{key}: None")), "`{key}` is not read: {shown}");
    }
    assert_eq!(read.tool_input.unwrap().as_str(), r#"{"n": 1.10}"#);
}

#[test]
fn the_engine_reads_every_action_of_it() {
    let messages = sdk::Json::parse("[1]").unwrap();
    for (event, action) in [
        (Event::PreTool, sdk::Action::allow()),
        (Event::PreTool, sdk::Action::deny("no")),
        (Event::PreTool, sdk::Action::ask("really?")),
        (Event::PreTool, sdk::Action::update_input("a", "b").and_input("c", true)),
        (Event::PreTool, sdk::Action::modify_tool_input(sdk::Json::parse(r#"{"n": 1.10}"#).unwrap())),
        (Event::PreTool, sdk::Action::permit("known")),
        (Event::PreMessage, sdk::Action::modify_message("m").with_system_prompt("s")),
        (Event::PostTool, sdk::Action::modify_tool_result(sdk::ToolResult::error("e"))),
        (Event::ToolResponseTransform, sdk::Action::update_tool_response("r")),
        (Event::BeforeLlmCall, sdk::Action::update_messages(messages)),
        (Event::BeforeCompaction, sdk::Action::summarize("s")),
        (Event::PostMessage, sdk::Action::allow().with_context("c").with_message("m").with_reason("r").and_stop("s")),
    ] {
        let text = action.to_json().unwrap();
        let read = hookbox::Action::from_slice(text.as_bytes(), event).unwrap();
        assert_eq!(read.to_json(), text);
    }
}

#[test]
fn its_world_is_the_engines() {
    assert_eq!(include_str!("../../guest-sdk/rust/wit/hook.wit"), include_str!("../../wit/hook.wit"));
}

/// With `UPDATE_SDK=1` in the environment, this test writes the worlds.
#[test]
fn the_worlds_of_its_powers_are_the_engines() {
    for (name, power) in [("log", Power::LOG), ("store", Power::STORE), ("http", Power::HTTP)] {
        let file = root().join(format!("guest-sdk/rust/src/powers/{name}.bin"));
        let encoded = power.encode().unwrap();
        if std::env::var_os("UPDATE_SDK").is_some() {
            std::fs::write(&file, &encoded).unwrap();
        }
        assert!(std::fs::read(&file).unwrap() == encoded, "{} is out of date: run with UPDATE_SDK=1", file.display());
    }
}

#[tokio::test]
async fn the_operator_reads_why_a_hook_failed_and_where() {
    let registry = Registry::new();
    registry.register(plain("fails", &guests::read("fails.wasm"))).unwrap();
    for (command, expected) in [
        ("error", "E108: hook `fails` failed: the list is empty; the tool call was blocked"),
        (
            "panic",
            "E103: hook `fails` panicked: no rule for pre_tool at examples/fails.rs:11:20; the tool call was blocked",
        ),
        (
            "index",
            "E103: hook `fails` panicked: called `Option::unwrap()` on a `None` value at examples/fails.rs:13:62; the tool call was blocked",
        ),
        ("recurse", "E103: hook `fails` crashed: call stack exhausted; the tool call was blocked"),
    ] {
        let outcome = registry.run_pre(bash(command)).await;
        assert_eq!(outcome.verdict, Verdict::Deny);
        assert_eq!(outcome.reason.as_deref(), Some(expected));
    }
    // The end of a long message is kept, which includes the place.
    let outcome = registry.run_pre(bash("long")).await;
    let reason = outcome.reason.unwrap();
    assert!(reason.contains("éééé at examples/fails.rs:12:19"), "{reason}");
    assert!(reason.len() < 1200);
    assert_eq!(registry.run_pre(bash("ls")).await.verdict, Verdict::Allow);
}
