//! The replies to Cline, which always say whether to cancel.

use super::commands;
use crate::agent::reply::{NO_REASON, object};
use crate::agent::{Call, Plan, Reply, Say};

pub(super) fn encode(call: &Call, plan: &Plan) -> Reply {
    if let Say::Deny(reason) = &plan.say {
        return cancel(reason);
    }
    let mut out = object();
    out.flag("cancel", false);
    match (&plan.input, call.input.as_ref().and_then(|input| input.tool_input.as_ref())) {
        (Some(input), Some(before)) if call.has_joined_command => match commands::split(before, input) {
            Some(own) => _ = out.raw("overrideInput", own.as_str()),
            None => return cancel("this may only run in another form, and Cline can only be given another `command`"),
        },
        (Some(input), _) => _ = out.raw("overrideInput", input.as_str()),
        (None, _) => {}
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
