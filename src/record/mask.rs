//! Takes secrets out of what is written.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Finds the secrets in a text.
pub trait Mask: Send + Sync {
    /// The text with marks in place of its secrets. `None` if it has none. The text may be JSON; a mark must fit into a
    /// JSON string.
    fn mask(&self, text: &str) -> Option<String>;
}

/// A text without its secrets.
pub(super) enum Masked {
    /// It has none.
    Clean,
    Marked(String),
    /// The detectors failed, so nothing is known about it.
    Unknown,
}

pub(super) fn mask(detectors: &dyn Mask, text: &str) -> Masked {
    match catch_unwind(AssertUnwindSafe(|| detectors.mask(text))) {
        Ok(None) => Masked::Clean,
        Ok(Some(marked)) => Masked::Marked(marked),
        Err(_) => Masked::Unknown,
    }
}
