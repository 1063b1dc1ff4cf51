//! Names for hooks whose systems give them none.

/// The longest name, in characters. A name must be recognizable, not complete.
const MAX_NAME: usize = 60;

/// Makes a name from the command that a hook runs: its first line, shortened.
pub(super) fn short_name(command: impl AsRef<str>) -> String {
    let line = command.as_ref().trim().lines().next().unwrap_or_default().trim();
    match line.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None if line.is_empty() => "(unnamed)".to_owned(),
        None => line.to_owned(),
    }
}
