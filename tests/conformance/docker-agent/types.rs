//! docker-agent: builtins and types of hook that the embedding program adds.

use super::{Agent, assert_failed, hook, input, input_with, types};
use crate::conformance::by_test::{Named, Row, named, row, rows};
use async_trait::async_trait;
use hookbox::dialect::docker_agent::{Generation, Handled, Handler, HandlerError, HookTypes, RegisterError};
use hookbox::{Action, Event, Input, Json};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

pub(super) const TESTS: &[Named] = named![
    builtins_are_registered_by_name,
    a_builtin_of_the_embedding_program_is_asked,
    a_builtin_without_a_name_is_rejected,
    an_error_of_a_builtin_denies,
    builtins_are_looked_up_when_they_are_asked,
    what_is_registered_again_is_replaced,
    a_stock_builtin_does_not_replace_one_of_the_embedding_program,
    the_same_builtin_is_asked_once_per_args,
    a_custom_type_is_asked,
    an_unknown_type_is_rejected,
    an_error_of_a_handler_denies,
    an_error_of_a_handler_keeps_its_stderr,
];

/// Returns the row that names this test.
fn given(test: &str) -> Row {
    row("docker-agent", test)
}

/// A list that a hook writes and a test reads.
type Log<T> = Arc<Mutex<Vec<T>>>;

/// A handler that says the same each time, and remembers the payloads.
struct Fixed {
    answer: Result<Handled, HandlerError>,
    payloads: Log<String>,
}

#[async_trait]
impl Handler for Fixed {
    async fn run(&self, payload: &[u8]) -> Result<Handled, HandlerError> {
        self.payloads.lock().unwrap().push(String::from_utf8(payload.to_vec()).unwrap());
        self.answer.clone()
    }
}

/// Returns types with one named `custom`, whose hooks give this answer, and a log of the payloads that the hooks were
/// sent.
fn with_custom(answer: Result<Handled, HandlerError>) -> (Arc<HookTypes>, Log<String>) {
    let (types, payloads) = (types(), Log::default());
    let handler = Arc::new(Fixed { answer, payloads: Arc::clone(&payloads) });
    types.register_type("custom", move |_, _| Ok(Arc::clone(&handler) as Arc<dyn Handler>)).unwrap();
    (types, payloads)
}

/// Returns a file with one hook of this type for every tool.
fn config(kind: &str, command: &str) -> String {
    let hook = format!("{{type: {kind}, command: {command}}}");
    format!("hooks:\n  pre_tool_use:\n    - matcher: \"*\"\n      hooks: [{hook}]\n")
}

