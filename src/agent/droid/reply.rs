//! The replies to Droid, which are like those to Claude Code.

use crate::agent::reply::object;
use crate::agent::shared::Specific;
use crate::agent::{Call, Plan, Reply, Say};

pub(super) fn encode(call: &Call, plan: &Plan) -> Reply {
    let mut out = object();
    let mut specific = Specific::new(&call.event);
    match (call.event.as_str(), &plan.say) {
        // Droid ignores a new input without a decision.
        ("PreToolUse", Say::Nothing) if plan.input.is_some() => specific.decision(&Say::Grant),
        ("PreToolUse", say) => specific.decision(say),
        (_, Say::Deny(reason)) => {
            out.text("decision", "block").text("reason", reason);
        }
        _ => {}
    }
    if let Some(input) = &plan.input {
        specific.raw("updatedInput", input.as_str());
    }
    specific.optional_text("additionalContext", plan.context.as_deref());
    specific.add_to(&mut out);
    out.reply()
}
