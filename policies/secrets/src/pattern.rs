//! Patterns that users define: a literal text, followed by classes of characters with their counts.

use crate::scan::effort;
use crate::set::{ALNUM, DIGIT, Set, WORD};
use crate::shape::{Fit, MANY, Part, fit};
use std::ops::Range;

/// The minimum length of the text that a pattern begins with. A shorter text would occur everywhere.
const MIN_PREFIX: usize = 3;

/// A pattern for a kind of secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(crate) kind: String,
    prefix: Vec<u8>,
    parts: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Run(Set, usize, usize),
    Text(String),
}

impl Pattern {
    /// Parses a pattern. Characters match themselves. `[A-Z0-9_]`, `\d`, `\w` and `.` match one of several characters,
    /// and may be followed by a count: `{8}`, `{8,}`, `{8,20}`, `+`, `*` or `?`.
    pub(crate) fn new(kind: &str, text: &str) -> Result<Self, String> {
        let wrong = |what: &str| Err(format!("the pattern `{text}` of `{kind}` {what}"));
        if kind.is_empty() || !kind.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_') {
            return Err(format!("`{kind}` cannot be the name of a pattern: use letters, digits and dashes"));
        }
        let mut pieces: Vec<Piece> = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let behind = rest.get(first.len_utf8()..).unwrap_or_default();
            let (set, after) = match first {
                '[' => match class(behind) {
                    Some(read) => read,
                    None => return wrong("has a class that cannot be read: write `[A-Za-z0-9_-]`"),
                },
                '.' => (Set::EMPTY.with(b'!', b'~'), behind),
                '\\' => match behind.chars().next() {
                    Some('d') => (DIGIT, behind.get(1..).unwrap_or_default()),
                    Some('w') => (WORD, behind.get(1..).unwrap_or_default()),
                    Some(c) if c.is_ascii_punctuation() => {
                        push(&mut pieces, c);
                        rest = behind.get(1..).unwrap_or_default();
                        continue;
                    }
                    _ => return wrong(r"has an escape that is not known: there are `\d`, `\w` and those of marks"),
                },
                '(' | ')' | '|' | '^' | '$' => {
                    return wrong(
                        "has groups, choices or anchors: write one pattern for each, with a backslash in front of marks that are meant",
                    );
                }
                '{' | '}' | '+' | '*' | '?' | ']' => return wrong("has a number without a class in front of it"),
                c if c.is_ascii() && !c.is_ascii_control() => {
                    push(&mut pieces, c);
                    rest = behind;
                    continue;
                }
                _ => return wrong("has characters that are not ASCII"),
            };
            let Some((least, most, after)) = number(after) else {
                return wrong("has a number that cannot be read: write `{8}`, `{8,}` or `{8,20}`");
            };
            pieces.push(Piece::Run(set, least, most));
            rest = after;
        }
        let mut pieces = pieces.into_iter();
        match pieces.next() {
            Some(Piece::Text(prefix)) if prefix.len() >= MIN_PREFIX => {
                Ok(Pattern { kind: kind.to_owned(), prefix: prefix.into_bytes(), parts: pieces.collect() })
            }
            _ => wrong("must begin with at least three characters that stand for themselves"),
        }
    }

    /// Returns the places where the pattern matches. If the effort runs out, the rest of the text is a match.
    pub(crate) fn find(&self, text: &[u8]) -> Vec<Range<usize>> {
        let parts: Vec<Part> = self
            .parts
            .iter()
            .map(|piece| match piece {
                Piece::Run(set, least, most) => Part::Run(*set, *least, *most),
                Piece::Text(text) => Part::Text(text),
            })
            .collect();
        let (mut found, mut at) = (Vec::new(), 0);
        let mut effort = effort(text);
        while let Some(length) = position(text.get(at..).unwrap_or_default(), &self.prefix) {
            let start = at + length;
            at = start + 1;
            // Inside a longer word, a match is something else.
            let is_glued = start.checked_sub(1).and_then(|at| text.get(at)).is_some_and(|byte| ALNUM.has(*byte));
            if is_glued {
                continue;
            }
            let spent = match fit(&parts, text, start + self.prefix.len()) {
                Fit::Yes(end) => {
                    found.push(start..end);
                    at = end;
                    0
                }
                Fit::No(seen) => seen,
                Fit::Cut => text.len() - start,
            };
            effort = effort.saturating_sub(spent);
            if effort == 0 {
                found.push(at..text.len());
                break;
            }
        }
        found
    }
}

