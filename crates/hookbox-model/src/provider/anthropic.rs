//! Anthropic's Messages API. A schema becomes the input of the only tool, which the model must call. All of Anthropic's
//! models support that.

use super::{CUT_OFF, Encoded, NO_TEXT, REFUSED, UNFINISHED, joined, text};
use crate::question::Question;
use serde_json::{Value, json};

pub(super) fn encode(model: &str, question: &Question) -> Encoded {
    let messages = super::messages(question);
    let mut body = json!({
        "model": model,
        "system": question.system,
        "messages": messages,
        "max_tokens": question.max_tokens,
    });
    if let (Some(schema), Some(body)) = (&question.schema, body.as_object_mut()) {
        let tool = json!({ "name": schema.name, "description": "Gives the answer.", "input_schema": schema.json });
        let choice = json!({ "type": "tool", "name": schema.name, "disable_parallel_tool_use": true });
        body.insert("tools".to_owned(), json!([tool]));
        body.insert("tool_choice".to_owned(), choice);
    }
    Encoded { path: "/messages".to_owned(), headers: vec![("anthropic-version", "2023-06-01")], body }
}

pub(super) fn decode(body: &Value, question: &Question) -> Result<String, String> {
    match text(body, "/stop_reason") {
        Some("end_turn" | "tool_use") => {}
        Some("max_tokens") => return Err(CUT_OFF.to_owned()),
        Some("refusal") => return Err(REFUSED.to_owned()),
        _ => return Err(UNFINISHED.to_owned()),
    }
    let parts = body.get("content");
    if let Some(schema) = &question.schema {
        let is_answer = |part: &&Value| {
            text(part, "/type") == Some("tool_use") && text(part, "/name") == Some(schema.name.as_str())
        };
        let mut answers = parts.and_then(Value::as_array).into_iter().flatten().filter(is_answer);
        match (answers.next().and_then(|part| part.get("input")), answers.next()) {
            (Some(input), None) => return Ok(input.to_string()),
            (Some(_), Some(_)) => return Err("the response has two answers".to_owned()),
            // Some compatible servers answer with text, which is read below like that of any other provider.
            (None, _) => {}
        }
    }
    joined(parts, |part| text(part, "/text")).ok_or_else(|| NO_TEXT.to_owned())
}
