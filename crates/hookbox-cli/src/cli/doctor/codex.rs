//! Reads Codex's own record of the hooks that its user has reviewed. Codex does not run any other hooks.

use crate::cli::install::{self, Before, Places};
use hookbox::agent::Entries;
use serde_json::Value;
use std::path::Path;

/// Returns a problem if Codex skips entries of hookbox in this file, as far as Codex's record tells. The record has its
/// own kind of digest of what was reviewed, so only Codex knows whether that still holds.
pub(super) fn untrusted(file: &Path, entries: &Entries, places: &Places<'_>) -> Vec<String> {
    let named = entries.home.filter(|_| !places.is_other_home).and_then(std::env::var_os);
    let hooks = entries.user_file(places.home, named.as_deref());
    let config = hooks.with_file_name("config.toml");
    let Ok(settings) = Before::read(file) else { return Vec::new() };
    let record = Before::read(&config).ok().and_then(|record| install::toml_value(record.text())).unwrap_or_default();
    let state = record.pointer("/hooks/state");
    // The record may have the file under the path of a link or under its real path.
    let real = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let is_trusted = |event: &str| {
        let Some((group, own)) = install::place(settings.text(), entries, "codex", event) else { return true };
        [file, &real].iter().any(|path| {
            let key = format!("{}:{}:{group}:{own}", path.display(), snake(event));
            let Some(hook) = state.and_then(|state| state.get(&key)) else { return false };
            hook.get("trusted_hash").is_some_and(Value::is_string)
                && hook.get("enabled").and_then(Value::as_bool) != Some(false)
        })
    };
    let skipped: Vec<&str> =
        entries.events.iter().map(|(event, _)| *event).filter(|event| !is_trusted(event)).collect();
    if skipped.is_empty() {
        return Vec::new();
    }
    let (file, events) = (file.display(), skipped.join(", "));
    vec![format!(
        "Codex skips hooks of `{file}` that are not trusted ({events}): start it, and trust them with `/hooks`"
    )]
}

/// Converts `PreToolUse` to `pre_tool_use`.
fn snake(event: &str) -> String {
    let mut snake = String::with_capacity(event.len() + 4);
    for c in event.chars() {
        if c.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}
