//! What the rules found, and the decision that follows from it.

use crate::shell::{GLOB, HOME, UNKNOWN, Word};
use std::ops::Range;

/// The longest reason, in characters.
const MAX_REASON: usize = 300;
/// The longest command that a reason quotes, in characters.
const MAX_QUOTE: usize = 60;

/// What one rule says about one command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// The command must not run.
    Deny(String),
    /// A person has to decide.
    Ask(String),
    /// The command may run once it is changed.
    Rewrite(Vec<Edit>, String),
}

/// A change to the text of the tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that are replaced.
    pub at: Range<usize>,
    /// The words that take their place.
    pub with: Vec<String>,
}

/// The sum of all findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Nothing was found.
    Allow,
    /// Run the command with these changes.
    Rewrite(Vec<Edit>, String),
    /// Leave it to a person.
    Ask(String),
    /// Do not run the command.
    Deny(String),
}

impl Decision {
    /// Adds a finding: deny beats ask, ask beats a rewrite, and the first of
    /// two equal findings gives the reason.
    #[must_use]
    pub fn and(self, finding: Finding) -> Self {
        match (self, finding) {
            (Self::Deny(reason), _) => Self::Deny(reason),
            (_, Finding::Deny(reason)) => Self::Deny(sentence(&reason)),
            (Self::Ask(reason), _) => Self::Ask(reason),
            (_, Finding::Ask(reason)) => Self::Ask(sentence(&reason)),
            (Self::Rewrite(mut edits, reason), Finding::Rewrite(more, _)) => {
                edits.extend(more);
                Self::Rewrite(edits, reason)
            }
            (Self::Allow, Finding::Rewrite(edits, reason)) => Self::Rewrite(edits, sentence(&reason)),
        }
    }
}

/// Quotes a command in a reason, as it was typed but on one line.
#[must_use]
pub fn quote(words: &[Word]) -> String {
    let typed: Vec<&str> = words.iter().map(|word| word.raw.as_str()).collect();
    let line: Vec<&str> = typed.iter().flat_map(|raw| raw.split_whitespace()).collect();
    format!("`{}`", shorten(&line.join(" "), MAX_QUOTE))
}

/// A reason as it is shown: on one line, in bounds, and without markers.
fn sentence(reason: &str) -> String {
    let shown = |c| match c {
        UNKNOWN => '…',
        GLOB => '*',
        HOME => '~',
        c if c.is_control() => ' ',
        c => c,
    };
    let shown: String = reason.chars().map(shown).collect();
    shorten(&shown, MAX_REASON)
}

fn shorten(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
