//! Judges whole texts, also for a database that is known.

use super::MAX_SQL;
use super::delimiters::undelimited;
use super::destructive::{Context, Damage, MAX_READ, inside};
use super::dollars;
use super::escapes::are_escapes;
use super::quotes;
use super::unescaped::unescaped;
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
    let has_dollars = text.len() <= MAX_SQL && dollars::are_strings(text);
    judge(text, Context { has_dollars, ..Context::default() })
}

/// Returns what a text would destroy in a database that reads a backslash in a string as an escape, as MySQL does.
#[must_use]
pub fn destructive_in_mysql(text: &str) -> Option<Damage> {
    let has_escapes = text.len() <= MAX_SQL && are_escapes(text);
    judge(text, Context { has_escapes, ..Context::default() })
}

/// Returns what a text would destroy in Oracle, which reads `q'[ … ]'` as a string. What such a string runs counts.
#[must_use]
pub fn destructive_in_oracle(text: &str) -> Option<Damage> {
    let has_q_strings = text.len() <= MAX_SQL && quotes::are_strings(text);
    judge(text, Context { has_q_strings, ..Context::default() })
}

/// Judges a text as it is, as a client reads it that knows commands such as `DELIMITER //`, and with the characters that
/// it writes as numbers, as in `U&"d\0061ta"`.
fn judge(text: &str, context: Context) -> Option<Damage> {
    let found = inside(text, context, &Cell::new(MAX_READ));
    if text.len() > MAX_SQL || found.as_ref().is_some_and(|damage| damage.is_certain) {
        return found;
    }
    let mut doubtful = found;
    for other in [undelimited(text), unescaped(text)].into_iter().flatten() {
        match inside(&other, Context::default(), &Cell::new(MAX_READ)) {
            Some(damage) if damage.is_certain => return Some(damage),
            other => doubtful = doubtful.or(other),
        }
    }
    doubtful
}
