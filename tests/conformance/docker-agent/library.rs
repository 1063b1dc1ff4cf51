//! docker-agent: executors, and callers that do not wait.

use super::super::{cancelled, hooks_of, loader};
use super::{Agent, assert_failed, hook, input, input_with, types};
use crate::support::project::Project;
use hookbox::dialect::docker_agent::{Definition, DispatchError, Executor, Generation, Handled, Handler, HandlerError};
use hookbox::{Caller, Event, Json, ToolResult};
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};

const BOTH: [(Generation, &[(&str, Event)]); 2] = [(Generation::First, V1_EVENTS), (Generation::V1_58, V2_EVENTS)];

const V1_EVENTS: &[(&str, Event)] = &[
    ("pre_tool_use", Event::PreTool),
    ("post_tool_use", Event::PostTool),
    ("session_start", Event::SessionStart),
    ("session_end", Event::SessionEnd),
    ("on_user_input", Event::UserInput),
];

const V2_EVENTS: &[(&str, Event)] = &[
    ("pre_tool_use", Event::PreTool),
    ("post_tool_use", Event::PostTool),
    ("permission_request", Event::PermissionRequest),
    ("tool_response_transform", Event::ToolResponseTransform),
    ("session_start", Event::SessionStart),
    ("user_prompt_submit", Event::PreMessage),
    ("turn_start", Event::TurnStart),
    ("turn_end", Event::TurnEnd),
    ("before_llm_call", Event::BeforeLlmCall),
    ("after_llm_call", Event::AfterLlmCall),
    ("session_end", Event::SessionEnd),
    ("pre_compact", Event::PreCompact),
    ("before_compaction", Event::BeforeCompaction),
    ("after_compaction", Event::AfterCompaction),
    ("subagent_stop", Event::SubagentStop),
    ("on_user_input", Event::UserInput),
    ("stop", Event::PostMessage),
    ("notification", Event::Notification),
    ("on_error", Event::Error),
    ("on_max_iterations", Event::MaxIterations),
    ("on_agent_switch", Event::AgentSwitch),
    ("on_session_resume", Event::SessionResume),
    ("on_tool_approval_decision", Event::ToolApprovalDecision),
];

/// An entry that has no hooks.
const WITHOUT_HOOKS: [&str; 2] = ["- matcher: \"*\"\n      hooks: []\n", "- matcher: \"*\"\n"];

/// The events that have hooks.
fn events_of(executor: &Executor) -> Vec<Event> {
    Event::ALL.iter().copied().filter(|event| executor.has(*event)).collect()
}

/// A file with one hook.
fn config(name: &str) -> String {
    let hook = "{type: command, command: echo pre}";
    match name {
        "pre_tool_use" | "post_tool_use" | "permission_request" | "tool_response_transform" => {
            format!("hooks:\n  {name}:\n    - matcher: \"shell|edit_file\"\n      hooks: [{hook}]\n")
        }
        _ => format!("hooks:\n  {name}: [{hook}]\n"),
    }
}

#[test]
fn which_configs_are_empty() {
    for (generation, events) in BOTH {
        for config in ["", "hooks:\n", "hooks: {}\n", "hooks:\n  pre_tool_use: []\n  session_start: []\n"] {
            let executor = Agent::load(generation, &types(), config).executor;
            assert_eq!(events_of(&executor), [], "{generation:?}: {config:?}");
            assert!(executor.problems().is_empty(), "{:?}", executor.problems());
        }
        for (name, event) in events {
            let executor = Agent::empty(generation, &types()).with(*event, hook("command", "")).executor;
            assert_eq!(events_of(&executor), [*event], "{generation:?}: {name}");
        }
        for name in ["pre_tool_use", "post_tool_use"] {
            for entry in WITHOUT_HOOKS {
                let config = format!("hooks:\n  {name}:\n    {entry}");
                assert_ne!(
                    events_of(&Agent::load(generation, &types(), &config).executor),
                    [],
                    "{generation:?}: {name}"
                );
            }
        }
    }
}

