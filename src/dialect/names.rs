//! Names for hooks whose systems give them none.

/// The longest name, in characters. It has to be recognised, not read.
const MAX_NAME: usize = 60;

/// A name made of what a hook runs: its first line, not too long.
pub(super) fn short_name(command: impl AsRef<str>) -> String {
    let line = command.as_ref().trim().lines().next().unwrap_or_default().trim();
    match line.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None if line.is_empty() => "(unnamed)".to_owned(),
        None => line.to_owned(),
    }
}
