//! OpenAI's Chat Completions API, which many other servers also speak: vLLM, Ollama, llama.cpp and many more.

use super::{CUT_OFF, Encoded, NO_TEXT, REFUSED, UNFINISHED, text};
use crate::question::Question;
use serde_json::{Value, json};

/// The URL of OpenAI's own server. It requires the newer name of the token limit, and other servers may know only the
/// older one.
const OPENAI: &str = "https://api.openai.com/";

pub(super) fn encode(model: &str, base_url: &str, question: &Question) -> Encoded {
    let mut messages = vec![json!({"role": "system", "content": question.system})];
    messages.extend(super::messages(question));
    let limit = if base_url.starts_with(OPENAI) { "max_completion_tokens" } else { "max_tokens" };
    let mut body = json!({ "model": model, "messages": messages, limit: question.max_tokens, "stream": false });
    if let (Some(schema), Some(body)) = (&question.schema, body.as_object_mut()) {
        let schema = json!({ "name": schema.name, "schema": schema.json, "strict": schema.strict });
        body.insert("response_format".to_owned(), json!({ "type": "json_schema", "json_schema": schema }));
    }
    Encoded { path: "/chat/completions".to_owned(), headers: Vec::new(), body }
}

pub(super) fn decode(body: &Value) -> Result<String, String> {
    if text(body, "/choices/0/message/refusal").is_some_and(|refusal| !refusal.is_empty()) {
        return Err(REFUSED.to_owned());
    }
    match text(body, "/choices/0/finish_reason") {
        Some("stop") => {}
        Some("length") => return Err(CUT_OFF.to_owned()),
        Some("content_filter") => return Err(REFUSED.to_owned()),
        _ => return Err(UNFINISHED.to_owned()),
    }
    text(body, "/choices/0/message/content").map(str::to_owned).ok_or_else(|| NO_TEXT.to_owned())
}
