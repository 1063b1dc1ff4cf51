//! What the rules found, and the decision that follows from it.

use hookbox_sdk::shell::{Edit, FOUND, GLOB, HOME, UNKNOWN};

/// The longest reason, in characters.
const MAX_REASON: usize = 300;

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

/// The sum of all findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Nothing was found.
    Allow,
    /// Run the command with these changes.
    Rewrite(Vec<Edit>, String),
    /// A person has to decide.
    Ask(String),
    /// Do not run the command.
    Deny(String),
}

impl Decision {
    /// Adds a finding: deny beats ask, ask beats a rewrite, and the first of two equal findings gives the reason.
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

/// Returns a reason as it is shown: on one line, within the limit, and without markers.
fn sentence(reason: &str) -> String {
    let shown = |c| match c {
        UNKNOWN | FOUND => '…',
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
