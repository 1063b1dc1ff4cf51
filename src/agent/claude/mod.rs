//! Claude Code, from 2.1.

mod capabilities;
mod payload;
mod reply;
mod settings;

use super::copilot::Copilot;
use super::{Agent, Call, Capabilities, Environment, Flaw, Hole, Plan, Reply, Settings, detect};
use crate::protocol::InputError;

/// Claude Code.
#[derive(Debug)]
pub(super) struct Claude;

impl Agent for Claude {
    fn name(&self) -> &'static str {
        "claude"
    }

    fn title(&self) -> &'static str {
        "Claude Code"
    }

    /// Returns Copilot CLI if it sent the payload: it runs the hooks in a project's settings for Claude Code.
    fn sender(&self, payload: &[u8], environment: &Environment) -> Option<&'static dyn Agent> {
        let sender = detect(payload, environment);
        (sender.name() == Copilot.name()).then_some(sender)
    }

    fn decode(&self, payload: &[u8], environment: &Environment) -> Result<Call, InputError> {
        payload::decode(payload, environment)
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
