//! The replies to Claude Code: JSON with exit status 0. Claude Code drops a `hookSpecificOutput` without the event's
//! name.

use crate::agent::reply::object;
use crate::agent::shared::Specific;
use crate::agent::{Call, Plan, Reply, Say, result};

pub(super) fn encode(call: &Call, plan: &Plan) -> Reply {
    let mut out = object();
    let mut specific = Specific::new(&call.event);
    match call.event.as_str() {
        "PreToolUse" => specific.decision(&plan.say),
        "PermissionRequest" => specific.permission(&plan.say),
        _ => {
            if let Say::Deny(reason) | Say::Ask(reason) = &plan.say {
                out.text("decision", "block").text("reason", reason);
            }
        }
    }
    if let Some(input) = &plan.input {
        specific.raw("updatedInput", input.as_str());
    }
    if let Some(text) = &plan.result {
        // Claude Code ignores a result whose shape is not the tool's own, and the model sees the old result.
        let replaced = call.result.as_ref().and_then(|result| result::put(result, text, plan.withheld));
        match replaced {
            Some(replaced) => specific.raw("updatedToolOutput", replaced.as_str()),
            None => specific.text("updatedToolOutput", text),
        }
    }
    specific.optional_text("additionalContext", plan.context.as_deref());
    specific.add_to(&mut out);
    if let Some(reason) = &plan.halt {
        out.flag("continue", false).text("stopReason", reason);
    }
    out.optional_text("systemMessage", plan.notice.as_deref());
    out.reply()
}
