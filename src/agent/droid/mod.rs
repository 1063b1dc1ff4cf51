//! Factory's Droid.

mod capabilities;
mod payload;
mod reply;
mod settings;

use super::{Agent, Call, Capabilities, Environment, Hole, Plan, Reply, Settings};
use crate::protocol::InputError;

/// Factory Droid.
#[derive(Debug)]
pub(super) struct Droid;

impl Agent for Droid {
    fn name(&self) -> &'static str {
        "droid"
    }

    fn title(&self) -> &'static str {
        "Factory Droid"
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

    fn holes(&self) -> &'static [Hole] {
        capabilities::HOLES
    }

    fn settings(&self) -> Option<Settings> {
        Some(settings::SETTINGS)
    }
}
