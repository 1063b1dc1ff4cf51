//! `limit_large_tool_results`: puts a tool's large result into a file and shows the model only its end.

use crate::protocol::{Action, Decision, Event, Input};
use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// docker-agent's limits, in bytes and lines. A larger result is shortened to an end within them.
const MAX_BYTES: usize = 50 << 10;
const MAX_LINES: usize = 2000;

/// The categories of tools whose results may be large.
const CATEGORIES: [&str; 4] = ["filesystem", "shell", "mcp", "a2a"];

/// Shortens a large result, and removes the files of a session that ends.
pub(super) fn run(input: &Input, _: &[String]) -> Result<Option<Action>, String> {
    let session = input.session_id.as_deref().unwrap_or_default();
    let dir = dir_of(session);
    let failed = |error: io::Error| format!("limit_large_tool_results: `{}`: {error}", dir.display());
    match input.event {
        Event::SessionEnd => match fs::remove_dir_all(&dir) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(failed(error)),
            _ => Ok(None),
        },
        Event::ToolResponseTransform => {
            let category =
                input.extra("tool_category").and_then(|json| serde_json::from_str::<String>(json.as_str()).ok());
            let text = input.tool_result.as_ref().map(|result| result.content.as_str()).unwrap_or_default();
            let is_meant = category.is_some_and(|category| CATEGORIES.contains(&category.as_str()));
            let lines = text.lines().count();
            if !is_meant || (text.len() <= MAX_BYTES && lines <= MAX_LINES) {
                return Ok(None);
            }
            let file = keep(&dir, text).map_err(failed)?;
            let updated = format!(
                "The result of the tool has {} bytes in {lines} lines, more than the limit of {MAX_BYTES} bytes or \
                 {MAX_LINES} lines. All of it is in the file `{}`. This is its end:\n\n{}",
                text.len(),
                file.display(),
                end_of(text)
            );
            let updated_tool_response = Some(updated);
            Ok(Some(Action { decision: Decision::Modify, updated_tool_response, ..Action::default() }))
        }
        _ => Ok(None),
    }
}

/// Returns the directory for a session's results. It is named by a hash, since a session's id may have any characters.
fn dir_of(session: &str) -> PathBuf {
    let name: String = blake3::hash(session.as_bytes()).to_hex().chars().take(32).collect();
    std::env::temp_dir().join(format!("hookbox-results-{}", rustix::process::geteuid().as_raw())).join(name)
}

/// Writes a result into a file that nobody else can read.
fn keep(dir: &Path, text: &str) -> io::Result<PathBuf> {
    for dir in [dir.parent().unwrap_or(dir), dir] {
        match DirBuilder::new().mode(0o700).create(dir) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        // Other users can create a directory with this name among the temporary files.
        let meta = fs::symlink_metadata(dir)?;
        if !meta.is_dir() || meta.uid() != rustix::process::geteuid().as_raw() || meta.mode() & 0o077 != 0 {
            return Err(io::Error::new(ErrorKind::PermissionDenied, "others can change it"));
        }
    }
    let name: String = blake3::hash(text.as_bytes()).to_hex().chars().take(32).collect();
    let path = dir.join(format!("{name}.txt"));
    let mut file = File::options().write(true).create(true).truncate(true).mode(0o600).open(&path)?;
    file.write_all(text.as_bytes())?;
    Ok(path)
}

/// Returns the last lines, as far as they fit.
fn end_of(text: &str) -> &str {
    let first = text.len().saturating_sub(MAX_BYTES);
    let end = text.get(text.ceil_char_boundary(first)..).unwrap_or_default();
    let body = end.strip_suffix('\n').unwrap_or(end);
    let start = body.rmatch_indices('\n').nth(MAX_LINES - 1).map_or(0, |(at, _)| at + 1);
    end.get(start..).unwrap_or_default()
}