/// Returns the first position of one text in another.
fn position(text: &[u8], wanted: &[u8]) -> Option<usize> {
    let first = *wanted.first()?;
    let mut at = 0;
    loop {
        at += text.get(at..)?.iter().position(|byte| *byte == first)?;
        if text.get(at..)?.starts_with(wanted) {
            return Some(at);
        }
        at += 1;
    }
}

fn push(pieces: &mut Vec<Piece>, c: char) {
    match pieces.last_mut() {
        Some(Piece::Text(text)) => text.push(c),
        _ => pieces.push(Piece::Text(c.to_string())),
    }
}

/// Parses the class after `[`. Returns the class and the rest of the text.
fn class(text: &str) -> Option<(Set, &str)> {
    let (inside, after) = text.split_once(']')?;
    let (inside, is_negated) = match inside.strip_prefix('^') {
        Some(inside) => (inside, true),
        None => (inside, false),
    };
    let mut set = Set::EMPTY;
    let mut rest = inside.as_bytes();
    loop {
        rest = match rest {
            [] => break,
            [b'\\', b'd', others @ ..] => {
                set = set.and(DIGIT);
                others
            }
            [b'\\', b'w', others @ ..] => {
                set = set.and(WORD);
                others
            }
            [b'\\', mark, others @ ..] if mark.is_ascii_punctuation() => {
                set = set.with(*mark, *mark);
                others
            }
            [b'\\', ..] => return None,
            [first, b'-', last, others @ ..] if first <= last && last.is_ascii() => {
                set = set.with(*first, *last);
                others
            }
            [_, b'-', _, ..] => return None,
            [byte, others @ ..] if byte.is_ascii() => {
                set = set.with(*byte, *byte);
                others
            }
            _ => return None,
        };
    }
    let none = set == Set::EMPTY;
    // A negated class matches printable characters only.
    (!none).then_some((if is_negated { set.and(Set::EMPTY.with(0, b' ').with(127, 127)).not() } else { set }, after))
}

/// Parses a count. Returns the minimum, the maximum and the rest of the text.
fn number(text: &str) -> Option<(usize, usize, &str)> {
    let rest = |skip: usize| text.get(skip..).unwrap_or_default();
    Some(match text.chars().next() {
        Some('+') => (1, MANY, rest(1)),
        Some('*') => (0, MANY, rest(1)),
        Some('?') => (0, 1, rest(1)),
        Some('{') => {
            let (inside, after) = rest(1).split_once('}')?;
            let (least, most) = match inside.split_once(',') {
                Some((least, "")) => (least.trim().parse().ok()?, MANY),
                Some((least, most)) => (least.trim().parse().ok()?, most.trim().parse().ok()?),
                None => (inside.trim().parse().ok()?, inside.trim().parse().ok()?),
            };
            if least > most {
                return None;
            }
            (least, most, after)
        }
        _ => (1, 1, text),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn finds(pattern: &str, text: &str) -> Vec<String> {
        let pattern = Pattern::new("x", pattern).unwrap();
        pattern.find(text.as_bytes()).into_iter().map(|place| text.get(place).unwrap().to_owned()).collect()
    }

    #[test]
    fn patterns() {
        assert_eq!(finds(r"ACME-[A-Z0-9]{4}", "x ACME-AB12, ACME-AB123, ACME-ab12"), ["ACME-AB12"]);
        assert_eq!(finds(r"acme_\d+", "acme_12 acme_ xacme_3"), ["acme_12"]);
        assert_eq!(finds(r"int\.[a-f]{2,}-\w{2}", "int.abc-x9 int.a-x9"), ["int.abc-x9"]);
        assert_eq!(finds(r"KEY:[^ ,]+", "KEY:a&b,c KEY: d"), ["KEY:a&b"]);
        assert_eq!(finds("internal-codename", "the internal-codename is"), ["internal-codename"]);
    }

    #[test]
    fn what_takes_too_long_counts_as_a_match() {
        let text = "ACME-".repeat(40_000);
        let found = Pattern::new("x", r"ACME-[A-Z-]+\d").unwrap().find(text.as_bytes());
        assert_eq!(found.iter().map(|place| place.end).max(), Some(text.len()));
    }

    #[test]
    fn what_is_no_pattern() {
        for text in
            ["", "ab", "[a-z]{20}", "abc(d)", "abc|def", "abc[z-a]", "abc[a", r"abc\s", "abc{2}", "abc[a]{3,2}", "äbc"]
        {
            assert!(Pattern::new("x", text).is_err(), "{text}");
        }
        assert!(Pattern::new("a kind", "abc").is_err());
    }
}
