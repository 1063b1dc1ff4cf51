//! The payloads of Gemini CLI.

use crate::agent::payload::Payload;
use crate::agent::{Call, shared};
use crate::protocol::{Event, InputError};

pub(super) const EVENTS: &[(&str, Event)] = &[
    ("BeforeTool", Event::PreTool),
    ("AfterTool", Event::PostTool),
    ("BeforeAgent", Event::PreMessage),
    ("AfterAgent", Event::Stop),
    ("BeforeModel", Event::BeforeLlmCall),
    ("AfterModel", Event::AfterLlmCall),
    ("SessionStart", Event::SessionStart),
    ("SessionEnd", Event::SessionEnd),
    ("PreCompress", Event::PreCompact),
    ("Notification", Event::Notification),
];

pub(super) fn decode(payload: &[u8]) -> Result<Call, InputError> {
    let payload = Payload::read(payload)?;
    let mut call = shared::read(&payload, "gemini", EVENTS)?;
    if let Some(input) = call.input.as_mut().filter(|input| input.event == Event::Stop) {
        input.message = payload.hint("prompt_response");
    }
    if let Some(input) = &mut call.input {
        for key in ["mcp_context", "llm_request", "llm_response"] {
            if let Some(value) = payload.json(key) {
                input.push_extra(key, value);
            }
        }
    }
    // The payload does not say whether Gemini has a terminal. Without one, it would wait for an answer forever.
    call.is_attended = false;
    Ok(call)
}
