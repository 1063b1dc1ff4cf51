//! OpenAI's Chat Completions API.

use super::{Answer, Turn, stream};
use serde_json::{Value, json};

pub(super) fn answer(turn: &Turn, number: usize, streams: bool) -> Answer {
    let usage = json!({ "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15 });
    let (message, reason) = match turn {
        Turn::Call { tool, input } => {
            let function = json!({ "name": tool, "arguments": input.to_string() });
            let call = json!({ "index": 0, "id": format!("call_{number}"), "type": "function", "function": function });
            (json!({ "role": "assistant", "content": null, "tool_calls": [call] }), "tool_calls")
        }
        Turn::Say(text) => (json!({ "role": "assistant", "content": text }), "stop"),
    };
    let document = |object: &str, choices: Value, usage: Value| {
        json!({
            "id": format!("chatcmpl-{number}"), "object": object, "created": 1, "model": "scripted",
            "choices": choices, "usage": usage,
        })
    };
    if !streams {
        let choice = json!({ "index": 0, "message": message, "finish_reason": reason });
        return stream::whole(&document("chat.completion", json!([choice]), usage));
    }
    let chunk = |choices: Value, usage: Value| document("chat.completion.chunk", choices, usage);
    let mut answer = stream::data(&[
        chunk(json!([{ "index": 0, "delta": message, "finish_reason": null }]), Value::Null),
        chunk(json!([{ "index": 0, "delta": {}, "finish_reason": reason }]), Value::Null),
        chunk(json!([]), usage),
    ]);
    answer.body.push_str("data: [DONE]\n\n");
    answer
}
