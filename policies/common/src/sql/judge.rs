//! Judges whole texts, also for a database that is known.

use super::MAX_SQL;
use super::delimiters::undelimited;
use super::destructive::{Context, Damage, MAX_READ, inside};
use super::dollars::are_strings;
use super::escapes::are_escapes;
use std::cell::Cell;

/// Returns what a text would destroy in any dialect, or `None` if it destroys nothing or is not SQL.
#[must_use]
pub fn destructive(text: &str) -> Option<Damage> {
    judge(text, Context::default())
}

/// Returns what a text would destroy in a database that reads `$tag$ … $tag$` as a string, as PostgreSQL does. What such
/// a string runs or defines counts.
#[must_use]
pub fn destructive_in_postgres(text: &str) -> Option<Damage> {
    let has_dollars = text.len() <= MAX_SQL && are_strings(text);
    judge(text, Context { has_dollars, ..Context::default() })
}

/// Returns what a text would destroy in a database that reads a backslash in a string as an escape, as MySQL does.
#[must_use]
pub fn destructive_in_mysql(text: &str) -> Option<Damage> {
    let has_escapes = text.len() <= MAX_SQL && are_escapes(text);
    judge(text, Context { has_escapes, ..Context::default() })
}

/// Judges a text as it is, and as a client reads it that knows commands such as `DELIMITER //`.
fn judge(text: &str, context: Context) -> Option<Damage> {
    let found = inside(text, context, &Cell::new(MAX_READ));
    if text.len() > MAX_SQL || found.as_ref().is_some_and(|damage| damage.is_certain) {
        return found;
    }
    let Some(other) = undelimited(text) else { return found };
    match inside(&other, Context::default(), &Cell::new(MAX_READ)) {
        Some(damage) if damage.is_certain => Some(damage),
        other => found.or(other),
    }
}
