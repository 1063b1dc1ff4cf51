//! docker-agent: hooks that ask a model.

use super::{Agent, assert_failed, hook, input, input_with, types};
use async_trait::async_trait;
use hookbox::dialect::docker_agent::{
    Definition, DispatchResult, Generation, HookTypes, ModelClient, ModelRequest, RegisterError, ResponseSchema,
};
use hookbox::{Action, Event, Input, Json, Permission};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The schema of a judge.
const DECISION: &str = "pre_tool_use_decision";

/// Says the same each time, and remembers what it was asked.
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

/// The stock types of hook, with this client.
pub(super) fn asking(client: &Arc<Client>) -> Arc<HookTypes> {
    let types = types();
    types.set_model_client(Arc::clone(client) as Arc<dyn ModelClient>);
    types
}

/// A model hook.
pub(super) fn model(prompt: &str, schema: &str) -> Definition {
    Definition {
        model: "openai/x".to_owned(),
        prompt: prompt.to_owned(),
        schema: schema.to_owned(),
        ..hook("model", "")
    }
}

/// What one hook comes to.
pub(super) async fn ask(types: &Arc<HookTypes>, definition: Definition, input: Input) -> DispatchResult {
    Agent::empty(Generation::V1_58, types).with(input.event, definition).ask(input).await
}

/// What a judge's reply on an event comes to.
async fn judged(event: Event, reply: &str) -> DispatchResult {
    ask(&asking(&Client::saying(reply)), model("judge", DECISION), input(event)).await
}

/// What the message of a judge says.
fn told(decision: &str, reason: &str) -> String {
    format!("🤖 model judge: {decision} — {reason}")
}

#[tokio::test]
async fn the_factory_wants_a_model_and_a_prompt() {
    let client = Client::saying("x");
    let whole = model("judge", "");
    for (definition, missing) in [
        (Definition { model: String::new(), ..whole.clone() }, "model"),
        (Definition { prompt: String::new(), ..whole }, "prompt"),
    ] {
        let result = ask(&asking(&client), definition, input(Event::PreTool)).await;
        assert_failed(&result, &format!("model hook requires a non-empty {missing}"));
    }
    assert_eq!(client.asked(), []);
}

