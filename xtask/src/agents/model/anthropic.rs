//! Anthropic's Messages API.

use super::{Answer, Turn, stream};
use serde_json::{Value, json};

pub(super) fn answer(turn: &Turn, number: usize, streams: bool) -> Answer {
    let usage = json!({ "input_tokens": 10, "output_tokens": 5 });
    // In a stream, a block begins empty, and a delta fills it.
    let (block, empty, delta, reason) = match turn {
        Turn::Call { tool, input } => {
            let block = |input: &Value| json!({ "type": "tool_use", "id": format!("toolu_{number}"), "name": tool, "input": input });
            let delta = json!({ "type": "input_json_delta", "partial_json": input.to_string() });
            (block(input), block(&json!({})), delta, "tool_use")
        }
        Turn::Say(text) => {
            let block = |text: &str| json!({ "type": "text", "text": text });
            (block(text), block(""), json!({ "type": "text_delta", "text": text }), "end_turn")
        }
    };
    let message = |content: Value, reason: Value| {
        json!({
            "id": format!("msg_{number}"), "type": "message", "role": "assistant", "model": "scripted",
            "content": content, "stop_reason": reason, "stop_sequence": null, "usage": usage,
        })
    };
    if !streams {
        return stream::whole(&message(json!([block]), json!(reason)));
    }
    stream::typed(&[
        json!({ "type": "message_start", "message": message(json!([]), Value::Null) }),
        json!({ "type": "content_block_start", "index": 0, "content_block": empty }),
        json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": reason, "stop_sequence": null }, "usage": usage }),
        json!({ "type": "message_stop" }),
    ])
}
