//! OpenAI's Responses.

use super::{Answer, Turn, stream};
use serde_json::{Value, json};

pub(super) fn answer(turn: &Turn, number: usize, streams: bool) -> Answer {
    let response = |status: &str, output: Value, usage: Value| {
        json!({
            "id": format!("resp_{number}"), "object": "response", "created_at": 1, "model": "scripted", "status": status,
            "output": output, "parallel_tool_calls": false, "tools": [], "usage": usage,
        })
    };
    let usage = json!({
        "input_tokens": 10, "input_tokens_details": { "cached_tokens": 0 },
        "output_tokens": 5, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 15,
    });
    let item = item(turn, number, "completed");
    let completed = response("completed", json!([item]), usage);
    if !streams {
        return stream::whole(&completed);
    }
    let mut events = vec![
        json!({ "type": "response.created", "response": response("in_progress", json!([]), Value::Null) }),
        json!({ "type": "response.output_item.added", "output_index": 0, "item": begun(&item) }),
    ];
    events.extend(deltas(turn, &item["id"]));
    events.push(json!({ "type": "response.output_item.done", "output_index": 0, "item": item }));
    events.push(json!({ "type": "response.completed", "response": completed }));
    for (number, event) in events.iter_mut().enumerate() {
        event["sequence_number"] = json!(number);
    }
    stream::typed(&events)
}

fn item(turn: &Turn, number: usize, status: &str) -> Value {
    match turn {
        Turn::Call { tool, input } => json!({
            "type": "function_call", "id": format!("fc_{number}"), "call_id": format!("call_{number}"),
            "name": tool, "arguments": input.to_string(), "status": status,
        }),
        Turn::Say(text) => json!({
            "type": "message", "id": format!("msg_{number}"), "role": "assistant", "status": status,
            "content": [part(text)],
        }),
    }
}

/// An item before it has content.
fn begun(item: &Value) -> Value {
    let mut begun = item.clone();
    begun["status"] = json!("in_progress");
    match begun["type"].as_str() {
        Some("message") => begun["content"] = json!([]),
        _ => begun["arguments"] = json!(""),
    }
    begun
}

fn part(text: &str) -> Value {
    json!({ "type": "output_text", "text": text, "annotations": [] })
}

/// The events that fill an item.
fn deltas(turn: &Turn, id: &Value) -> Vec<Value> {
    let event = |name: &str, member: &str, value: Value| {
        json!({
            "type": format!("response.{name}"), "item_id": id, "output_index": 0, "content_index": 0, member: value,
        })
    };
    match turn {
        Turn::Call { input, .. } => vec![
            event("function_call_arguments.delta", "delta", json!(input.to_string())),
            event("function_call_arguments.done", "arguments", json!(input.to_string())),
        ],
        Turn::Say(text) => vec![
            event("content_part.added", "part", part("")),
            event("output_text.delta", "delta", json!(text)),
            event("output_text.done", "text", json!(text)),
            event("content_part.done", "part", part(text)),
        ],
    }
}
