//! Cline: its command line from 3.0, and its extension, which understands fewer answers.

mod capabilities;
mod commands;
mod payload;
mod reply;
mod settings;

use super::{Agent, Call, Capabilities, Environment, Flaw, Hole, Plan, Reply, Settings};
use crate::protocol::{Event, InputError};

/// Cline.
#[derive(Debug)]
pub(super) struct Cline;

impl Agent for Cline {
    fn name(&self) -> &'static str {
        "cline"
    }

    fn title(&self) -> &'static str {
        "Cline"
    }

    fn events(&self) -> &'static [(&'static str, Event)] {
        payload::EVENTS
    }

    fn sample(&self, tool: &str) -> String {
        payload::sample(tool)
    }

    fn decode(&self, payload: &[u8], _: &Environment) -> Result<Call, InputError> {
        payload::decode(payload)
    }

    fn capabilities(&self, call: &Call) -> Capabilities {
        capabilities::of(call)
    }

    fn encode(&self, call: &Call, plan: &Plan) -> Reply {
        reply::encode(call, plan)
    }

    fn own_events(&self) -> &'static [&'static str] {
        &["tool_call", "tool_result", "agent_start"]
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

    fn veto(&self, reason: &str) -> Reply {
        // Exit statuses do not stop anything in Cline.
        reply::cancel(reason)
    }
}
