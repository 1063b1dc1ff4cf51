//! Removes secrets from what is written.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// A detector of secrets in texts.
pub trait Mask: Send + Sync {
    /// Returns the text with marks in place of its secrets; `None` if it has none. The text may be JSON; a mark must
    /// fit into a JSON string.
    fn mask(&self, text: &str) -> Option<String>;
}

/// The result of masking a text.
pub(super) enum Masked {
    /// The text has no secrets.
    Clean,
    Marked(String),
    /// The detectors failed, so nothing is known about the text.
    Unknown,
}

pub(super) fn mask(detectors: &dyn Mask, text: &str) -> Masked {
    match catch_unwind(AssertUnwindSafe(|| detectors.mask(text))) {
        Ok(None) => Masked::Clean,
        Ok(Some(marked)) => Masked::Marked(marked),
        Err(_) => Masked::Unknown,
    }
}
