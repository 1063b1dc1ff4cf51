//! The answers to agents' own HTTP hooks. An answer is a body alone, because there is no exit status. An agent takes an
//! answer that it does not understand for an allow, so a deny is spelled for the event that it is about, even if the
//! request could not be read.

use super::super::salvage::Salvaged;
use crate::cli::answering::Sender;
use hookbox::Code;
use hookbox::agent::{self, Agent, Environment, Reply};
use serde_json::json;
use serde_json::value::RawValue;

/// The event that is assumed for a payload that does not name its event.
const LIKELY: &str = "PreToolUse";

/// Returns a reply as the body of an answer.
pub(super) fn spoken(name: &str, payload: &[u8], reply: &Reply) -> String {
    body(reply).unwrap_or_else(|| {
        let text = reply.stderr.trim();
        let with_code =
            Code::ALL.iter().find_map(|code| Some((*code, text.strip_prefix(code.as_str())?.strip_prefix(": ")?)));
        let (code, message) = with_code.unwrap_or((Code::Internal, text));
        denied(name, payload, code, message)
    })
}

/// Returns a deny in an agent's own format. `payload` may be truncated or broken.
pub(super) fn denied(name: &str, payload: &[u8], code: Code, message: &str) -> String {
    // Agents that hookbox does not know speak Claude Code's protocol, or none.
    let agent = agent::by_name(name).unwrap_or_else(generic);
    let environment = Environment::default();
    let sender = Sender { name: agent.name(), environment: &environment };
    let message = if message.is_empty() { "hookbox failed" } else { message };
    let of = |payload: &[u8]| body(&sender.refuse(payload, code, message));
    let known = of(payload).or_else(|| of(&likeness(payload)));
    // The agent's format has no veto for this event.
    known.unwrap_or_else(|| json!({"decision": "block", "reason": format!("{code}: {message}")}).to_string())
}

/// Returns a valid payload about the same event.
fn likeness(payload: &[u8]) -> Vec<u8> {
    let found = Salvaged::of(payload, &["hook_event_name", "tool_name"]);
    let event = found.text("hook_event_name").unwrap_or_else(|| LIKELY.to_owned());
    let tool = found.text("tool_name").unwrap_or_else(|| "unknown".to_owned());
    let payload = json!({
        "hook_event_name": event, "session_id": "unknown", "tool_name": tool, "tool_input": {}, "tool_response": "",
        "prompt": "",
    });
    payload.to_string().into_bytes()
}

/// Returns the body, if the reply has one that every agent understands as it is meant.
fn body(reply: &Reply) -> Option<String> {
    match (reply.status, reply.stdout.trim()) {
        (0, "") => Some("{}".to_owned()),
        (0, stdout) => serde_json::from_str::<&RawValue>(stdout).is_ok().then(|| stdout.to_owned()),
        _ => None,
    }
}

fn generic() -> &'static dyn Agent {
    // `by_name` knows Claude Code, so the fallback is not used.
    agent::by_name("claude").unwrap_or_else(|| agent::detect(&[], &Environment::default()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use serde_json::Value;

    fn answer(agent: &str, payload: &str) -> Value {
        serde_json::from_str(&denied(agent, payload.as_bytes(), Code::Dropped, "overloaded")).unwrap()
    }

    #[test]
    fn a_deny_fits_its_event_even_if_its_payload_is_cut() {
        let payload =
            r#"{"session_id":"s","hook_event_name":"EVENT","tool_name":"Bash","tool_input":{"command":"ls"}}"#;
        for agent in ["claude", "qwen", "nobody"] {
            for length in [payload.len(), payload.len() - 5, 0] {
                let whole = payload.replace("EVENT", "PreToolUse");
                let told = answer(agent, whole.get(..length).unwrap_or(&whole));
                let specific = &told["hookSpecificOutput"];
                assert_eq!(specific["hookEventName"], "PreToolUse", "{agent} {length}: {told}");
                assert_eq!(specific["permissionDecision"], "deny", "{agent} {length}: {told}");
            }
            let asked = payload.replace("EVENT", "PermissionRequest");
            for payload in [asked.as_str(), &asked[..asked.len() - 3]] {
                let told = answer(agent, payload);
                assert_eq!(told["hookSpecificOutput"]["decision"]["behavior"], "deny", "{agent}: {told}");
            }
            let prompt = r#"{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"x"#;
            assert_eq!(answer(agent, prompt)["decision"], "block", "{agent}");
        }
    }

    #[test]
    fn a_result_is_withheld() {
        let payload = r#"{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{},"tool_response":"secret"}"#;
        for payload in [payload, &payload[..payload.len() - 9]] {
            let told = answer("claude", payload);
            let shown = told["hookSpecificOutput"]["updatedToolOutput"].as_str().unwrap();
            assert!(shown.contains("overloaded") && !shown.contains("secret"), "{told}");
            assert_eq!(answer("qwen", payload)["continue"], false);
        }
    }

    #[test]
    fn copilot_is_told_in_each_of_its_formats() {
        for payload in
            ["", r#"{"sessionId":"s","toolName":"bash","toolArgs":"{}"}"#, r#"{"sessionId":"s","toolName":"b"#]
        {
            assert_eq!(answer("copilot", payload)["permissionDecision"], "deny", "{payload}");
        }
    }
}
