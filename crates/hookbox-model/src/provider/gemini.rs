//! Google's Gemini API.

use super::{CUT_OFF, Encoded, NO_TEXT, REFUSED, UNFINISHED, joined, text};
use crate::question::{Author, Question};
use serde_json::{Value, json};

pub(super) fn encode(model: &str, question: &Question) -> Encoded {
    let contents: Vec<Value> = question
        .messages()
        .into_iter()
        .map(|(author, content)| {
            let role = match author {
                Author::User => "user",
                Author::Model => "model",
            };
            json!({ "role": role, "parts": [{ "text": content }] })
        })
        .collect();
    let mut config = json!({ "maxOutputTokens": question.max_tokens });
    if let (Some(schema), Some(config)) = (&question.schema, config.as_object_mut()) {
        config.insert("responseMimeType".to_owned(), json!("application/json"));
        config.insert("responseJsonSchema".to_owned(), schema.json.clone());
    }
    let body = json!({
        "systemInstruction": { "parts": [{ "text": question.system }] },
        "contents": contents,
        "generationConfig": config,
    });
    Encoded { path: format!("/models/{model}:generateContent"), headers: Vec::new(), body }
}

pub(super) fn decode(body: &Value) -> Result<String, String> {
    if body.pointer("/promptFeedback/blockReason").is_some() {
        return Err(REFUSED.to_owned());
    }
    match text(body, "/candidates/0/finishReason") {
        Some("STOP") => {}
        Some("MAX_TOKENS") => return Err(CUT_OFF.to_owned()),
        Some("SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII") => return Err(REFUSED.to_owned()),
        _ => return Err(UNFINISHED.to_owned()),
    }
    joined(body.pointer("/candidates/0/content/parts"), said).ok_or_else(|| NO_TEXT.to_owned())
}

/// Returns the text of a part, unless the part is a thought.
fn said(part: &Value) -> Option<&str> {
    text(part, "/text").filter(|_| part.get("thought").and_then(Value::as_bool) != Some(true))
}
