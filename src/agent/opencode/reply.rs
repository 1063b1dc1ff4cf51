//! The replies to hookbox's plugin for OpenCode: `decision` and `reason` make it throw, `merge` changes the arguments
//! in place (OpenCode ignores a new object), and `output` is what the model sees. The plugin throws at any exit status
//! other than 0.

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
