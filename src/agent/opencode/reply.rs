//! How hookbox's plugin for OpenCode is answered: `decision` and `reason` to throw, `merge` to change the arguments in
//! place (a new object is ignored), `output` for what the model sees. It throws at any exit status other than 0.

use crate::agent::reply::object;
use crate::agent::{Call, Plan, Reply, Say};

pub(super) fn encode(_: &Call, plan: &Plan) -> Reply {
    let mut out = object();
    if let Say::Deny(reason) = &plan.say {
        out.text("decision", "deny").text("reason", reason);
    }
    if let Some(input) = &plan.input {
        out.raw("merge", input.as_str());
    }
    out.optional_text("output", plan.result.as_deref());
    Reply::json(out.finish())
}
