//! Brace expansion, on text in which only active braces are marked.

use crate::shell::word::{GLOB, UNKNOWN};

/// An active `{`, `,` or `}`.
pub(super) const OPEN: char = '\u{E003}';
/// See [`OPEN`].
pub(super) const COMMA: char = '\u{E004}';
/// See [`OPEN`].
pub(super) const CLOSE: char = '\u{E005}';

/// How many words one word may expand to before it counts as unknown.
const MAX_WORDS: usize = 64;

/// Returns the words that `text` expands to.
pub(super) fn expand(text: &str) -> Vec<String> {
    if text.matches(OPEN).count() > MAX_WORDS {
        return vec![UNKNOWN.to_string()];
    }
    let mut done = Vec::new();
    let mut pending = vec![text.to_owned()];
    while let Some(text) = pending.pop() {
        if done.len() + pending.len() >= MAX_WORDS {
            return vec![UNKNOWN.to_string()];
        }
        match first_group(&text) {
            Some(group) => pending.extend(group.words().into_iter().rev()),
            None => done.push(as_typed(&text)),
        }
    }
    done
}

/// A balanced pair of braces and the text around it.
struct Group<'a> {
    before: &'a str,
    inner: &'a str,
    after: &'a str,
}

impl Group<'_> {
    fn words(&self) -> Vec<String> {
        let alternatives = alternatives(self.inner);
        let inner: Vec<String> = if alternatives.len() > 1 {
            alternatives.into_iter().map(str::to_owned).collect()
        } else if self.inner.contains("..") {
            // A sequence such as `{1..9}` can stand for many things, like a wildcard.
            vec![GLOB.to_string()]
        } else {
            vec![format!("{{{}}}", self.inner)]
        };
        inner.iter().map(|inner| format!("{}{inner}{}", self.before, self.after)).collect()
    }
}

fn first_group(text: &str) -> Option<Group<'_>> {
    text.match_indices(OPEN).find_map(|(at, _)| {
        let (before, rest) = text.split_at_checked(at)?;
        let rest = rest.strip_prefix(OPEN)?;
        let end = closing(rest)?;
        let (inner, rest) = rest.split_at_checked(end)?;
        let after = rest.strip_prefix(CLOSE)?;
        Some(Group { before, inner, after })
    })
}

/// The position of the brace that closes the one opened before `text`.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            OPEN => depth += 1,
            CLOSE if depth == 0 => return Some(at),
            CLOSE => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Splits at the commas that are not inside nested braces.
fn alternatives(inner: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    inner
        .split(|c| {
            match c {
                OPEN => depth += 1,
                CLOSE => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == COMMA && depth == 0
        })
        .collect()
}

/// Restores braces that do not expand to anything.
fn as_typed(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            OPEN => '{',
            COMMA => ',',
            CLOSE => '}',
            c => c,
        })
        .collect()
}
