//! OpenCode, which has no command hooks: hookbox's plugin calls hookbox instead.

mod capabilities;
mod payload;
mod reply;
mod settings;

use super::{Agent, Call, Capabilities, Environment, Flaw, Plan, Reply, Settings};
use crate::protocol::{Event, InputError};

/// OpenCode.
#[derive(Debug)]
pub(super) struct OpenCode;

impl Agent for OpenCode {
    fn name(&self) -> &'static str {
        "opencode"
    }

    fn title(&self) -> &'static str {
        "OpenCode"
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
        capabilities::of(&call.event)
    }

    fn encode(&self, call: &Call, plan: &Plan) -> Reply {
        reply::encode(call, plan)
    }

    fn own_events(&self) -> &'static [&'static str] {
        &["tool.execute.before", "tool.execute.after", "chat.message"]
    }

    fn flaws(&self) -> &'static [Flaw] {
        settings::FLAWS
    }

    fn settings(&self) -> Option<Settings> {
        Some(settings::SETTINGS)
    }
}
