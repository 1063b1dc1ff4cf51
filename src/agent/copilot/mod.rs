//! GitHub's Copilot CLI, from 1.0.102, with its own keys and with those of Claude Code.

mod capabilities;
mod payload;
mod reply;
mod settings;

use super::{Agent, Call, Capabilities, Environment, Flaw, Hole, Plan, Reply, Settings, shared};
use crate::protocol::{Event, InputError};

/// Copilot CLI.
#[derive(Debug)]
pub(super) struct Copilot;

impl Agent for Copilot {
    fn name(&self) -> &'static str {
        "copilot"
    }

    fn title(&self) -> &'static str {
        "Copilot CLI"
    }

    fn event(&self, name: &str) -> Option<Event> {
        payload::event(name)
    }

    fn sample(&self, tool: &str) -> String {
        shared::sample("sessionId", "hookbox-doctor", "toolName", tool)
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

    fn veto(&self, reason: &str) -> Reply {
        reply::veto(reason)
    }

    fn flaws(&self) -> &'static [Flaw] {
        settings::FLAWS
    }

    fn holes(&self) -> &'static [Hole] {
        capabilities::HOLES
    }

    fn settings(&self) -> Option<Settings> {
        Some(settings::SETTINGS)
    }
}
