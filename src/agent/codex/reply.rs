//! The replies to Codex, which drops a deny that has any other key or no reason. The tool then runs.

use crate::agent::reply::object;
use crate::agent::shared::Specific;
use crate::agent::{Call, Plan, Reply, Say};

pub(super) fn encode(call: &Call, plan: &Plan) -> Reply {
    let mut out = object();
    let mut specific = Specific::new(&call.event);
    match (call.event.as_str(), &plan.say) {
        ("PreToolUse", say @ Say::Deny(_)) => {
            specific.decision(say);
            specific.add_to(&mut out);
            return out.reply();
        }
        ("PreToolUse", _) => {
            if let Some(input) = &plan.input {
                // Without this decision, Codex would drop the new input. The decision grants nothing.
                specific.text("permissionDecision", "allow");
                specific.raw("updatedInput", input.as_str());
            }
        }
        ("PermissionRequest", say) => specific.permission(say),
        ("PreCompact", Say::Deny(reason)) => {
            out.flag("continue", false).text("stopReason", reason);
        }
        (_, Say::Deny(reason)) => {
            out.text("decision", "block").text("reason", reason);
        }
        _ => {}
    }
    match (&plan.result, &plan.halt) {
        // The reason for the stop replaces the result.
        (Some(text), Some(_)) => out.flag("continue", false).text("stopReason", nonempty(text)),
        (Some(text), None) => out.text("decision", "block").text("reason", nonempty(text)),
        (None, Some(reason)) => out.flag("continue", false).text("stopReason", reason),
        (None, None) => &mut out,
    };
    specific.optional_text("additionalContext", plan.context.as_deref());
    specific.add_to(&mut out);
    out.optional_text("systemMessage", plan.notice.as_deref());
    out.reply()
}

/// Replaces an empty reason: Codex would drop it, and the model would see the old result.
fn nonempty(text: &str) -> &str {
    if text.trim().is_empty() { "(empty)" } else { text }
}