/// Returns an Input for a call of `shell`.
fn shell() -> Input {
    input_with(Event::PreTool, |input| input.tool_input = Some(Json::parse(r#"{"cmd":"ls"}"#).unwrap()))
}

#[tokio::test]
async fn a_stock_builtin_does_not_replace_one_of_the_embedding_program() {
    for row in rows("docker-agent", "a_stock_builtin_does_not_replace_one_of_the_embedding_program") {
        for generation in [Generation::V1_58, Generation::V3] {
            let (types, said) = (types(), row.expected().to_owned());
            types.register(row.input(), move |_, _| Ok(Some(Action::deny(said.as_str())))).unwrap();
            let result = Agent::load(generation, &types, &config("builtin", row.input())).ask(shell()).await;
            assert_eq!((result.allowed, result.message.as_str()), (false, row.expected()), "{}", row.name());
        }
        row.holds();
    }
}

#[test]
fn builtins_are_registered_by_name() {
    let row = given("builtins_are_registered_by_name");
    let (types, name) = (HookTypes::empty(), row.input());
    assert_eq!(types.register("", |_, _| Ok(None)), Err(RegisterError));
    assert!(types.builtin("").is_none());
    assert_eq!(types.register(name, |_, _| Ok(Some(Action::deny("echo")))), Ok(()));
    let echo = types.builtin(name).unwrap();
    assert_eq!(echo(&shell(), &[]), Ok(Some(Action::deny("echo"))));
    assert!(types.builtin("never-registered").is_none());

    assert_eq!(types.register_type("", |_, _| Err("no".to_owned())), Err(RegisterError));
    assert!(!types.has_handler(""));
    assert_eq!(types.register_type("custom", |_, _| Err("no".to_owned())), Ok(()));
    assert!(types.has_handler("custom") && !types.has_handler("never-registered"));
    row.holds();
}

#[tokio::test]
async fn a_builtin_of_the_embedding_program_is_asked() {
    let row = given("a_builtin_of_the_embedding_program_is_asked");
    let (types, asked) = (types(), Log::default());
    let log = Arc::clone(&asked);
    let deny = move |input: &Input, args: &[String]| {
        log.lock().unwrap().push((input.tool_name.clone().unwrap(), args.to_vec()));
        Ok(Some(Action::deny("denied by builtin hook")))
    };
    types.register("deny", deny).unwrap();
    let agent = Agent::load(Generation::V1_58, &types, &config("builtin", row.input()));
    let result = agent.ask(shell()).await;
    assert_eq!((result.allowed, result.exit_code), (false, 0));
    assert_eq!(result.message, row.expected());
    assert_eq!(*asked.lock().unwrap(), [("shell".to_owned(), vec!["a".to_owned(), "b".to_owned()])]);
    row.holds();
}

#[tokio::test]
async fn a_builtin_without_a_name_is_rejected() {
    let row = given("a_builtin_without_a_name_is_rejected");
    let agent = Agent::empty(Generation::V1_58, &types()).with(Event::PreTool, hook("builtin", row.input()));
    assert_failed(&agent.ask(shell()).await, row.expected());
    row.holds();
}

#[tokio::test]
async fn an_error_of_a_builtin_denies() {
    let row = given("an_error_of_a_builtin_denies");
    let (types, error) = (types(), row.input().to_owned());
    types.register("fails", move |_, _| Err(error.clone())).unwrap();
    let agent = Agent::load(Generation::V1_58, &types, &config("builtin", "fails"));
    assert_failed(&agent.ask(shell()).await, row.input());
    row.holds();
}

#[tokio::test]
async fn builtins_are_looked_up_when_they_are_asked() {
    let row = given("builtins_are_looked_up_when_they_are_asked");
    let (types, name) = (types(), row.input());
    let agent = Agent::load(Generation::V1_58, &types, &config("builtin", name));
    assert_failed(&agent.ask(shell()).await, &format!("no builtin hook registered as {name:?}"));
    types.register(name, |_, _| Ok(Some(Action::deny("found")))).unwrap();
    assert_eq!(agent.ask(shell()).await.message, "found");
    row.holds();
}

#[tokio::test]
async fn what_is_registered_again_is_replaced() {
    let row = given("what_is_registered_again_is_replaced");
    let types = types();
    for text in ["first", "second"] {
        types.register("builtin", move |_, _| Ok(Some(Action::deny(text)))).unwrap();
        let handled = Handled::action(Action::deny(text));
        let factory = move |_: &str, _: &[String]| {
            let handler = Fixed { answer: Ok(handled.clone()), payloads: Log::default() };
            Ok(Arc::new(handler) as Arc<dyn Handler>)
        };
        types.register_type("custom", factory).unwrap();
    }
    let kinds: Vec<&str> = row.input().split_whitespace().collect();
    assert_eq!(kinds.len(), 2);
    for kind in kinds {
        let agent = Agent::load(Generation::V1_58, &types, &config(kind, "builtin"));
        assert_eq!(agent.ask(shell()).await.message, row.expected(), "{kind}");
    }
    row.holds();
}

#[tokio::test]
async fn the_same_builtin_is_asked_once_per_args() {
    let row = given("the_same_builtin_is_asked_once_per_args");
    let (types, asked) = (types(), Log::default());
    let log = Arc::clone(&asked);
    let count = move |_: &Input, args: &[String]| {
        log.lock().unwrap().push(args.join(","));
        Ok(None)
    };
    types.register("count", count).unwrap();
    let agent = Agent::load(Generation::V1_58, &types, row.input());
    assert!(agent.ask(input(Event::SessionStart)).await.allowed);
    let mut asked = asked.lock().unwrap().clone();
    asked.sort();
    assert_eq!(asked.join("|"), row.expected());
    row.holds();
}

#[tokio::test]
async fn a_custom_type_is_asked() {
    let row = given("a_custom_type_is_asked");
    let handled = Handled::action(Action::deny(row.expected()));
    let (types, payloads) = with_custom(Ok(handled));
    let agent = Agent::load(Generation::V1_58, &types, row.input());
    let result = agent.ask(shell()).await;
    assert!(!result.allowed && result.message.contains(row.expected()), "{result:?}");
    let payloads = payloads.lock().unwrap().clone();
    assert_eq!(payloads.len(), 1);
    let payload: Value = serde_json::from_str(&payloads[0]).unwrap();
    assert_eq!((&payload["hook_event_name"], &payload["tool_name"]), (&json!("pre_tool_use"), &json!("shell")));

    // If the handler does not return a finished answer, its output counts like a command's.
    for (stdout, exit_code, expected) in [
        (r#"{"decision":"block","reason":"no"}"#, 0, r#"{"allowed":false,"message":"no"}"#),
        (r#"{"decision":"block","reason":"no"}"#, 1, r#"{"allowed":true}"#),
        ("", 2, r#"{"allowed":false,"message":"said","exit_code":2,"stderr":" said\n"}"#),
    ] {
        let (stdout, stderr) = (stdout.to_owned(), " said\n".to_owned());
        let (types, _) = with_custom(Ok(Handled::output(stdout, stderr, exit_code)));
        let agent = Agent::load(Generation::V1_58, &types, &config("custom", "whatever"));
        assert_eq!(agent.ask(shell()).await.to_json(), expected);
    }

    // Each time, a new handler is made from the entry.
    let made = Log::default();
    let log = Arc::clone(&made);
    let factory = move |command: &str, args: &[String]| {
        log.lock().unwrap().push((command.to_owned(), args.to_vec()));
        Ok(Arc::new(Fixed { answer: Ok(Handled::default()), payloads: Log::default() }) as Arc<dyn Handler>)
    };
    types.register_type("custom", factory).unwrap();
    let agent = Agent::load(Generation::V1_58, &types, &config("custom", "run, args: [a]"));
    for _ in 0..2 {
        assert_eq!(agent.ask(shell()).await.to_json(), r#"{"allowed":true}"#);
    }
    let entry = ("run".to_owned(), vec!["a".to_owned()]);
    assert_eq!(*made.lock().unwrap(), [entry.clone(), entry]);
    row.holds();
}

#[tokio::test]
async fn an_unknown_type_is_rejected() {
    let row = given("an_unknown_type_is_rejected");
    let agent = Agent::empty(Generation::V1_58, &types()).with(Event::PreTool, hook(row.input(), "whatever"));
    assert_failed(&agent.ask(shell()).await, row.expected());
    row.holds();
}

#[tokio::test]
async fn an_error_of_a_handler_denies() {
    let row = given("an_error_of_a_handler_denies");
    let (types, payloads) = with_custom(Err(HandlerError::new(row.input())));
    let agent = Agent::load(Generation::V1_58, &types, &config("custom", "whatever"));
    let result = agent.ask(shell()).await;
    assert_failed(&result, row.input());
    assert_eq!((result.stderr.as_str(), payloads.lock().unwrap().len()), ("", 1));

    types.register_type("custom", |_, _| Err("not from this".to_owned())).unwrap();
    assert_failed(&agent.ask(shell()).await, "not from this");

    // On another event, a failure only denies if the hook says so.
    for (on_error, allowed) in [("", true), ("warn", true), ("ignore", true), ("block", false)] {
        let definition = hook("custom", "whatever").with_on_error(on_error);
        let agent = Agent::empty(Generation::V1_58, &types).with(Event::TurnStart, definition);
        assert_eq!(agent.ask(input(Event::TurnStart)).await.allowed, allowed, "{on_error:?}");
    }
    row.holds();
}

#[tokio::test]
async fn an_error_of_a_handler_keeps_its_stderr() {
    let row = given("an_error_of_a_handler_keeps_its_stderr");
    let stderr = row.input().to_owned();
    let (types, _) = with_custom(Err(HandlerError::new("out of order").with_stderr(stderr)));
    let agent = Agent::load(Generation::V1_58, &types, &config("custom", "whatever"));
    let result = agent.ask(shell()).await;
    assert_failed(&result, "out of order");
    assert_eq!(result.stderr, row.input());
    row.holds();
}
