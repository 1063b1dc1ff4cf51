//! The record of events with tool calls that agents have sent and hookbox does not know, with one line for each event.
//! The command `hookbox doctor` shows it.

use super::scope::Scope;
use hookbox::UserPlaces;
use hookbox::agent::{Agent, Call};
use hookbox::internal::{ObjectWriter, PrivateDir};
use serde::Deserialize;
use std::io::{self, BufRead, BufReader};

/// The name of the record in the state directory.
const NAME: &str = "unknown-events.jsonl";

/// The maximum size of the record, in bytes. No agent has so many events.
const MAX_BYTES: u64 = 16 << 10;

/// The maximum length of a name in the record, in bytes.
const MAX_NAME_BYTES: usize = 128;

#[derive(Deserialize)]
struct Line {
    agent: String,
    event: String,
}

/// Records the event of this call if hookbox does not know it. The call is judged whether or not that succeeds.
pub(super) fn note(scope: &Scope, agent: &dyn Agent, call: &Call) {
    if !call.is_unknown_event {
        return;
    }
    let event = call.event.get(..call.event.floor_char_boundary(MAX_NAME_BYTES)).unwrap_or_default();
    let noted = scope.places().map(|places| append(&places, agent.name(), event));
    if let Ok(Err(error)) = noted {
        tracing::warn!(event, "not noted as unknown: {error}");
    }
}

fn append(places: &UserPlaces, agent: &str, event: &str) -> io::Result<()> {
    let Some(dir) = PrivateDir::open(places.state())? else { return Err(io::ErrorKind::NotFound.into()) };
    if of(&dir, agent)?.iter().any(|known| known == event) {
        return Ok(());
    }
    let mut line = ObjectWriter::with_capacity(64);
    line.text("agent", agent).text("event", event);
    dir.append(NAME, format!("{}\n", line.finish()).as_bytes(), MAX_BYTES)
}

/// Returns the recorded events of this agent.
pub(super) fn seen(places: &UserPlaces, agent: &str) -> Vec<String> {
    let dir = PrivateDir::open(places.state()).ok().flatten();
    dir.and_then(|dir| of(&dir, agent).ok()).unwrap_or_default()
}

fn of(dir: &PrivateDir, agent: &str) -> io::Result<Vec<String>> {
    let mut events = Vec::new();
    for line in dir.file(NAME)?.map(|file| BufReader::new(file).lines()).into_iter().flatten() {
        match serde_json::from_str::<Line>(&line?) {
            Ok(line) if line.agent == agent && !events.contains(&line.event) => events.push(line.event),
            _ => {}
        }
    }
    Ok(events)
}
