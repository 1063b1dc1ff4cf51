//! docker-agent: executors, and callers that do not wait.

use super::super::{cancelled, hooks_of, loader};
use super::{Agent, assert_failed, hook, input, input_with, types};
use crate::conformance::by_test::{Named, Row, named, row, rows};
use crate::support::project::Project;
use hookbox::dialect::docker_agent::{Definition, DispatchError, Executor, Generation, Handled, Handler, HandlerError};
use hookbox::{Caller, Event, Json, ToolResult};
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(super) const TESTS: &[Named] = named![
    which_configs_are_empty,
    a_new_executor_has_its_events,
    a_nil_config_has_nothing,
    has_is_true_for_the_events_of_the_config,
    has_is_true_for_an_entry_without_hooks,
    has_is_false_for_a_broken_matcher,
    the_timeout_of_a_hook,
    a_cancelled_caller_denies_pre_tool_use,
    a_cancelled_caller_does_not_deny_post_tool_use,
    a_cancelled_caller_allows_in_v1,
    timeouts_are_told_as_go_tells_them,
    a_large_payload_that_nobody_reads,
];

/// Returns the generation that a row is about.
fn generation(row: &Row) -> Generation {
    if row.file() == "v1" { Generation::First } else { Generation::V1_58 }
}

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

/// Returns the events that have hooks.
fn events_of(executor: &Executor) -> Vec<Event> {
    Event::ALL.iter().copied().filter(|event| executor.has(*event)).collect()
}

/// Returns a file with one hook.
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
    for row in rows("docker-agent", "which_configs_are_empty") {
        let names: Vec<&str> = row.input().split_whitespace().collect();
        if names.is_empty() {
            assert_eq!(events_of(&Agent::load(generation(&row), &types(), row.input()).executor), [], "{}", row.name());
        }
        for name in names {
            let (_, event) = V2_EVENTS.iter().find(|(known, _)| *known == name).unwrap();
            let executor = Agent::empty(generation(&row), &types()).with(*event, hook("command", "")).executor;
            assert_eq!(events_of(&executor), [*event], "{}", row.name());
            let executor = Agent::load(generation(&row), &types(), &config(name)).executor;
            assert_eq!(events_of(&executor), [*event], "{}", row.name());
        }
        row.holds();
    }
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
    for row in rows("docker-agent", "a_new_executor_has_its_events") {
        let generation = generation(&row);
        let executor = Agent::load(generation, &types(), &config(row.input())).executor;
        assert!(executor.has(Event::PreTool), "{generation:?}");
        for event in [Event::PostTool, Event::SessionStart, Event::SessionEnd, Event::PostMessage, Event::Notification]
        {
            assert!(!executor.has(event), "{generation:?}: {event}");
        }
        row.holds();
    }
}

#[tokio::test]
async fn a_nil_config_has_nothing() {
    for row in rows("docker-agent", "a_nil_config_has_nothing") {
        let generation = generation(&row);
        let agent = Agent::empty(generation, &types());
        assert_eq!(events_of(&agent.executor), [], "{generation:?}");
        for name in row.input().split_whitespace() {
            let (_, event) = V2_EVENTS.iter().find(|(known, _)| *known == name).unwrap();
            assert_eq!(agent.ask(input(*event)).await.to_json(), r#"{"allowed":true}"#, "{generation:?}: {event}");
            // With a hook, it would have been asked.
            let with_hook = Agent::empty(generation, &types()).with(*event, hook("command", "echo no >&2; exit 2"));
            assert_eq!(with_hook.ask(input(*event)).await.stderr, "no\n", "{generation:?}: {event}");
        }
        row.holds();
    }
}

#[tokio::test]
async fn has_is_true_for_the_events_of_the_config() {
    let row = row("docker-agent", "has_is_true_for_the_events_of_the_config");
    for name in row.input().split_whitespace() {
        let (_, event) = V2_EVENTS.iter().find(|(known, _)| *known == name).unwrap();
        let executor = Agent::load(Generation::V1_58, &types(), &config(name)).executor;
        assert_eq!(events_of(&executor), [*event], "{name}");
    }
    for (generation, events) in BOTH {
        for (name, event) in events {
            let agent = Agent::load(generation, &types(), &config(name));
            assert!(agent.executor.problems().is_empty(), "{:?}", agent.executor.problems());
            assert_eq!(events_of(&agent.executor), [*event], "{generation:?}: {name}");
        }
    }
    // The first generation does not know an event of docker-agent's later generations.
    let first = Agent::load(Generation::First, &types(), &config("pre_tool_use")).executor;
    assert!(!first.has(Event::TurnStart));
    assert_eq!(first.dispatch(Event::TurnStart, input(Event::TurnStart)).await, Err(DispatchError(Event::TurnStart)));
    assert_eq!(DispatchError(Event::TurnStart).to_string(), "unknown hook event \"turn_start\"");
    row.holds();
}

#[tokio::test]
async fn has_is_true_for_an_entry_without_hooks() {
    let row = row("docker-agent", "has_is_true_for_an_entry_without_hooks");
    for entry in WITHOUT_HOOKS.into_iter().chain([row.input()]) {
        let agent = Agent::load(Generation::V1_58, &types(), &format!("hooks:\n  pre_tool_use:\n    {entry}"));
        assert!(agent.executor.has(Event::PreTool), "{entry}");
        // The file is refused, and that must not become an allow.
        assert!(agent.executor.problems()[0].message.contains(row.expected()), "{entry}");
        assert!(!agent.ask(input(Event::PreTool)).await.allowed, "{entry}");
    }
    row.holds();
}

#[test]
fn has_is_false_for_a_broken_matcher() {
    let row = row("docker-agent", "has_is_false_for_a_broken_matcher");
    let broken = config("pre_tool_use").replace("shell|edit_file", row.input());
    assert_eq!(events_of(&Agent::load(Generation::V1_58, &types(), &broken).executor), []);
    let beside = format!("{broken}    - hooks: [{{type: command, command: echo pre}}]\n");
    assert_eq!(events_of(&Agent::load(Generation::V1_58, &types(), &beside).executor), [Event::PreTool]);
    let mut added = Agent::empty(Generation::V1_58, &types()).executor;
    added.add(Event::PreTool, Some(row.input()), hook("command", "exit 2"), &[]);
    assert!(!added.has(Event::PreTool));
    row.holds();
}

#[test]
fn the_timeout_of_a_hook() {
    for row in rows("docker-agent", "the_timeout_of_a_hook") {
        let project = Project::new();
        let hook = format!("{{type: command, command: \"true\", {}}}", row.input());
        let file = project.write("agent.yaml", format!("hooks:\n  session_start: [{hook}]\n"));
        let dialect = if row.file() == "v1" { "docker-agent-v1" } else { "docker-agent" };
        let loaded = loader(&project, dialect).file(file).load();
        let hooks = hooks_of(&loaded, Event::SessionStart);
        let expected = Duration::from_secs(row.expected().parse().unwrap());
        assert_eq!(hooks[0].info().timeout, Some(expected), "{}", row.name());
        row.holds();
    }
}

/// Returns a caller that waits for a moment.
fn soon() -> Caller {
    Caller::default().until(Instant::now() + Duration::from_millis(30))
}

/// A command that takes longer than any caller here waits.
const SLOW: &str = "exec sleep 10";

/// Returns a hook with such a command.
fn slow(command: &str, timeout: i64) -> Definition {
    hook("command", command).with_timeout(timeout)
}

#[tokio::test]
async fn a_cancelled_caller_denies_pre_tool_use() {
    for row in rows("docker-agent", "a_cancelled_caller_denies_pre_tool_use") {
        let agent = Agent::empty(Generation::V1_58, &types()).with(Event::PreTool, slow(row.input(), 30));
        let begin = Instant::now();
        let result = agent.ask_for(input(Event::PreTool), &soon()).await;
        let late = format!("hook {:?} timed out after 30s: context deadline exceeded", row.input());
        assert_failed(&result, &late);

        assert_failed(&agent.ask_for(input(Event::PreTool), &cancelled()).await, row.expected());
        let (caller, cancel) = Caller::cancellable();
        let later = async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            cancel.cancel();
        };
        let (result, ()) = tokio::join!(agent.ask_for(input(Event::PreTool), &caller), later);
        assert_failed(&result, row.expected());
        assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
        row.holds();
    }
}

