//! The payload on a hygge hook's stdin, byte for byte.

use crate::dialect::go::encode::{compact, escape_html};
use crate::protocol::{Input, ObjectWriter};

/// Writes the members in hygge's order. Empty ones are left out, except for the first four.
pub(super) fn encode(input: &Input) -> String {
    let mut out = ObjectWriter::with_capacity(256);
    out.text("event", input.event.as_str())
        .text("session_id", input.session_id.as_deref().unwrap_or_default())
        .text("hook_name", input.hook_name.as_deref().unwrap_or(input.event.as_str()))
        .text("pwd", input.pwd.as_deref().unwrap_or_default())
        .text_unless_empty("tool_name", input.tool_name.as_deref());
    if let Some(tool_input) = &input.tool_input {
        out.raw("tool_input", &compact(tool_input.as_str()));
    }
    if let Some(result) = &input.tool_result {
        out.raw("tool_result", &result.to_json());
    }
    out.text_unless_empty("message", input.message.as_deref())
        .text_unless_empty("mode_name", input.mode_name.as_deref());
    escape_html(&out.finish())
}
