//! Answers in the form of one document or of server-sent events.

use super::Answer;
use serde_json::Value;
use std::fmt::Write as _;

/// Makes an answer of one JSON document.
pub(super) fn whole(document: &Value) -> Answer {
    Answer { content_type: "application/json", body: document.to_string() }
}

/// Makes an answer of events that have only data.
pub(super) fn data(events: &[Value]) -> Answer {
    let mut body = String::new();
    for event in events {
        let _ = write!(body, "data: {event}\n\n");
    }
    Answer { content_type: "text/event-stream", body }
}

/// Makes an answer of events that are named by their `type`.
pub(super) fn typed(events: &[Value]) -> Answer {
    let mut body = String::new();
    for event in events {
        let _ =
            write!(body, "event: {}\ndata: {event}\n\n", event.get("type").and_then(Value::as_str).unwrap_or_default());
    }
    Answer { content_type: "text/event-stream", body }
}
