//! The decision of a model.

use crate::protocol::Action;
use serde::Deserialize;
use serde_json::{Value, json};

/// The name of the schema.
pub(super) const NAME: &str = "decision";

/// The most characters of a reason that are shown.
const MOST_REASON: usize = 1000;

/// Returns the schema of an answer.
pub(super) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "decision": { "type": "string", "enum": ["allow", "ask", "deny"] },
            "reason": { "type": "string" },
        },
        "required": ["decision", "reason"],
        "additionalProperties": false,
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Verdict {
    decision: Word,
    reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Allow,
    Ask,
    Deny,
}

/// Reads an answer. Only an object of exactly this form counts. A Markdown fence around it is ignored.
///
/// # Errors
/// Returns an error that says what is wrong, so that the model can answer again. It does not repeat what the model
/// wrote.
pub(super) fn read(text: &str) -> Result<Action, String> {
    let text = text.trim();
    let bare = text.strip_prefix("```").and_then(|text| text.strip_suffix("```"));
    let bare = bare.map_or(text, |text| text.strip_prefix("json").unwrap_or(text));
    // serde_json refuses a repeated key, and anything after the object, but accepts a list as an object.
    let verdict: Option<Verdict> =
        if bare.trim_start().starts_with('{') { serde_json::from_str(bare).ok() } else { None };
    let verdict =
        verdict.ok_or("the answer is not one JSON object with a `decision` (allow, ask or deny) and a `reason`")?;
    let reason: String = verdict.reason.trim().chars().take(MOST_REASON).collect();
    let reason = if reason.is_empty() { "no reason was given".to_owned() } else { reason };
    Ok(match verdict.decision {
        Word::Allow => Action::allow(),
        Word::Ask => Action::ask(reason),
        Word::Deny => Action::deny(reason),
    })
}
