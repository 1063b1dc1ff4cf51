//! Lines that end only because they are long, and words that only seem to end.

use super::Scanner;
use crate::invisible::{Invisible, invisible};
use crate::lexicon::class::FOLDED;

/// The maximum length of a name between isolates, in bytes.
const MAX_NAME: usize = 100;

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

    /// Returns the end of an isolate that is one of a pair around a name, as programs write it around each value in a
    /// message: U+2068, `Anna`, U+2069. If no other mark of direction is between them, such a pair does not move any letter.
    pub(super) fn isolate(&mut self, at: usize, c: char, rest: &str) -> Option<usize> {
        let end = at + c.len_utf8();
        if c == '\u{2068}' {
            let name = rest.get(c.len_utf8()..rest.floor_char_boundary(MAX_NAME))?;
            let len = name.find(|c: char| c == '\n' || invisible(c) == Some(Invisible::Direction))?;
            let is_pair = len > 0 && name.get(len..)?.starts_with('\u{2069}');
            is_pair.then_some(())?;
            self.isolate_end = end + len;
        } else if c != '\u{2069}' || at != self.isolate_end {
            return None;
        }
        self.has_gaps |= self.is_gap(end);
        Some(end)
    }

    /// Whether invisible characters before this position are between others, rather than at the end of a line or a link.
    pub(super) fn is_gap(&self, end: usize) -> bool {
        let last = self.text.get(..end).and_then(|before| before.chars().next_back());
        let is_inside = last.is_some_and(|c| invisible(c).is_none());
        is_inside || self.rest(end).starts_with(|c: char| c == ' ' || c.is_alphanumeric())
    }
}
