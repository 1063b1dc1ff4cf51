//! The replies to Qwen Code, which are like those to Claude Code, except that the members that would end another
//! agent's run replace a result.

use crate::agent::reply::object;
use crate::agent::shared::Specific;
use crate::agent::{Call, Plan, Reply, Say};

pub(super) fn encode(call: &Call, plan: &Plan) -> Reply {
    let mut out = object();
    let mut specific = Specific::new(&call.event);
    match call.event.as_str() {
        "PreToolUse" => specific.decision(&plan.say),
        "PermissionRequest" => specific.permission(&plan.say),
        _ => {
            if let Say::Deny(reason) = &plan.say {
                out.text("decision", "block").text("reason", reason);
            }
        }
    }
    if let Some(text) = &plan.result {
        let text = if text.trim().is_empty() { "(empty)" } else { text };
        out.flag("continue", false).text("stopReason", text);
    }
    specific.optional_text("additionalContext", plan.context.as_deref());
    specific.add_to(&mut out);
    out.reply()
}