#[tokio::test]
async fn the_prompt_is_rendered_and_the_reply_is_context() {
    let client = Client::saying("be careful");
    let args = Json::parse(r#"{"cmd":"ls"}"#).unwrap();
    let input = input_with(Event::TurnStart, |input| {
        input.tool_name = Some("shell".to_owned());
        input.tool_input = Some(args);
    });
    let prompt = "Tool: {{ .ToolName }}\nInput: {{ .ToolInput | toJSON }}";
    let result = ask(&asking(&client), model(prompt, ""), input).await;
    assert_eq!(result.to_json(), r#"{"allowed":true,"additional_context":"be careful"}"#);
    let asked = client.asked();
    assert_eq!(asked.len(), 1);
    assert_eq!((asked[0].model.as_str(), &asked[0].schema), ("openai/x", &None));
    assert_eq!(asked[0].prompt, "Tool: shell\nInput: {\"cmd\":\"ls\"}");
    assert!(asked[0].system.contains("hook") && asked[0].system.contains("JSON"), "{}", asked[0].system);
}

#[tokio::test]
async fn the_client_gets_the_schema() {
    let client = Client::saying(r#"{"decision":"allow","reason":"safe"}"#);
    ask(&asking(&client), model("judge", DECISION), input(Event::PreTool)).await;
    let schema = client.asked()[0].schema.clone().unwrap();
    assert_eq!((schema.name.as_str(), schema.strict), (DECISION, true));
    assert_eq!(Some(schema), types().schema(DECISION));
}

#[tokio::test]
async fn an_error_of_the_client_is_a_failure() {
    let client = Client { reply: Err("rate limit".to_owned()), takes: Duration::ZERO, asked: Mutex::default() };
    let types = asking(&Arc::new(client));
    for schema in ["", DECISION] {
        let result = ask(&types, model("judge", schema), input(Event::PreTool)).await;
        assert_failed(&result, "model openai/x: rate limit");
    }
    assert_eq!(ask(&types, model("judge", ""), input(Event::TurnStart)).await.to_json(), r#"{"allowed":true}"#);
}

#[tokio::test(start_paused = true)]
async fn a_slow_client_times_out() {
    let reply = Ok(r#"{"decision":"allow","reason":"safe"}"#.to_owned());
    let client = Arc::new(Client { reply, takes: Duration::from_secs(2), asked: Mutex::default() });
    let limited = |seconds| Definition { timeout: Some(seconds), ..model("judge", DECISION) };
    let result = ask(&asking(&client), limited(1), input(Event::PreTool)).await;
    assert_failed(&result, r#"hook "" timed out after 1s: context deadline exceeded"#);
    let result = ask(&asking(&client), limited(3), input(Event::PreTool)).await;
    assert_eq!(result.decision, Some(Permission::Allow));
}

#[tokio::test]
async fn replies_of_a_judge() {
    use Permission::{Allow, Ask, Deny};
    for (reply, permission, reason) in [
        (r#"{"decision":"allow","reason":"safe"}"#, Allow, "safe"),
        (r#"{"decision":"deny","reason":"rm -rf"}"#, Deny, "rm -rf"),
        (r#"{"decision":"ask","reason":"unclear"}"#, Ask, "unclear"),
        (r#"{"decision":"ALLOW","reason":"x"}"#, Allow, "x"),
        ("```json\n{\"decision\":\"ask\",\"reason\":\"x\"}\n```", Ask, "x"),
        ("Let me see:\n{\"decision\":\"deny\",\"reason\":\"x\"}\nThat is it.", Deny, "x"),
        (r#"{"decision":" Deny ","reason":"  x "}"#, Deny, "x"),
        (r#"{"decision":"ask"}"#, Ask, "no reason provided"),
        (r#"{"decision":"ask","reason":"  "}"#, Ask, "no reason provided"),
        ("```\n{\"decision\":\"deny\",\"reason\":\"x\"}\n```", Deny, "x"),
        (r#"```{"decision":"deny","reason":"x"}```"#, Deny, "x"),
        (r#"[{"decision":"allow","reason":"r"}]"#, Allow, "r"),
        (r#"{"decision":"deny","reason":"x","risk":{"level":3}}"#, Deny, "x"),
    ] {
        let expected = DispatchResult {
            allowed: permission != Deny,
            message: if permission == Deny { reason.to_owned() } else { String::new() },
            additional_context: if permission == Allow { reason.to_owned() } else { String::new() },
            system_message: told(permission.as_str(), reason),
            decision: Some(permission),
            decision_reason: reason.to_owned(),
            ..DispatchResult::default()
        };
        assert_eq!(judged(Event::PreTool, reply).await, expected, "{reply}");
    }
    let object = r#"{"decision":"allow","reason":"x"}"#;
    for (reply, error) in [
        ("", "empty model reply"),
        ("   ", "empty model reply"),
        ("I refuse to answer.", "no JSON object in reply"),
        ("}{", "no JSON object in reply"),
        (r#"{"decision":"maybe","reason":"x"}"#, r#"invalid decision "maybe" (want allow|ask|deny)"#),
        (r#"{"decision":"block","reason":"x"}"#, r#"invalid decision "block" (want allow|ask|deny)"#),
        (r#"{"reason":"x"}"#, r#"invalid decision "" (want allow|ask|deny)"#),
        ("{decision: allow}", "parse decision json: "),
        (r#"{"decision":true,"reason":"x"}"#, "parse decision json: "),
        (&format!("ok {object} and }} end"), "parse decision json: "),
        (&format!("{object}\n{object}"), "parse decision json: "),
    ] {
        let result = judged(Event::PreTool, reply).await;
        let message = format!("PreToolUse hook failed to execute: interpret reply: {error}");
        assert!(result.message.starts_with(&message), "{reply}: {result:?}");
        // What the decoder has to say follows; everything else is the whole message.
        assert_eq!(result.message == message, !error.ends_with(' '), "{reply}: {result:?}");
        let expected =
            DispatchResult { allowed: false, exit_code: -1, message: result.message.clone(), ..Default::default() };
        assert_eq!(result, expected, "{reply}");
    }
}

#[tokio::test]
async fn a_judge_of_other_events() {
    let result = judged(Event::PermissionRequest, r#"{"decision":"allow","reason":"r"}"#).await;
    let expected = DispatchResult {
        permission_allowed: true,
        additional_context: "r".to_owned(),
        system_message: told("allow", "r"),
        ..DispatchResult::default()
    };
    assert_eq!(result, expected);
    let result = judged(Event::TurnStart, r#"{"decision":"deny","reason":"r"}"#).await;
    assert_eq!(result, DispatchResult { system_message: told("deny", "r"), ..DispatchResult::default() });
}

#[tokio::test]
async fn a_reply_without_a_schema_is_context() {
    for (event, reply, context) in
        [(Event::TurnStart, "  hi \n", "hi"), (Event::TurnStart, " \n ", ""), (Event::PreTool, "x", "x")]
    {
        let result = ask(&asking(&Client::saying(reply)), model("judge", ""), input(event)).await;
        let expected = DispatchResult { additional_context: context.to_owned(), ..DispatchResult::default() };
        assert_eq!(result, expected, "{event}: {reply:?}");
    }
}

#[tokio::test]
async fn two_model_hooks_without_args_are_one() {
    for (args, asked, message) in [
        ("", vec!["first"], told("ask", "x")),
        (", args: [other]", vec!["first", "second"], [told("ask", "x"), told("ask", "x")].join("\n")),
    ] {
        let client = Client::saying(r#"{"decision":"ask","reason":"x"}"#);
        let hook = |prompt: &str, args: &str| {
            format!("        - {{type: model, model: openai/x, schema: {DECISION}, prompt: {prompt}{args}}}\n")
        };
        let hooks = hook("first", "") + &hook("second", args);
        let config = format!("hooks:\n  pre_tool_use:\n    - hooks:\n{hooks}");
        let result = Agent::load(Generation::V1_58, &asking(&client), &config).ask(input(Event::PreTool)).await;
        assert_eq!(result.system_message, message);
        let mut prompts: Vec<String> = client.asked().into_iter().map(|request| request.prompt).collect();
        prompts.sort();
        assert_eq!(prompts, asked);
    }
}

#[test]
fn the_decision_shape_is_there_from_the_start() {
    for types in [HookTypes::default(), HookTypes::empty()] {
        assert!(types.has_shape(DECISION) && !types.has_shape("no_such_shape"));
        let schema = types.schema(DECISION).unwrap();
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
}

#[tokio::test]
async fn the_shape_without_a_name_is_the_default() {
    assert!(types().has_shape(""));
    assert_eq!(types().schema(""), None);
    // What looks like a verdict is text.
    let reply = r#"{"decision":"deny","reason":"x"}"#;
    let client = Client::saying(reply);
    let result = ask(&asking(&client), model("judge", ""), input(Event::PreTool)).await;
    assert_eq!(result, DispatchResult { additional_context: reply.to_owned(), ..DispatchResult::default() });
    assert_eq!(client.asked()[0].schema, None);
}

/// A schema of this name.
fn schema(name: &str) -> ResponseSchema {
    ResponseSchema { name: name.to_owned(), schema: Json::parse(r#"{"type":"string"}"#).unwrap(), strict: false }
}

#[tokio::test]
async fn shapes_need_a_name_and_a_function() {
    let client = Client::saying("hi");
    let types = asking(&client);
    assert_eq!(types.register_shape("", |_, _| Err("replaced".to_owned())), Err(RegisterError));
    assert_eq!(types.register_schema(schema("")), Err(RegisterError));
    // What is there for no name stays.
    let result = ask(&types, model("judge", ""), input(Event::TurnStart)).await;
    assert_eq!((result.additional_context.as_str(), &client.asked()[0].schema), ("hi", &None));
}

#[tokio::test]
async fn a_shape_of_the_embedding_program() {
    let client = Client::saying("hello");
    let types = asking(&client);
    for prefix in ["replaced", "shape saw"] {
        let shape = move |reply: &str, _: Event| {
            Ok(set!(Action::default(), additional_context: Some(format!("{prefix}: {reply}"))))
        };
        types.register_shape("custom", shape).unwrap();
    }
    let result = ask(&types, model("judge", "custom"), input(Event::TurnStart)).await;
    assert_eq!((result.additional_context.as_str(), &client.asked()[0].schema), ("shape saw: hello", &None));
    types.register_schema(schema("custom")).unwrap();
    ask(&types, model("judge", "custom"), input(Event::TurnStart)).await;
    assert_eq!(client.asked()[1].schema, Some(schema("custom")));
}