#[test]
fn a_new_executor_has_its_events() {
    for (generation, _) in BOTH {
        let executor = Agent::load(generation, &types(), &config("pre_tool_use")).executor;
        assert!(executor.has(Event::PreTool), "{generation:?}");
        for event in [Event::PostTool, Event::SessionStart, Event::SessionEnd, Event::PostMessage, Event::Notification]
        {
            assert!(!executor.has(event), "{generation:?}: {event}");
        }
    }
}

#[tokio::test]
async fn a_nil_config_has_nothing() {
    for (generation, events) in BOTH {
        let agent = Agent::empty(generation, &types());
        assert_eq!(events_of(&agent.executor), [], "{generation:?}");
        for (_, event) in events {
            assert_eq!(agent.ask(input(*event)).await.to_json(), r#"{"allowed":true}"#, "{generation:?}: {event}");
        }
    }
}

#[tokio::test]
async fn has_is_true_for_the_events_of_the_config() {
    for (generation, events) in BOTH {
        for (name, event) in events {
            let agent = Agent::load(generation, &types(), &config(name));
            assert!(agent.executor.problems().is_empty(), "{:?}", agent.executor.problems());
            assert_eq!(events_of(&agent.executor), [*event], "{generation:?}: {name}");
        }
    }
    // An event of docker-agent's later generations, for the first one.
    let first = Agent::load(Generation::First, &types(), &config("pre_tool_use")).executor;
    assert!(!first.has(Event::TurnStart));
    assert_eq!(first.dispatch(Event::TurnStart, input(Event::TurnStart)).await, Err(DispatchError(Event::TurnStart)));

    for entry in WITHOUT_HOOKS {
        let agent = Agent::load(Generation::V1_58, &types(), &format!("hooks:\n  pre_tool_use:\n    {entry}"));
        assert!(agent.executor.has(Event::PreTool), "{entry}");
        // The file is refused, which must not be an allow.
        assert!(agent.executor.problems()[0].message.contains("at least one hook is required"), "{entry}");
        assert!(!agent.ask(input(Event::PreTool)).await.allowed, "{entry}");
    }

    let broken = config("pre_tool_use").replace("shell|edit_file", "[");
    assert_eq!(events_of(&Agent::load(Generation::V1_58, &types(), &broken).executor), []);
    let beside = format!("{broken}    - hooks: [{{type: command, command: echo pre}}]\n");
    assert_eq!(events_of(&Agent::load(Generation::V1_58, &types(), &beside).executor), [Event::PreTool]);
    let mut added = Agent::empty(Generation::V1_58, &types()).executor;
    added.add(Event::PreTool, Some("["), hook("command", "exit 2"), &[]);
    assert!(!added.has(Event::PreTool));
}

#[test]
fn the_timeout_of_a_hook() {
    for dialect in ["docker-agent-v1", "docker-agent"] {
        for (timeout, seconds) in [("", 60), ("timeout: 0", 60), ("timeout: -1", 60), ("timeout: 30", 30)] {
            let project = Project::new();
            let hook = format!("{{type: command, command: \"true\", {timeout}}}");
            let file = project.write("agent.yaml", format!("hooks:\n  session_start: [{hook}]\n"));
            let loaded = loader(&project, dialect).file(file).load();
            let hooks = hooks_of(&loaded, Event::SessionStart);
            assert_eq!(hooks[0].info().timeout, Some(Duration::from_secs(seconds)), "{dialect}: {timeout}");
        }
    }
}

/// A caller that waits for a moment.
fn soon() -> Caller {
    Caller::default().until(Instant::now() + Duration::from_millis(30))
}

/// A command that takes longer than any caller here waits.
fn slow(timeout: Option<i64>) -> Definition {
    Definition { timeout, ..hook("command", "exec sleep 10") }
}

#[tokio::test]
async fn a_cancelled_caller_denies_pre_tool_use() {
    let agent = Agent::empty(Generation::V1_58, &types()).with(Event::PreTool, slow(Some(30)));
    let begin = Instant::now();
    let result = agent.ask_for(input(Event::PreTool), &soon()).await;
    assert_failed(&result, r#"hook "exec sleep 10" timed out after 30s: context deadline exceeded"#);

    let told = r#"hook "exec sleep 10" cancelled: context canceled"#;
    assert_failed(&agent.ask_for(input(Event::PreTool), &cancelled()).await, told);
    let (caller, cancel) = Caller::cancellable();
    let later = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        cancel.cancel();
    };
    let (result, ()) = tokio::join!(agent.ask_for(input(Event::PreTool), &caller), later);
    assert_failed(&result, told);
    assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
}

#[tokio::test]
async fn a_cancelled_caller_does_not_deny_post_tool_use() {
    let agent = Agent::empty(Generation::V1_58, &types()).with(Event::PostTool, slow(Some(30)));
    let begin = Instant::now();
    for caller in [soon(), cancelled()] {
        assert_eq!(agent.ask_for(input(Event::PostTool), &caller).await.to_json(), r#"{"allowed":true}"#);
    }
    assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
}

#[tokio::test]
async fn a_cancelled_caller_allows_in_v1() {
    let agent = Agent::empty(Generation::First, &types()).with(Event::PreTool, slow(Some(30)));
    let begin = Instant::now();
    for caller in [soon(), cancelled()] {
        assert_eq!(agent.ask_for(input(Event::PreTool), &caller).await.to_json(), r#"{"allowed":true}"#);
    }
    assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
}

/// Never answers.
struct Silent;

#[async_trait::async_trait]
impl Handler for Silent {
    async fn run(&self, _: &[u8]) -> Result<Handled, HandlerError> {
        std::future::pending().await
    }
}

#[tokio::test]
async fn timeouts_are_told_as_go_tells_them() {
    let types = types();
    types.register_type("silent", |_, _| Ok(Arc::new(Silent))).unwrap();
    for (timeout, told) in [
        (Some(1), "1s"),
        (Some(30), "30s"),
        (Some(60), "1m0s"),
        (Some(90), "1m30s"),
        (Some(120), "2m0s"),
        (Some(3600), "1h0m0s"),
        (Some(0), "1m0s"),
        (None, "1m0s"),
    ] {
        for definition in [slow(timeout), Definition { timeout, ..hook("silent", "a \"b\"") }] {
            let command = if definition.kind == "command" { r#""exec sleep 10""# } else { r#""a \"b\"""# };
            let agent = Agent::empty(Generation::V1_58, &types).with(Event::PreTool, definition);
            let result = agent.ask_for(input(Event::PreTool), &soon()).await;
            assert_failed(&result, &format!("hook {command} timed out after {told}: context deadline exceeded"));
        }
    }
}

#[tokio::test]
async fn a_large_payload_that_nobody_reads() {
    let long = "a".repeat(1 << 20);
    let args = Json::from_value(&json!({"cmd": long[..(1 << 20) - 100]})).unwrap();
    let before = input_with(Event::PreTool, |input| input.tool_input = Some(args));
    let result = ToolResult { is_error: false, content: long };
    let after = input_with(Event::PostTool, |input| input.tool_result = Some(result));
    for input in [before, after] {
        for (command, expected) in [
            ("echo no >&2; exit 2", r#"{"allowed":false,"message":"no","exit_code":2,"stderr":"no\n"}"#),
            ("exec <&-; echo no >&2; exit 2", r#"{"allowed":false,"message":"no","exit_code":2,"stderr":"no\n"}"#),
            ("exit 0", r#"{"allowed":true}"#),
        ] {
            let agent = Agent::empty(Generation::V1_58, &types()).with(input.event, hook("command", command));
            assert_eq!(agent.ask(input.clone()).await.to_json(), expected, "{}: {command}", input.event);
        }
        // All of it is there for whoever reads it.
        let count = hook("command", "test $(wc -c) -gt 1048500 && exit 2");
        assert!(!Agent::empty(Generation::V1_58, &types()).with(input.event, count).ask(input).await.allowed);
    }
}