#[tokio::test]
async fn a_cancelled_caller_does_not_deny_post_tool_use() {
    let row = row("docker-agent", "a_cancelled_caller_does_not_deny_post_tool_use");
    let agent = Agent::empty(Generation::V1_58, &types()).with(Event::PostTool, slow(row.input(), 30));
    let begin = Instant::now();
    for caller in [soon(), cancelled()] {
        assert_eq!(agent.ask_for(input(Event::PostTool), &caller).await.to_json(), row.expected());
    }
    row.holds();
    assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
}

#[tokio::test]
async fn a_cancelled_caller_allows_in_v1() {
    let row = row("docker-agent", "a_cancelled_caller_allows_in_v1");
    let agent = Agent::empty(Generation::First, &types()).with(Event::PreTool, slow(row.input(), 30));
    let begin = Instant::now();
    for caller in [soon(), cancelled()] {
        assert_eq!(agent.ask_for(input(Event::PreTool), &caller).await.to_json(), row.expected());
    }
    row.holds();
    assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
}

/// A handler that never answers.
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
    for row in rows("docker-agent", "timeouts_are_told_as_go_tells_them") {
        for line in row.input().lines() {
            let (seconds, told) = line.split_once(' ').unwrap();
            let timeout = seconds.parse().unwrap();
            for definition in [slow(SLOW, timeout), hook("silent", "a \"b\"").with_timeout(timeout)] {
                let command = format!("{:?}", definition.command);
                let agent = Agent::empty(Generation::V1_58, &types).with(Event::PreTool, definition);
                let result = agent.ask_for(input(Event::PreTool), &soon()).await;
                assert_failed(&result, &format!("hook {command} timed out after {told}: context deadline exceeded"));
            }
        }
        row.holds();
    }
}

#[tokio::test]
async fn a_large_payload_that_nobody_reads() {
    let row = row("docker-agent", "a_large_payload_that_nobody_reads");
    let long = "a".repeat(1 << 20);
    let args = Json::from_value(&json!({"cmd": long[..(1 << 20) - 100]})).unwrap();
    let before = input_with(Event::PreTool, |input| input.tool_input = Some(args));
    let result = ToolResult { is_error: false, content: long };
    let after = input_with(Event::PostTool, |input| input.tool_result = Some(result));
    for input in [before, after] {
        for (command, expected) in [
            (row.input(), row.expected()),
            ("exec <&-; echo no >&2; exit 2", r#"{"allowed":false,"message":"no","exit_code":2,"stderr":"no\n"}"#),
            ("exit 0", r#"{"allowed":true}"#),
        ] {
            let agent = Agent::empty(Generation::V1_58, &types()).with(input.event, hook("command", command));
            assert_eq!(agent.ask(input.clone()).await.to_json(), expected, "{}: {command}", input.event);
        }
        // The whole text is there for a hook that reads it.
        let count = hook("command", "test $(wc -c) -gt 1048500 && exit 2");
        assert!(!Agent::empty(Generation::V1_58, &types()).with(input.event, count).ask(input).await.allowed);
    }
    row.holds();
}
