//! docker-agent: hooks that ask a model.

use super::{Agent, assert_failed, input, input_with, types};
use crate::conformance::by_test::{Named, named, row, rows};
use async_trait::async_trait;
use hookbox::dialect::docker_agent::{
    Definition, DispatchResult, Generation, HookTypes, ModelClient, ModelRequest, RegisterError, ResponseSchema,
};
use hookbox::{Action, Event, Input, Json, Permission};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(super) const TESTS: &[Named] = named![
    the_factory_wants_a_model_and_a_prompt,
    without_a_client_the_first_dispatch_fails,
    the_prompt_is_rendered_and_the_reply_is_context,
    the_client_gets_the_schema,
    an_error_of_the_client_is_a_failure,
    a_slow_client_times_out,
    replies_of_a_judge,
    a_judge_of_a_permission_request,
    a_judge_sees_what_those_before_it_made_of_the_input,
    a_judge_of_an_event_that_cannot_be_stopped,
    a_reply_without_a_schema_is_context,
    two_model_hooks_without_args_are_one,
    the_decision_shape_is_there_from_the_start,
    the_shape_without_a_name_is_the_default,
    shapes_need_a_name_and_a_function,
    a_shape_of_the_embedding_program,
];

/// The schema of a judge.
const DECISION: &str = "pre_tool_use_decision";

/// A client that says the same each time, and remembers what it was asked.
pub(super) struct Client {
    reply: Result<String, String>,
    takes: Duration,
    asked: Mutex<Vec<ModelRequest>>,
}

#[async_trait]
impl ModelClient for Client {
    async fn ask(&self, request: &ModelRequest) -> Result<String, String> {
        self.asked.lock().unwrap().push(request.clone());
        tokio::time::sleep(self.takes).await;
        self.reply.clone()
    }
}

impl Client {
    pub(super) fn saying(reply: &str) -> Arc<Self> {
        Arc::new(Client { reply: Ok(reply.to_owned()), takes: Duration::ZERO, asked: Mutex::default() })
    }

    pub(super) fn asked(&self) -> Vec<ModelRequest> {
        self.asked.lock().unwrap().clone()
    }
}

/// Returns the stock types of hook, with this client.
pub(super) fn asking(client: &Arc<Client>) -> Arc<HookTypes> {
    let types = types();
    types.set_model_client(Arc::clone(client) as Arc<dyn ModelClient>);
    types
}

/// Returns a model hook.
pub(super) fn model(prompt: &str, schema: &str) -> Definition {
    Definition::model("openai/x", prompt).with_schema(schema)
}

/// Returns the result of one hook.
pub(super) async fn ask(types: &Arc<HookTypes>, definition: Definition, input: Input) -> DispatchResult {
    Agent::empty(Generation::V1_58, types).with(input.event, definition).ask(input).await
}

/// Returns the result of a judge's reply on an event.
async fn judged(event: Event, reply: &str) -> DispatchResult {
    ask(&asking(&Client::saying(reply)), model("judge", DECISION), input(event)).await
}

/// Returns a result in which only this differs from the default.
fn only(change: impl FnOnce(&mut DispatchResult)) -> DispatchResult {
    let mut result = DispatchResult::default();
    change(&mut result);
    result
}

/// Returns what the message of a judge says.
fn told(decision: &str, reason: &str) -> String {
    format!("🤖 model judge: {decision} — {reason}")
}

#[tokio::test]
async fn the_factory_wants_a_model_and_a_prompt() {
    let client = Client::saying("x");
    let whole = model("judge", "");
    for row in rows("docker-agent", "the_factory_wants_a_model_and_a_prompt") {
        let definition = match row.input() {
            "model" => Definition::model("", whole.prompt.as_str()),
            "prompt" => Definition::model(whole.model.as_str(), ""),
            other => panic!("{other}"),
        };
        let result = ask(&asking(&client), definition, input(Event::PreTool)).await;
        assert_failed(&result, row.expected());
        row.holds();
    }
    assert_eq!(client.asked(), []);
}

