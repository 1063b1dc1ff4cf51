//! The meaning of a model's answer.

use super::ResponseSchema;
use crate::dialect::go::members::{folded, root, string};
use crate::protocol::{Action, Event, Json, Permission};

/// The shape of an answer that judges a tool call.
pub(super) const DECISION: &str = "pre_tool_use_decision";

/// Takes an answer as free text for the model of the current run.
#[expect(clippy::unnecessary_wraps, reason = "other shapes can fail")]
pub(super) fn text(reply: &str, _: Event) -> Result<Action, String> {
    let text = reply.trim();
    Ok(Action { additional_context: (!text.is_empty()).then(|| text.to_owned()), ..Action::default() })
}

/// Returns the schema for answers of the shape [`DECISION`].
pub(super) fn decision_schema() -> Option<ResponseSchema> {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {
            "decision": { "type": "string", "enum": ["allow", "ask", "deny"] },
            "reason": { "type": "string" },
        },
        "required": ["decision", "reason"],
        "additionalProperties": false,
    });
    let schema = Json::from_value(&schema).ok()?;
    Some(ResponseSchema { name: DECISION.to_owned(), schema, strict: true })
}

/// Takes an answer as a verdict on a tool call. Text that the model writes around the verdict is ignored.
pub(super) fn decision(reply: &str, event: Event) -> Result<Action, String> {
    let text = without_fence(reply.trim());
    if text.is_empty() {
        return Err("empty model reply".to_owned());
    }
    // The object goes from the first brace to the last. Two objects do not parse as one.
    let braces = text.find('{').zip(text.rfind('}')).filter(|(start, end)| start < end);
    let object = braces.and_then(|(start, end)| text.get(start..=end)).ok_or("no JSON object in reply")?;
    let (decision, reason) = read(object)?;
    let name = decision.trim().to_lowercase();
    let permission =
        Permission::of_name(&name).ok_or_else(|| format!("invalid decision {decision:?} (want allow|ask|deny)"))?;
    let reason = match reason.trim() {
        "" => "no reason provided",
        reason => reason,
    };
    let is_asked = event.has_permission();
    Ok(Action {
        permission: is_asked.then_some(permission),
        permission_reason: is_asked.then(|| reason.to_owned()),
        system_message: Some(format!("🤖 model judge: {name} — {reason}")),
        ..Action::default()
    })
}

/// Returns the `decision` and the `reason` of an object, read as Go reads them.
fn read(object: &str) -> Result<(String, String), String> {
    let members = root(object).map_err(|error| format!("parse decision json: {error}"))?;
    let (mut decision, mut reason) = (String::new(), String::new());
    for (key, raw) in members {
        let place = match folded(&key).as_str() {
            "decision" => &mut decision,
            "reason" => &mut reason,
            _ => continue,
        };
        let text = string(raw).map_err(|_| format!("parse decision json: `{key}` is no string"))?;
        *place = text.unwrap_or(std::mem::take(place));
    }
    Ok((decision, reason))
}

/// Removes the code fence around a text. If the fence is on the same line as its text, there is no first line to drop,
/// but the braces still find the object.
fn without_fence(text: &str) -> &str {
    let Some(inner) = text.strip_prefix("```") else {
        return text;
    };
    let inner = inner.split_once('\n').map_or(inner, |(_, rest)| rest).trim();
    inner.strip_suffix("```").unwrap_or(inner).trim()
}
