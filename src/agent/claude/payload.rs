//! The payloads of Claude Code.

use crate::agent::payload::Payload;
use crate::agent::{Call, Environment, shared};
use crate::protocol::InputError;

pub(super) fn decode(payload: &[u8], environment: &Environment) -> Result<Call, InputError> {
    let mut call = shared::read(&Payload::read(payload)?, "claude", shared::EVENTS)?;
    // The payloads of `claude -p` and the SDK do not say that nobody can be asked.
    call.is_attended &= environment.get("CLAUDE_CODE_SESSION_ATTENDED") != Some("0");
    Ok(call)
}
