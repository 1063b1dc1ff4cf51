//! Whose file a `hooks.toml` is: other tools have files of that name, too.

use super::ROOT_KEYS;
use crate::config::fields::alike;
use toml::de::{DeTable, DeValue};

/// The comment with which a user says that a file is another tool's, before the first key.
pub const IGNORE: &str = "# hookbox: ignore";

/// Whose file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// hookbox's, or nobody's yet.
    Hookbox,
    /// Most likely another tool's: none of its keys is hookbox's, or looks like one of them with an error.
    Other,
    /// Another tool's, as the file itself says.
    Ignored,
}

/// Tells whose file this is. One that cannot be parsed counts as hookbox's, so that it is not passed over.
#[must_use]
pub fn owner(text: &str) -> Owner {
    match DeTable::parse(text) {
        Ok(document) => owner_of(text, document.get_ref()),
        Err(_) => Owner::Hookbox,
    }
}

pub(super) fn owner_of(text: &str, document: &DeTable<'_>) -> Owner {
    // Other tools have lists of hooks.
    let is_ours = |(key, value): (&str, &DeValue<'_>)| value.is_table() && alike(key, &ROOT_KEYS).is_some();
    if document.is_empty() || document.iter().any(|(key, value)| is_ours((key.get_ref(), value.get_ref()))) {
        return Owner::Hookbox;
    }
    let head = text.lines().map(str::trim).take_while(|line| line.is_empty() || line.starts_with('#'));
    let is_mark = |line: &str| line.trim_start_matches('#').split_whitespace().eq(["hookbox:", "ignore"]);
    if head.into_iter().any(is_mark) { Owner::Ignored } else { Owner::Other }
}