#[tokio::test]
async fn without_a_client_the_first_dispatch_fails() {
    for row in rows("docker-agent", "without_a_client_the_first_dispatch_fails") {
        let definition = model("judge", row.input()).with_on_error("block");
        let result = ask(&types(), definition, input(row.event().unwrap())).await;
        assert_eq!((result.allowed, result.exit_code), (false, -1), "{result:?}");
        assert!(result.message.contains(row.expected()), "{result:?}");
        row.holds();
    }
}

#[tokio::test]
async fn the_prompt_is_rendered_and_the_reply_is_context() {
    let row = row("docker-agent", "the_prompt_is_rendered_and_the_reply_is_context");
    let client = Client::saying("be careful");
    let args = Json::parse(r#"{"cmd":"ls"}"#).unwrap();
    let input = input_with(Event::TurnStart, |input| {
        input.tool_name = Some("shell".to_owned());
        input.tool_input = Some(args);
    });
    let result = ask(&asking(&client), model(row.input(), ""), input).await;
    assert_eq!(result.to_json(), r#"{"allowed":true,"additional_context":"be careful"}"#);
    let asked = client.asked();
    assert_eq!(asked.len(), 1);
    assert_eq!((asked[0].model.as_str(), &asked[0].schema), ("openai/x", &None));
    assert_eq!(asked[0].prompt, row.expected());
    assert!(asked[0].system.contains("hook") && asked[0].system.contains("JSON"), "{}", asked[0].system);
    row.holds();
}

#[tokio::test]
async fn the_client_gets_the_schema() {
    let client = Client::saying(r#"{"decision":"allow","reason":"safe"}"#);
    let row = row("docker-agent", "the_client_gets_the_schema");
    ask(&asking(&client), model("judge", row.input()), input(Event::PreTool)).await;
    let schema = client.asked()[0].schema.clone().unwrap();
    assert_eq!((schema.name.as_str(), schema.strict), (DECISION, true));
    assert_eq!(Some(schema), types().schema(DECISION));
    row.holds();
}

#[tokio::test]
async fn an_error_of_the_client_is_a_failure() {
    for row in rows("docker-agent", "an_error_of_the_client_is_a_failure") {
        let reply = Err(row.input().to_owned());
        let client = Arc::new(Client { reply, takes: Duration::ZERO, asked: Mutex::default() });
        let types = asking(&client);
        for schema in ["", DECISION] {
            let result = ask(&types, model("judge", schema), input(Event::PreTool)).await;
            assert_failed(&result, row.expected());
        }
        let elsewhere = ask(&types, model("judge", ""), input(Event::TurnStart)).await;
        assert_eq!((elsewhere.to_json().as_str(), client.asked().len()), (r#"{"allowed":true}"#, 3));
        row.holds();
    }
}

#[tokio::test(start_paused = true)]
async fn a_slow_client_times_out() {
    let row = row("docker-agent", "a_slow_client_times_out");
    let reply = Ok(r#"{"decision":"allow","reason":"safe"}"#.to_owned());
    let client = Arc::new(Client { reply, takes: Duration::from_secs(2), asked: Mutex::default() });
    let limited = |seconds| model("judge", DECISION).with_timeout(seconds);
    let result = ask(&asking(&client), limited(row.input().parse().unwrap()), input(Event::PreTool)).await;
    assert_failed(&result, row.expected());
    let result = ask(&asking(&client), limited(3), input(Event::PreTool)).await;
    assert_eq!(result.decision, Some(Permission::Allow));
    row.holds();
}

/// A row expects the decision and its reason, or `error` and the words of the error. Words that end in a blank are only
/// the beginning.
#[tokio::test]
async fn replies_of_a_judge() {
    for row in rows("docker-agent", "replies_of_a_judge") {
        let result = judged(Event::PreTool, row.input()).await;
        let (decision, reason) = row.expected().split_once(": ").unwrap();
        let words = [("allow", Permission::Allow), ("ask", Permission::Ask), ("deny", Permission::Deny)];
        let Some((_, permission)) = words.into_iter().find(|(word, _)| *word == decision) else {
            assert_eq!(decision, "error", "{}", row.name());
            assert_interprets_nothing(&result, reason, row.name());
            row.holds();
            continue;
        };
        let expected = only(|result| {
            result.allowed = permission != Permission::Deny;
            result.message = if permission == Permission::Deny { reason.to_owned() } else { String::new() };
            result.additional_context = if permission == Permission::Allow { reason.to_owned() } else { String::new() };
            result.system_message = told(decision, reason);
            result.decision = Some(permission);
            result.decision_reason = reason.to_owned();
        });
        assert_eq!(result, expected, "{}", row.name());
        row.holds();
    }
}

#[track_caller]
fn assert_interprets_nothing(result: &DispatchResult, error: &str, row: &str) {
    let message = format!("PreToolUse hook failed to execute: interpret reply: {error}");
    assert!(result.message.starts_with(&message), "{row}: {result:?}");
    // The decoder's own words follow; everything else is the whole message.
    assert_eq!(result.message == message, !error.ends_with(' '), "{row}: {result:?}");
    let expected = only(|expected| {
        (expected.allowed, expected.exit_code) = (false, -1);
        expected.message.clone_from(&result.message);
    });
    assert_eq!(*result, expected, "{row}");
}

#[tokio::test]
async fn a_judge_of_a_permission_request() {
    let row = row("docker-agent", "a_judge_of_a_permission_request");
    let result = judged(Event::PermissionRequest, row.input()).await;
    let expected = only(|result| {
        result.permission_allowed = true;
        result.additional_context = row.expected().to_owned();
        result.system_message = told("allow", row.expected());
    });
    assert_eq!(result, expected);
    row.holds();
}

#[tokio::test]
async fn a_judge_sees_what_those_before_it_made_of_the_input() {
    let row = row("docker-agent", "a_judge_sees_what_those_before_it_made_of_the_input");
    let client = Client::saying(r#"{"decision":"deny","reason":"seen"}"#);
    let rewrite = json!({ "hook_specific_output": { "updated_input": { "cmd": row.input() } } }).to_string();
    let config = json!({ "hooks": { "pre_tool_use": [{ "hooks": [
        { "type": "command", "command": format!("printf '%s' '{rewrite}'") },
        { "type": "model", "model": "openai/x", "schema": DECISION, "prompt": "judge {{ .ToolInput.cmd }}" },
    ] }] } });
    let args = Json::parse(r#"{"cmd":"ls"}"#).unwrap();
    let input = input_with(Event::PreTool, |input| input.tool_input = Some(args));
    let result = Agent::load(Generation::V3, &asking(&client), &config.to_string()).ask(input).await;
    assert_eq!((result.allowed, result.message.as_str()), (false, "seen"), "{result:?}");
    let prompts: Vec<String> = client.asked().into_iter().map(|request| request.prompt).collect();
    assert_eq!(prompts, [row.expected()]);
    row.holds();
}

#[tokio::test]
async fn a_judge_of_an_event_that_cannot_be_stopped() {
    let row = row("docker-agent", "a_judge_of_an_event_that_cannot_be_stopped");
    let result = judged(Event::TurnStart, row.input()).await;
    assert_eq!(result, only(|result| result.system_message = told("deny", row.expected())));
    row.holds();
}

#[tokio::test]
async fn a_reply_without_a_schema_is_context() {
    for row in rows("docker-agent", "a_reply_without_a_schema_is_context") {
        let client = Client::saying(row.input());
        let result = ask(&asking(&client), model("judge", ""), input(row.event().unwrap())).await;
        let expected = only(|result| result.additional_context = row.expected().to_owned());
        assert_eq!((result, client.asked().len()), (expected, 1), "{}", row.name());
        row.holds();
    }
}

#[tokio::test]
async fn two_model_hooks_without_args_are_one() {
    for row in rows("docker-agent", "two_model_hooks_without_args_are_one") {
        let asked: Vec<&str> = row.expected().split_whitespace().collect();
        let message = vec![told("ask", "x"); asked.len()].join("\n");
        let client = Client::saying(r#"{"decision":"ask","reason":"x"}"#);
        let hook = |prompt: &str, args: &str| {
            format!("        - {{type: model, model: openai/x, schema: {DECISION}, prompt: {prompt}{args}}}\n")
        };
        let hooks = hook("first", "") + &hook("second", row.input());
        let config = format!("hooks:\n  pre_tool_use:\n    - hooks:\n{hooks}");
        let result = Agent::load(Generation::V1_58, &asking(&client), &config).ask(input(Event::PreTool)).await;
        assert_eq!(result.system_message, message);
        let mut prompts: Vec<String> = client.asked().into_iter().map(|request| request.prompt).collect();
        prompts.sort();
        assert_eq!(prompts, asked, "{}", row.name());
        row.holds();
    }
}

#[test]
fn the_decision_shape_is_there_from_the_start() {
    let row = row("docker-agent", "the_decision_shape_is_there_from_the_start");
    for types in [HookTypes::default(), HookTypes::empty()] {
        assert!(types.has_shape(row.input()) && !types.has_shape("no_such_shape"));
        let schema = types.schema(row.input()).unwrap();
        assert!(schema.strict);
        let schema: Value = schema.schema.to().unwrap();
        assert_eq!(schema["type"], "object");
        assert_eq!(schema["required"], json!(["decision", "reason"]));
        assert_eq!(schema["additionalProperties"], false);
        let properties = &schema["properties"];
        assert_eq!(
            (&properties["decision"]["type"], &properties["reason"]["type"]),
            (&json!("string"), &json!("string"))
        );
        let mut names = properties["decision"]["enum"].as_array().unwrap().clone();
        names.sort_by_key(ToString::to_string);
        assert_eq!(names, ["allow", "ask", "deny"]);
    }
    row.holds();
}

#[tokio::test]
async fn the_shape_without_a_name_is_the_default() {
    assert!(types().has_shape(""));
    assert_eq!(types().schema(""), None);
    // A text that looks like a verdict is only text.
    let row = row("docker-agent", "the_shape_without_a_name_is_the_default");
    let client = Client::saying(row.input());
    let result = ask(&asking(&client), model("judge", ""), input(Event::PreTool)).await;
    assert_eq!(result, only(|result| result.additional_context = row.input().to_owned()));
    assert_eq!(client.asked()[0].schema, None);
    row.holds();
}

/// Returns a schema of this name.
fn schema(name: &str) -> ResponseSchema {
    ResponseSchema::new(name, Json::parse(r#"{"type":"string"}"#).unwrap())
}

#[tokio::test]
async fn shapes_need_a_name_and_a_function() {
    let row = row("docker-agent", "shapes_need_a_name_and_a_function");
    let client = Client::saying("hi");
    let types = asking(&client);
    assert_eq!(types.register_shape(row.input(), |_, _| Err("replaced".to_owned())), Err(RegisterError));
    assert_eq!(types.register_schema(schema(row.input())), Err(RegisterError));
    // The shape and the schema without a name stay.
    let result = ask(&types, model("judge", ""), input(Event::TurnStart)).await;
    assert_eq!((result.additional_context.as_str(), &client.asked()[0].schema), ("hi", &None));
    row.holds();
}

#[tokio::test]
async fn a_shape_of_the_embedding_program() {
    let row = row("docker-agent", "a_shape_of_the_embedding_program");
    let name = row.input();
    let client = Client::saying("hello");
    let types = asking(&client);
    for prefix in ["replaced", "shape saw"] {
        let shape = move |reply: &str, _: Event| {
            Ok(set!(Action::default(), additional_context: Some(format!("{prefix}: {reply}"))))
        };
        types.register_shape(name, shape).unwrap();
    }
    let result = ask(&types, model("judge", name), input(Event::TurnStart)).await;
    assert_eq!((result.additional_context.as_str(), &client.asked()[0].schema), (row.expected(), &None));
    types.register_schema(schema(name)).unwrap();
    ask(&types, model("judge", name), input(Event::TurnStart)).await;
    assert_eq!(client.asked()[1].schema, Some(schema(name)));
    row.holds();
}
