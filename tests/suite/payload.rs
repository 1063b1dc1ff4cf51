//! What components receive when several are asked about one event.

use crate::support::component::Guest;
use crate::support::{SANDBOX, bash};
use async_trait::async_trait;
use hookbox::runtime::component::{ComponentHook, Grants, Limits};
use hookbox::{Action, Event, Failure, Hook, HookInfo, Input, Json, NativeHook, OnError, Registry};
use serde_json::{Value, json};

/// Instructions that fail with the payload as the message.
const ECHO: &str = "(i32.store8 (i32.const 0) (i32.const 1)) (i32.store (i32.const 4) (local.get $input))
    (i32.store (i32.const 8) (local.get $length)) (i32.const 0)";

fn echo(name: &str, settings: Option<&str>) -> ComponentHook {
    let prepared = SANDBOX.prepare(&Guest::running(ECHO).build(), None, Grants::default(), Limits::default()).unwrap();
    let info = HookInfo::new(name, [Event::PreTool]).with_on_error(OnError::Allow);
    ComponentHook::new(info, prepared, settings.map(|json| Json::parse(json).unwrap()))
}

/// A hook that asks another hook about a changed copy of the Input.
struct Changing(ComponentHook);

#[async_trait]
impl Hook for Changing {
    fn info(&self) -> &HookInfo {
        self.0.info()
    }

    async fn run(&self, input: &Input) -> Result<Action, Failure> {
        let mut copy = input.clone();
        copy.tool_name = Some("copy".to_owned());
        self.0.run(&copy).await
    }
}

/// Returns the payload that each echo received, by the hook's name.
async fn payloads(registry: &Registry, input: Input) -> Vec<(String, Value)> {
    let outcome = registry.run(input).await;
    let failed = outcome.hooks.iter().filter_map(|hook| Some((hook.name.clone(), hook.failure.as_ref()?)));
    let read = |failure: &Failure| {
        let payload = failure.message.strip_prefix("failed: ").unwrap();
        serde_json::from_str::<Value>(payload).unwrap_or_else(|error| panic!("{error}: {payload}"))
    };
    failed.map(|(name, failure)| (name, read(failure))).collect()
}

#[tokio::test]
async fn each_component_sees_the_input_as_it_is_then_with_its_own_settings() {
    let registry = Registry::new();
    registry.register(echo("plain", None)).unwrap();
    registry.register(echo("set", Some(r#"{"a":1}"#))).unwrap();
    registry.register(Changing(echo("copy", None))).unwrap();
    let rewrite = |_: &Input| Ok(Action::modify_tool_input(Json::parse(r#"{"command":"ls -l"}"#).unwrap()));
    registry.register(NativeHook::new("rewrite", [Event::PreTool], rewrite)).unwrap();
    registry.register(echo("later", Some(r#"{"b":2}"#))).unwrap();
    let mut input = bash("ls");
    input.now = Some("2026-01-02T03:04:05Z".to_owned());
    let seen = payloads(&registry, input).await;
    let expected = |name: &str, tool: &str, command: &str, settings: Value| {
        let mut payload = json!({
            "event": "pre_tool", "session_id": "", "hook_name": "pre_tool", "pwd": "", "tool_name": tool,
            "tool_input": {"command": command}, "now": "2026-01-02T03:04:05Z",
            "tool": {"kind": "shell", "command": command, "paths": [], "added_text": [], "urls": [], "complete": true},
        });
        if !settings.is_null() {
            payload["settings"] = settings;
        }
        (name.to_owned(), payload)
    };
    // Pure hooks are asked again after the rewrite, and only their last answers are kept.
    let expected = [
        expected("plain", "bash", "ls -l", Value::Null),
        expected("set", "bash", "ls -l", json!({"a": 1})),
        expected("copy", "copy", "ls", Value::Null),
        expected("later", "bash", "ls -l", json!({"b": 2})),
    ];
    assert_eq!(seen, expected);
}
