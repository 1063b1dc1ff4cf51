//! OpenAI's Codex CLI, from 0.164.

mod capabilities;
mod payload;
mod reply;
mod settings;

use super::{Agent, Call, Capabilities, Environment, Flaw, Hole, Plan, Reply, Settings};
use crate::protocol::InputError;

/// Codex CLI.
#[derive(Debug)]
pub(super) struct Codex;

impl Agent for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn title(&self) -> &'static str {
        "Codex CLI"
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
