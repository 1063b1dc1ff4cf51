//! Agents that adopted the hooks of Claude Code and about which nothing else is known.

mod capabilities;
mod payload;
mod reply;

use super::{Agent, Call, Capabilities, Environment, Plan, Reply};
use crate::protocol::InputError;

/// Another agent with Claude Code's hooks.
#[derive(Debug)]
pub(super) struct Generic;

impl Agent for Generic {
    fn name(&self) -> &'static str {
        "generic-claude"
    }

    fn title(&self) -> &'static str {
        "another agent with Claude Code's hooks"
    }

    fn program(&self) -> Option<&'static str> {
        None
    }

    fn decode(&self, payload: &[u8], _: &Environment) -> Result<Call, InputError> {
        payload::decode(payload)
    }

    fn capabilities(&self, call: &Call) -> Capabilities {
        capabilities::of(&call.event)
    }

    fn encode(&self, call: &Call, plan: &Plan) -> Reply {
        reply::encode(call, plan)
    }
}
