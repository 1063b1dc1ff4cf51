//! The replies to Gemini CLI: always a document on stdout, since Gemini reads stderr if there is none.

use crate::agent::reply::object;
use crate::agent::shared::Specific;
use crate::agent::{Call, Plan, Reply, Say};

pub(super) fn encode(call: &Call, plan: &Plan) -> Reply {
    let mut out = object();
    let mut specific = Specific::new(&call.event);
    // A deny after a tool is about its result: the reason replaces it.
    if let (Say::Deny(text), _) | (_, Some(text)) = (&plan.say, &plan.result) {
        let text = if text.is_empty() { "(empty)" } else { text };
        out.text("decision", "deny").text("reason", text);
    }
    if let Some(input) = &plan.input {
        specific.raw("tool_input", input.as_str());
    }
    specific.optional_text("additionalContext", plan.context.as_deref());
    specific.add_to(&mut out);
    if let Some(reason) = &plan.halt {
        out.flag("continue", false).text("stopReason", reason);
    }
    out.optional_text("systemMessage", plan.notice.as_deref());
    Reply::json(out.finish())
}
