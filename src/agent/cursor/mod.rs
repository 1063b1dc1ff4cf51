//! Cursor: its editor and its command line.

mod capabilities;
mod payload;
mod reply;
mod settings;

use super::{Agent, Call, Capabilities, Environment, Hole, Plan, Reply, Settings, shared};
use crate::protocol::{Event, InputError};

/// Cursor.
#[derive(Debug)]
pub(super) struct Cursor;

impl Agent for Cursor {
    fn name(&self) -> &'static str {
        "cursor"
    }

    fn title(&self) -> &'static str {
        "Cursor"
    }

    fn program(&self) -> Option<&'static str> {
        Some("cursor-agent")
    }

    fn events(&self) -> &'static [(&'static str, Event)] {
        payload::EVENTS
    }

    fn sample(&self, tool: &str) -> String {
        shared::sample("hook_event_name", "preToolUse", "tool_name", tool)
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

    fn holes(&self) -> &'static [Hole] {
        capabilities::HOLES
    }

    fn settings(&self) -> Option<Settings> {
        Some(settings::SETTINGS)
    }
}
