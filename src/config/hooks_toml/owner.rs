//! Decides whether a `hooks.toml` is hookbox's own, because other tools have files of that name, too.

use super::ROOT_KEYS;
use crate::config::fields::alike;
use crate::config::file::ConfigFile;
use crate::config::problem::Problem;
use crate::protocol::{Code, Source};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The comment before the first key with which a user says that a file belongs to another tool.
pub const IGNORE: &str = "# hookbox: ignore";

/// The tool that a `hooks.toml` belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// hookbox, or no tool yet, because the file has no keys.
    Hookbox,
    /// Most likely another tool: none of the file's keys is one of hookbox's, even misspelled.
    Other,
    /// Another tool, as the file itself says.
    Ignored,
}

/// Returns which tool a file belongs to. A file that cannot be parsed counts as hookbox's, so that it is not skipped.
#[must_use]
pub fn owner(text: &str) -> Owner {
    match DeTable::parse(text) {
        Ok(document) => owner_of(text, document.get_ref()),
        Err(_) => Owner::Hookbox,
    }
}

pub(super) fn owner_of(text: &str, document: &DeTable<'_>) -> Owner {
    // Other tools have lists of hooks rather than tables.
    let is_ours = |(key, value): (&str, &DeValue<'_>)| value.is_table() && alike(key, &ROOT_KEYS).is_some();
    if document.is_empty() || document.iter().any(|(key, value)| is_ours((key.get_ref(), value.get_ref()))) {
        return Owner::Hookbox;
    }
    let head = text.lines().map(str::trim).take_while(|line| line.is_empty() || line.starts_with('#'));
    let is_mark = |line: &str| line.trim_start_matches('#').split_whitespace().eq(["hookbox:", "ignore"]);
    if head.into_iter().any(is_mark) { Owner::Ignored } else { Owner::Other }
}

/// Creates the error for a file that is probably another tool's. It is an error because a file of hookbox's own that is
/// not read would be a missing guard.
pub(super) fn of_another_tool(file: &ConfigFile, document: &DeTable<'_>) -> Problem {
    let message = format!(
        "this is probably another tool's file: it has none of hookbox's keys ({}), so hookbox does not know which hooks it \
         should have",
        ROOT_KEYS.join(", ")
    );
    let place = if file.source == Source::PROJECT { ".hookbox/hooks.toml" } else { "~/.config/hookbox/hooks.toml" };
    let help = format!("to say that it is, put the line `{IGNORE}` at its top; hookbox's hooks go into `{place}` then");
    let first = document.keys().map(Spanned::span).min_by_key(|span| span.start).unwrap_or_default();
    file.problem(Code::ConfigKey, None, &first, message, Some(help))
}
