//! The payloads of Qwen Code, which have the keys of Claude Code.

use crate::agent::payload::Payload;
use crate::agent::{Call, shared};
use crate::protocol::InputError;

pub(super) fn decode(payload: &[u8]) -> Result<Call, InputError> {
    shared::read(&Payload::read(payload)?, "qwen", shared::EVENTS)
}
