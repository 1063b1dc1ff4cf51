//! Google's Gemini CLI, from 0.61.

mod capabilities;
mod payload;
mod reply;
mod settings;

use super::{Agent, Call, Capabilities, Environment, Flaw, Hole, Plan, Reply, Settings, shared};
use crate::protocol::{Event, InputError};

/// Gemini CLI.
#[derive(Debug)]
pub(super) struct Gemini;

impl Agent for Gemini {
    fn name(&self) -> &'static str {
        "gemini"
    }

    fn title(&self) -> &'static str {
        "Gemini CLI"
    }

    fn events(&self) -> &'static [(&'static str, Event)] {
        payload::EVENTS
    }

    fn sample(&self, tool: &str) -> String {
        shared::sample("hook_event_name", "BeforeTool", "tool_name", tool)
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
