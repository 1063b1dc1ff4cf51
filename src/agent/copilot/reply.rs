//! The replies to Copilot CLI: each of its two payload formats requires its own answer format.

use crate::agent::reply::object;
use crate::agent::shared::Specific;
use crate::agent::{Call, Plan, Reply, Say};
use crate::protocol::ObjectWriter;

pub(super) fn encode(call: &Call, plan: &Plan) -> Reply {
    let mut out = object();
    if let Some(text) = &plan.result {
        let mut result = object();
        result.text("resultType", "success").text("textResultForLlm", text);
        out.raw("modifiedResult", &result.finish());
    }
    if call.is_compatible {
        compatible(call, plan, &mut out)
    } else {
        native(call, plan, &mut out)
    }
    out.reply()
}

fn native(call: &Call, plan: &Plan, out: &mut ObjectWriter) {
    match (call.event.as_str(), &plan.say) {
        (_, Say::Nothing) => {}
        ("permissionRequest", Say::Ask(_)) => {}
        ("permissionRequest", Say::Grant) => _ = out.text("behavior", "allow"),
        ("permissionRequest", Say::Deny(reason)) => _ = out.text("behavior", "deny").text("message", reason),
        ("preToolUse", Say::Grant) => _ = out.text("permissionDecision", "allow"),
        ("preToolUse", Say::Ask(reason)) => {
            out.text("permissionDecision", "ask").text("permissionDecisionReason", reason);
        }
        ("preToolUse", Say::Deny(reason)) => {
            out.text("permissionDecision", "deny").text("permissionDecisionReason", reason);
        }
        (_, Say::Grant) => {}
        (_, Say::Ask(reason) | Say::Deny(reason)) => _ = out.text("decision", "block").text("reason", reason),
    }
    if let Some(input) = &plan.input {
        // Under the key `updatedInput`, the tool would run with the old input.
        out.raw("modifiedArgs", input.as_str());
    }
    out.optional_text("modifiedPrompt", plan.message.as_deref());
    out.optional_text("additionalContext", plan.context.as_deref());
}

fn compatible(call: &Call, plan: &Plan, out: &mut ObjectWriter) {
    let mut specific = Specific::new(&call.event);
    match (call.event.as_str(), &plan.say) {
        ("PreToolUse", say) => specific.decision(say),
        ("PermissionRequest", Say::Grant) => _ = out.text("behavior", "allow"),
        ("PermissionRequest", Say::Deny(reason)) => _ = out.text("behavior", "deny").text("message", reason),
        ("PermissionRequest", _) | (_, Say::Nothing | Say::Grant) => {}
        (_, Say::Ask(reason) | Say::Deny(reason)) => _ = out.text("decision", "block").text("reason", reason),
    }
    if let Some(input) = &plan.input {
        specific.raw("updatedInput", input.as_str());
    }
    specific.optional_text("additionalContext", plan.context.as_deref());
    specific.add_to(out);
}

/// Returns a veto for any event. An exit status only has an effect before a tool: after a tool, at a prompt and at the
/// end, it stops nothing. So the document has a deny for each event, and one for VS Code, which runs the same hooks
/// with its own payloads. Next to a deny, Copilot CLI ignores keys that it does not know.
pub(super) fn veto(reason: &str) -> Reply {
    let mut specific = Specific::new("PreToolUse");
    specific.decision(&Say::Deny(reason.to_owned()));
    let mut result = object();
    result.text("resultType", "failure").text("textResultForLlm", reason);
    let mut out = object();
    out.text("permissionDecision", "deny")
        .text("permissionDecisionReason", reason)
        .text("decision", "block")
        .text("reason", reason)
        .text("behavior", "deny")
        .text("message", reason)
        .raw("modifiedResult", &result.finish());
    specific.add_to(&mut out);
    Reply::json(out.finish())
}
