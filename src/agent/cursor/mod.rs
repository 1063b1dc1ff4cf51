//! Cursor, its editor and its command line.

mod capabilities;
mod payload;
mod reply;
mod settings;

use super::{Agent, Call, Capabilities, Environment, Plan, Reply, Settings};
use crate::protocol::InputError;

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

    fn decode(&self, payload: &[u8], _: &Environment) -> Result<Call, InputError> {
        payload::decode(payload)
    }

    fn capabilities(&self, call: &Call) -> Capabilities {
        capabilities::of(call)
    }

    fn encode(&self, call: &Call, plan: &Plan) -> Reply {
        reply::encode(call, plan)
    }

    fn settings(&self) -> Option<Settings> {
        Some(settings::SETTINGS)
    }
}
