//! Lines that end only because they are long, and words that only seem to end.

use super::Scanner;
use crate::invisible::invisible;
use crate::lexicon::class::FOLDED;

impl Scanner<'_, '_> {
    /// Whether the format of the text breaks long lines.
    pub(super) fn is_folded(&self) -> bool {
        self.classes & FOLDED != 0
    }

    /// Whether a line ends here only because it is long, as in mails and calendars.
    pub(super) fn is_soft(&self, at: usize, len: usize) -> bool {
        let before = self.text.get(..at).unwrap_or_default();
        let before = before.strip_suffix('\r').or_else(|| before.strip_suffix("\\r")).unwrap_or(before);
        let is_inside = |before: &str| before.ends_with(|c: char| c.is_ascii_alphanumeric());
        before.strip_suffix('=').is_some_and(is_inside)
            || self.is_folded() && self.rest(at + len).starts_with([' ', '\t'])
    }

    /// Whether invisible characters before this position are between others, rather than at the end of a line or a link.
    pub(super) fn is_gap(&self, end: usize) -> bool {
        let last = self.text.get(..end).and_then(|before| before.chars().next_back());
        let is_inside = last.is_some_and(|c| invisible(c).is_none());
        is_inside || self.rest(end).starts_with(|c: char| c == ' ' || c.is_alphanumeric())
    }
}
