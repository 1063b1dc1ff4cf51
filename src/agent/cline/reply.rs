//! How Cline is answered: always with whether to cancel.

use crate::agent::reply::{NO_REASON, object};
use crate::agent::{Call, Plan, Reply, Say};

pub(super) fn encode(_: &Call, plan: &Plan) -> Reply {
    if let Say::Deny(reason) = &plan.say {
        return cancel(reason);
    }
    let mut out = object();
    out.flag("cancel", false);
    if let Some(input) = &plan.input {
        out.raw("overrideInput", input.as_str());
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
