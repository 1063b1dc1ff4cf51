//! Patterns with `*`, `?` and `[…]`, as in `${x%%.*}`.

/// A pattern that is matched against known text.
pub(super) struct Pattern {
    items: Vec<Item>,
}

enum Item {
    Char(char),
    Any,
    Many,
}

/// The longest text and pattern that are matched.
const MAX: usize = 256;
/// The longest text in which a pattern with wildcards is replaced, because every part of the text may match.
const MAX_SEARCHED: usize = 32;
/// The most text that replacements may insert, in bytes.
const MAX_MADE: usize = 16 << 10;

impl Pattern {
    /// Reads a pattern. Returns `None` if it has a part that cannot be matched here.
    pub(super) fn new(raw: &str) -> Option<Self> {
        let mut items = Vec::new();
        let mut chars = raw.chars();
        let mut quote = None;
        while let Some(c) = chars.next() {
            items.push(match c {
                c if quote == Some(c) => {
                    quote = None;
                    continue;
                }
                '\'' | '"' if quote.is_none() => {
                    quote = Some(c);
                    continue;
                }
                '\\' if quote != Some('\'') => Item::Char(chars.next()?),
                '[' | '$' | '`' | '(' if quote.is_none() => return None,
                '$' | '`' if quote == Some('"') => return None,
                '?' if quote.is_none() => Item::Any,
                '*' if quote.is_none() => Item::Many,
                c => Item::Char(c),
            });
        }
        (raw.len() <= MAX).then_some(Pattern { items })
    }

    /// Whether the pattern matches all of `text`.
    fn matches(&self, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        let (mut at, mut item) = (0, 0);
        let mut back: Option<(usize, usize)> = None;
        loop {
            match (self.items.get(item), text.get(at)) {
                (Some(Item::Many), _) => {
                    back = Some((item + 1, at));
                    item += 1;
                }
                (Some(Item::Any), Some(_)) => (at, item) = (at + 1, item + 1),
                (Some(Item::Char(wanted)), Some(c)) if wanted == c => (at, item) = (at + 1, item + 1),
                (None, None) => return true,
                _ => match back {
                    Some((after, from)) if from < text.len() => {
                        back = Some((after, from + 1));
                        (at, item) = (from + 1, after);
                    }
                    _ => return false,
                },
            }
        }
    }

    /// Returns `text` without the part at its beginning that matches.
    pub(super) fn without_prefix<'t>(&self, text: &'t str, longest: bool) -> Option<&'t str> {
        let cuts = cuts(text)?;
        let is_match = |at: &&usize| text.get(..**at).is_some_and(|part| self.matches(part));
        let at = if longest { cuts.iter().rev().find(is_match) } else { cuts.iter().find(is_match) };
        text.get(at.copied().unwrap_or(0)..)
    }

    /// Returns `text` without the part at its end that matches.
    pub(super) fn without_suffix<'t>(&self, text: &'t str, longest: bool) -> Option<&'t str> {
        let cuts = cuts(text)?;
        let is_match = |at: &&usize| text.get(**at..).is_some_and(|part| self.matches(part));
        let at = if longest { cuts.iter().find(is_match) } else { cuts.iter().rev().find(is_match) };
        text.get(..at.copied().unwrap_or(text.len()))
    }

    /// Returns `text` with the first match, or all of them, replaced.
    pub(super) fn replaced(&self, text: &str, with: &str, all: bool) -> Option<String> {
        let literal: Option<String> =
            self.items.iter().map(|item| if let Item::Char(c) = item { Some(*c) } else { None }).collect();
        if let Some(literal) = literal {
            let count = if literal.is_empty() { MAX_MADE } else { text.matches(&literal).count() };
            if count.saturating_mul(with.len().max(1)) >= MAX_MADE {
                return None;
            }
            return Some(if all { text.replace(&literal, with) } else { text.replacen(&literal, with, 1) });
        }
        let cuts = cuts(text).filter(|cuts| cuts.len() <= MAX_SEARCHED)?;
        let mut made = String::new();
        let mut from = 0;
        while from < cuts.len() {
            let start = *cuts.get(from)?;
            let longest = cuts.iter().enumerate().skip(from + 1).rev();
            let end =
                longest.into_iter().find(|(_, end)| text.get(start..**end).is_some_and(|part| self.matches(part)));
            match end {
                Some((at, _)) => {
                    made.push_str(with);
                    from = at;
                    if !all {
                        made.push_str(text.get(*cuts.get(from)?..)?);
                        return Some(made);
                    }
                }
                None => {
                    let next = cuts.get(from + 1).copied().unwrap_or(text.len());
                    made.push_str(text.get(start..next)?);
                    from += 1;
                }
            }
        }
        Some(made)
    }
}

/// Returns the positions at which a text can be cut.
fn cuts(text: &str) -> Option<Vec<usize>> {
    (text.len() <= MAX).then(|| text.char_indices().map(|(at, _)| at).chain([text.len()]).collect())
}
