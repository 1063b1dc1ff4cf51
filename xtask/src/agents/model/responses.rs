//! OpenAI's Responses API.

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
    let whole = item(turn, number, true);
    let completed = response("completed", json!([whole]), usage);
    if !streams {
        return stream::whole(&completed);
    }
    let mut events = vec![
        json!({ "type": "response.created", "response": response("in_progress", json!([]), Value::Null) }),
        json!({ "type": "response.output_item.added", "output_index": 0, "item": item(turn, number, false) }),
    ];
    events.extend(deltas(turn, &id(turn, number)));
    events.push(json!({ "type": "response.output_item.done", "output_index": 0, "item": whole }));
    events.push(json!({ "type": "response.completed", "response": completed }));
    for (number, event) in events.iter_mut().filter_map(Value::as_object_mut).enumerate() {
        event.insert("sequence_number".to_owned(), json!(number));
    }
    stream::typed(&events)
}

fn id(turn: &Turn, number: usize) -> String {
    match turn {
        Turn::Call { .. } => format!("fc_{number}"),
        Turn::Say(_) => format!("msg_{number}"),
    }
}

/// Returns the model's output, at its beginning or when it is complete.
fn item(turn: &Turn, number: usize, is_whole: bool) -> Value {
    let id = id(turn, number);
    let status = if is_whole { "completed" } else { "in_progress" };
    match turn {
        Turn::Call { tool, input } => json!({
            "type": "function_call", "id": id, "call_id": format!("call_{number}"), "name": tool, "status": status,
            "arguments": if is_whole { input.to_string() } else { String::new() },
        }),
        Turn::Say(text) => json!({
            "type": "message", "id": id, "role": "assistant", "status": status,
            "content": if is_whole { vec![part(text)] } else { Vec::new() },
        }),
    }
}

fn part(text: &str) -> Value {
    json!({ "type": "output_text", "text": text, "annotations": [] })
}

/// Returns the events that fill an item.
fn deltas(turn: &Turn, id: &str) -> Vec<Value> {
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
