//! Repetition operators.

use super::{refused, split_first};

/// A repetition. Laziness is left out: it does not affect whether there is a match.
pub(super) struct Repetition<'t> {
    /// The operator, without the `?` of a lazy one. It means the same to the `regex` crate.
    pub(super) operator: &'t str,
    min: u32,
    max: Option<u32>,
    pub(super) after: &'t str,
}

impl<'t> Repetition<'t> {
    /// Go's limit for one count, and for the product of nested ones.
    pub(super) const MAX_COPIES: u32 = 1000;

    /// Reads the repetition at the start of the text. Braces around anything but a count are not a repetition.
    pub(super) fn parse(text: &'t str) -> Result<Option<Self>, String> {
        let Some((first, after)) = split_first(text) else {
            return Ok(None);
        };
        let (min, max, after) = match first {
            '*' => (0, None, after),
            '+' => (1, None, after),
            '?' => (0, Some(1), after),
            '{' => match counts(after) {
                Some(counts) => counts,
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        if min > Self::MAX_COPIES || max.is_some_and(|max| max > Self::MAX_COPIES || min > max) {
            return Err(refused("invalid repeat count", text, after));
        }
        let operator = text.strip_suffix(after).unwrap_or(text);
        Ok(Some(Repetition { operator, min, max, after: after.strip_prefix('?').unwrap_or(after) }))
    }

    /// Returns how many copies of a single item the repetition makes, if the repeated piece makes `inner`.
    pub(super) fn copies(&self, inner: u32) -> u32 {
        match self.max.unwrap_or(self.min) {
            0 if self.max.is_some() => 1,
            count => inner * count.max(1),
        }
    }

    /// Returns the size that Go assigns to the repetition, if the repeated piece has the size `inner`.
    pub(super) fn size(&self, inner: u64) -> u64 {
        match (u64::from(self.min), self.max.map(u64::from)) {
            (0, None) => 2 + inner,
            (min, None) => 1 + min * inner,
            (min, Some(max)) => max * inner + (max - min),
        }
    }
}

/// Reads what follows a `{`: the minimum, the maximum if there is one, and the rest.
fn counts(text: &str) -> Option<(u32, Option<u32>, &str)> {
    let (min, after) = count(text)?;
    let (max, after) = match after.strip_prefix(',') {
        None => (Some(min), after),
        Some(after) if after.starts_with('}') => (None, after),
        Some(after) => count(after).map(|(max, after)| (Some(max), after))?,
    };
    Some((min, max, after.strip_prefix('}')?))
}

/// Reads a count without leading zeros. A count that is too large for the type becomes the type's maximum.
fn count(text: &str) -> Option<(u32, &str)> {
    let after = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text.strip_suffix(after)?;
    let is_count = digits == "0" || !digits.is_empty() && !digits.starts_with('0');
    is_count.then(|| (digits.parse().unwrap_or(u32::MAX), after))
}
