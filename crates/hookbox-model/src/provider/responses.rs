//! OpenAI's Responses API.

use super::{CUT_OFF, Encoded, NO_TEXT, REFUSED, UNFINISHED, joined, text};
use crate::question::Question;
use serde_json::{Value, json};

pub(super) fn encode(model: &str, question: &Question) -> Encoded {
    let input = super::messages(question);
    let mut body = json!({
        "model": model,
        "instructions": question.system,
        "input": input,
        "max_output_tokens": question.max_tokens,
        // There is no need for the provider to store what an agent does.
        "store": false,
    });
    if let (Some(schema), Some(body)) = (&question.schema, body.as_object_mut()) {
        let format = json!({
            "type": "json_schema", "name": schema.name, "schema": schema.json, "strict": schema.strict,
        });
        body.insert("text".to_owned(), json!({ "format": format }));
    }
    Encoded { path: "/responses".to_owned(), headers: Vec::new(), body }
}

pub(super) fn decode(body: &Value) -> Result<String, String> {
    match text(body, "/status") {
        Some("completed") => {}
        Some("incomplete") if text(body, "/incomplete_details/reason") == Some("max_output_tokens") => {
            return Err(CUT_OFF.to_owned());
        }
        _ => return Err(UNFINISHED.to_owned()),
    }
    let messages = body.get("output").and_then(Value::as_array).into_iter().flatten();
    let messages: Vec<&Value> = messages.filter(|item| text(item, "/type") == Some("message")).collect();
    let parts = || messages.iter().filter_map(|message| message.get("content")?.as_array()).flatten();
    if parts().any(|part| text(part, "/type") == Some("refusal")) {
        return Err(REFUSED.to_owned());
    }
    let said = |part: &&Value| text(part, "/type") == Some("output_text");
    let parts = Value::Array(parts().filter(said).cloned().collect());
    joined(Some(&parts), |part| text(part, "/text")).ok_or_else(|| NO_TEXT.to_owned())
}
