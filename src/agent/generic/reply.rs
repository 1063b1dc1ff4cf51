//! The replies to unknown agents with Claude Code's hooks: exit status 2 with the reason on stderr, which nearly all of
//! them take for a veto, or silence.

use crate::agent::{Call, Plan, Reply, Say};

pub(super) fn encode(_: &Call, plan: &Plan) -> Reply {
    match &plan.say {
        Say::Deny(reason) => Reply::exit_2(reason),
        Say::Nothing | Say::Grant | Say::Ask(_) => Reply::silence(),
    }
}
