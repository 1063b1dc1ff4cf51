//! The replies to Cursor: always a document, since Cursor expects one when it asks for a permission.

use crate::agent::reply::object;
use crate::agent::{Call, Plan, Reply, Say, result};

pub(super) fn encode(call: &Call, plan: &Plan) -> Reply {
    let mut out = object();
    match (call.event.as_str(), &plan.say) {
        ("beforeSubmitPrompt", Say::Deny(reason)) => {
            out.flag("continue", false).text("user_message", reason);
        }
        ("stop", Say::Deny(reason)) => {
            out.text("followup_message", reason);
        }
        (_, Say::Deny(reason)) => {
            out.text("permission", "deny").text("user_message", reason).text("agent_message", reason);
        }
        (_, Say::Ask(reason)) => {
            out.text("permission", "ask").text("user_message", reason).text("agent_message", reason);
        }
        (_, Say::Grant) => {
            out.text("permission", "allow");
        }
        (_, Say::Nothing) if plan.input.is_some() => {
            out.text("permission", "allow");
        }
        (_, Say::Nothing) => {}
    }
    if let Some(input) = &plan.input {
        out.raw("updated_input", input.as_str());
    }
    if let Some(text) = &plan.result {
        match call.result.as_ref().and_then(|result| result::put(result, text, plan.withheld)) {
            Some(replaced) => out.raw("updated_mcp_tool_output", replaced.as_str()),
            None => out.text("updated_mcp_tool_output", text),
        };
    }
    out.optional_text("additional_context", plan.context.as_deref());
    Reply::json(out.finish())
}
