//! How Cline is answered: always with whether to cancel.

use super::commands;
use crate::agent::reply::{NO_REASON, object};
use crate::agent::{Call, Plan, Reply, Say};

pub(super) fn encode(call: &Call, plan: &Plan) -> Reply {
    if let Say::Deny(reason) = &plan.say {
        return cancel(reason);
    }
    let mut out = object();
    out.flag("cancel", false);
    if let Some(input) = &plan.input {
        let before = call.input.as_ref().and_then(|input| input.tool_input.as_ref());
        let own = before.filter(|_| call.has_joined_command).and_then(|before| commands::split(before, input));
        out.raw("overrideInput", own.as_ref().unwrap_or(input).as_str());
    }
    out.optional_text("contextModification", plan.context.as_deref());
    Reply::json(out.finish())
}

pub(super) fn cancel(reason: &str) -> Reply {
    let reason = if reason.trim().is_empty() { NO_REASON } else { reason };
    let mut out = object();
    out.flag("cancel", true).text("errorMessage", reason);
    Reply::json(out.finish())
}
