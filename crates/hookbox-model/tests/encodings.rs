//! The exact requests to each provider, and how its token counts are read.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use hookbox_model::{Model, Price, Provider, Question, Repair, Schema, Usage};
use proptest::prelude::*;
use serde_json::{Value, json};

fn question() -> Question {
    let schema = Schema::new("verdict", json!({ "type": "object" }));
    Question::new("Judge.", "ls").with_schema(schema).with_max_tokens(50)
}

fn repaired() -> Question {
    let mut question = Question::new("Judge.", "ls");
    question.repair = Some(Repair::new("hm", "it is no JSON"));
    question
}

const AGAIN: &str = "Your answer cannot be used: it is no JSON. Answer again, in the form required.";

#[test]
fn responses() {
    let sent = Provider::OpenAi.encode("m", "https://api.openai.com/v1/", &question());
    assert_eq!(sent.path, "/responses");
    let expected = json!({
        "model": "m", "instructions": "Judge.", "input": [{ "role": "user", "content": "ls" }],
        "max_output_tokens": 50, "store": false,
        "text": { "format": { "type": "json_schema", "name": "verdict", "schema": { "type": "object" }, "strict": true } },
    });
    assert_eq!(sent.body, expected);
    let sent = Provider::OpenAi.encode("m", "https://api.openai.com/v1/", &repaired());
    let input = json!([
        { "role": "user", "content": "ls" }, { "role": "assistant", "content": "hm" }, { "role": "user", "content": AGAIN },
    ]);
    assert_eq!(sent.body["input"], input);
}

#[test]
fn chat_completions() {
    let sent = Provider::OpenAiChat.encode("m", "http://localhost:8000/v1/", &question());
    assert_eq!(sent.path, "/chat/completions");
    let expected = json!({
        "model": "m", "max_tokens": 50, "stream": false,
        "messages": [{ "role": "system", "content": "Judge." }, { "role": "user", "content": "ls" }],
        "response_format": {
            "type": "json_schema",
            "json_schema": { "name": "verdict", "schema": { "type": "object" }, "strict": true },
        },
    });
    assert_eq!(sent.body, expected);
    // OpenAI's own server refuses the older name for its newer models.
    let sent = Provider::OpenAiChat.encode("m", "https://api.openai.com/v1/", &question());
    assert_eq!((&sent.body["max_completion_tokens"], &sent.body["max_tokens"]), (&json!(50), &Value::Null));
    let sent = Provider::OpenAiChat.encode("m", "", &repaired());
    assert_eq!(sent.body["messages"][2], json!({ "role": "assistant", "content": "hm" }));
}

#[test]
fn messages() {
    let sent = Provider::Anthropic.encode("m", "", &question());
    assert_eq!((sent.path.as_str(), sent.headers), ("/messages", vec![("anthropic-version", "2023-06-01")]));
    let expected = json!({
        "model": "m", "system": "Judge.", "messages": [{ "role": "user", "content": "ls" }], "max_tokens": 50,
        "tools": [{ "name": "verdict", "description": "Gives the answer.", "input_schema": { "type": "object" } }],
        "tool_choice": { "type": "tool", "name": "verdict", "disable_parallel_tool_use": true },
    });
    assert_eq!(sent.body, expected);
    let sent = Provider::Anthropic.encode("m", "", &repaired());
    assert_eq!(sent.body["messages"][2], json!({ "role": "user", "content": AGAIN }));
}

#[test]
fn generate_content() {
    let sent = Provider::Gemini.encode("m", "", &question());
    assert_eq!(sent.path, "/models/m:generateContent");
    let expected = json!({
        "systemInstruction": { "parts": [{ "text": "Judge." }] },
        "contents": [{ "role": "user", "parts": [{ "text": "ls" }] }],
        "generationConfig": {
            "maxOutputTokens": 50, "responseMimeType": "application/json", "responseJsonSchema": { "type": "object" },
        },
    });
    assert_eq!(sent.body, expected);
    let sent = Provider::Gemini.encode("m", "", &repaired());
    assert_eq!(sent.body["contents"][1], json!({ "role": "model", "parts": [{ "text": "hm" }] }));
}

#[test]
fn thoughts_and_cached_tokens_are_counted() {
    let gemini =
        json!({ "usageMetadata": { "promptTokenCount": 3, "candidatesTokenCount": 4, "thoughtsTokenCount": 5 } });
    assert_eq!(Provider::Gemini.usage(&gemini), Usage::new(3, 9));
    let anthropic = json!({ "usage": { "input_tokens": 1, "cache_read_input_tokens": 7, "output_tokens": 2 } });
    assert_eq!(Provider::Anthropic.usage(&anthropic), Usage::new(8, 2));
    assert_eq!(Price::new(1.0, 5.0).of(Usage::new(8, 2)), 18);
}

#[test]
fn thoughts_are_no_answer() {
    let parts = json!([{ "text": "allow?", "thought": true }, { "text": "deny" }]);
    let body = json!({ "candidates": [{ "content": { "parts": parts }, "finishReason": "STOP" }] });
    assert_eq!(Provider::Gemini.decode(&body, &question()), Ok("deny".to_owned()));
}

#[test]
fn two_calls_of_the_answer_are_none() {
    let call = |decision: &str| json!({ "type": "tool_use", "name": "verdict", "input": { "decision": decision } });
    let body = json!({ "stop_reason": "tool_use", "content": [call("allow"), call("deny")] });
    assert!(Provider::Anthropic.decode(&body, &question()).is_err());
}

#[test]
fn names_lead_to_providers() {
    let local = Model::named("ollama/qwen3:4b").unwrap();
    assert_eq!((local.base_url.as_str(), local.key, local.private), ("http://localhost:11434/v1", None, true));
    let google = Model::named("google/gemini-2.5-flash").unwrap();
    assert_eq!((google.provider, google.key.as_deref()), (Provider::Gemini, Some("env:GEMINI_API_KEY")));
    for name in ["", "gpt", "openai/", "/x", "acme/x"] {
        assert!(Model::named(name).is_err(), "{name}");
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::from), "[a-z]{0,8}".prop_map(Value::from)];
    let keys = prop_oneof![
        Just("choices"),
        Just("message"),
        Just("content"),
        Just("finish_reason"),
        Just("output"),
        Just("status"),
        Just("type"),
        Just("text"),
        Just("candidates"),
        Just("parts"),
        Just("stop_reason"),
        Just("input"),
        Just("usage"),
    ];
    leaf.prop_recursive(5, 40, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((keys.clone(), inner), 0..4).prop_map(|pairs| Value::Object(
                pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
            )),
        ]
    })
}

proptest! {
    /// Whatever a server sends, reading it ends, and only a response that says that it is complete gives a text.
    #[test]
    fn no_response_breaks_the_reader(body in any_json()) {
        for provider in Provider::ALL {
            let decoded = provider.decode(&body, &question());
            let done = ["stop", "STOP", "completed", "end_turn", "tool_use"];
            let says_done = done.iter().any(|word| body.to_string().contains(&format!("\"{word}\"")));
            prop_assert!(decoded.is_err() || says_done, "{decoded:?}");
            let _ = provider.usage(&body);
        }
    }
}
