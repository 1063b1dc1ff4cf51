//! The record of what ran while hookbox was off: a line for each event.

use super::state::Off;
use hookbox::UserPlaces;
use hookbox::internal::{ObjectWriter, PrivateDir};
use serde::Deserialize;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;
use std::time::SystemTime;

/// The name of the record in the state directory.
const NAME: &str = "off.log";

/// The maximum size of the record, in bytes. When it is full, hookbox is on: an event that cannot be recorded does not
/// run unjudged.
const MAX_BYTES: u64 = 64 << 20;

/// The maximum length of a name in the record, in bytes.
const MAX_NAME_BYTES: usize = 512;

/// Appends an event.
///
/// # Errors
/// Returns an error if the event could not be recorded. It must not be allowed then.
pub(in crate::cli) fn append(
    places: &UserPlaces,
    agent: &str,
    event: &str,
    tool: Option<&str>,
    session: Option<&str>,
) -> io::Result<()> {
    let mut line = ObjectWriter::with_capacity(256);
    line.text("time", &humantime::format_rfc3339_millis(SystemTime::now()).to_string());
    line.text("agent", agent).text("event", shortened(event));
    line.optional_text("tool", tool.map(shortened)).optional_text("session", session.map(shortened));
    let line = format!("{}\n", line.finish());
    let Some(dir) = PrivateDir::open(places.state())? else { return Err(io::ErrorKind::NotFound.into()) };
    dir.append(NAME, line.as_bytes(), MAX_BYTES)
}

/// Returns how many events ran since hookbox was turned off.
///
/// # Errors
/// Returns an error if the record cannot be read.
pub(super) fn count(places: &UserPlaces, off: &Off) -> io::Result<usize> {
    #[derive(Deserialize)]
    struct Line {
        time: String,
    }
    let file = match PrivateDir::open(places.state())? {
        Some(dir) => dir.file(NAME)?,
        None => None,
    };
    let Some(file) = file else { return Ok(0) };
    let mut count = 0;
    for line in BufReader::new(file).lines() {
        // In this format, times sort as text.
        let is_since = |line: &Line| line.time >= off.since;
        count += usize::from(serde_json::from_str(&line?).as_ref().is_ok_and(is_since));
    }
    Ok(count)
}

pub(super) fn path(places: &UserPlaces) -> PathBuf {
    places.state().join(NAME)
}

fn shortened(name: &str) -> &str {
    name.get(..name.floor_char_boundary(MAX_NAME_BYTES)).unwrap_or_default()
}
