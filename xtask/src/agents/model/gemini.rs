//! Gemini's `generateContent` API.

use super::{Answer, Turn, stream};
use serde_json::json;

pub(super) fn answer(turn: &Turn, number: usize, streams: bool) -> Answer {
    let part = match turn {
        Turn::Call { tool, input } => json!({ "functionCall": { "name": tool, "args": input } }),
        Turn::Say(text) => json!({ "text": text }),
    };
    let document = json!({
        "candidates": [{ "index": 0, "content": { "role": "model", "parts": [part] }, "finishReason": "STOP" }],
        "usageMetadata": { "promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15 },
        "modelVersion": "scripted",
        "responseId": format!("response-{number}"),
    });
    if streams { stream::data(&[document]) } else { stream::whole(&document) }
}
