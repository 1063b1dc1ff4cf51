//! The payloads of Droid, which have the keys of Claude Code and Droid's own modes.

use crate::agent::payload::Payload;
use crate::agent::{Call, shared};
use crate::protocol::InputError;

/// The mode in which Droid never asks.
const UNATTENDED: &str = "auto-high";

pub(super) fn decode(payload: &[u8]) -> Result<Call, InputError> {
    let payload = Payload::read(payload)?;
    let mut call = shared::read(&payload, "droid", shared::EVENTS)?;
    call.is_attended &= payload.hint("permission_mode").as_deref() != Some(UNATTENDED);
    Ok(call)
}
