//! The shape of a token: runs of characters and literal texts, one after another.

use crate::set::Set;

/// The maximum length of a run. No token is that long.
pub(crate) const MANY: usize = 16 * 1024;

/// A part of a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part<'s> {
    /// As many characters of a set as there are, with a minimum and a maximum number.
    Run(Set, usize, usize),
    /// A literal text.
    Text(&'s str),
    /// One of these texts, of which the first that matches counts.
    One(&'s [&'s str]),
    /// An optional text.
    Maybe(&'s str),
}

/// Returns a part of exactly `count` characters of a set.
pub(crate) const fn n(set: Set, count: usize) -> Part<'static> {
    Part::Run(set, count, count)
}

/// Returns a part of `least` or more characters of a set.
pub(crate) const fn min(set: Set, least: usize) -> Part<'static> {
    Part::Run(set, least, MANY)
}

/// The result of comparing a text with a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// The text has the shape, which ends at this position.
    Yes(usize),
    /// The text ends before the shape does.
    Cut,
    /// The text does not have the shape. This many bytes are enough to tell.
    No(usize),
}

/// Compares the text at a position with a shape. A run takes as many characters as it can, and nothing is tried twice,
/// so the time is proportional to the length of the match. If the last run has reached its maximum, the next character
/// must not belong to its set.
pub(crate) fn fit(parts: &[Part], text: &[u8], start: usize) -> Fit {
    let mut at = start;
    let mut last = Set::EMPTY;
    for part in parts {
        let rest = text.get(at..).unwrap_or_default();
        match part {
            Part::Run(set, least, most) => {
                let count = rest.iter().take(*most).take_while(|byte| set.has(**byte)).count();
                if count < *least {
                    return if count == rest.len() { Fit::Cut } else { Fit::No(at - start + count) };
                }
                at += count;
                last = *set;
            }
            Part::Text(wanted) => match begins(rest, wanted) {
                Fit::Yes(length) => {
                    at += length;
                    last = Set::EMPTY;
                }
                Fit::No(_) => return Fit::No(at - start),
                Fit::Cut => return Fit::Cut,
            },
            Part::One(choices) => {
                let found = choices.iter().map(|wanted| begins(rest, wanted)).find(|fit| !matches!(fit, Fit::No(_)));
                match found {
                    Some(Fit::Yes(length)) => {
                        at += length;
                        last = Set::EMPTY;
                    }
                    other => return other.unwrap_or(Fit::No(at - start)),
                }
            }
            Part::Maybe(wanted) => {
                if let Fit::Yes(length) = begins(rest, wanted) {
                    at += length;
                    last = Set::EMPTY;
                }
            }
        }
    }
    match text.get(at) {
        Some(next) if last.has(*next) && at - start < MANY => Fit::No(at - start),
        _ => Fit::Yes(at),
    }
}

fn begins(rest: &[u8], wanted: &str) -> Fit {
    match rest {
        _ if rest.starts_with(wanted.as_bytes()) => Fit::Yes(wanted.len()),
        _ if wanted.as_bytes().starts_with(rest) => Fit::Cut,
        _ => Fit::No(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::{DIGIT, HEX};

    #[test]
    fn shapes() {
        let shape = [n(DIGIT, 3), Part::Text("-"), min(HEX, 2)];
        assert_eq!(fit(&shape, b"x123-abc!", 1), Fit::Yes(8));
        assert_eq!(fit(&shape, b"123-a", 0), Fit::Cut);
        assert_eq!(fit(&shape, b"123", 0), Fit::Cut);
        assert_eq!(fit(&shape, b"1234-ab", 0), Fit::No(3));
        assert_eq!(fit(&shape, b"123-a!", 0), Fit::No(5));
    }

    #[test]
    fn a_run_at_its_limit_ends_the_token() {
        assert_eq!(fit(&[n(DIGIT, 3)], b"123.", 0), Fit::Yes(3));
        assert_eq!(fit(&[n(DIGIT, 3)], b"1234", 0), Fit::No(3));
        assert_eq!(fit(&[n(DIGIT, 3), Part::Maybe("-1")], b"123-1", 0), Fit::Yes(5));
    }

    #[test]
    fn choices() {
        let shape = [Part::One(&["live", "test"]), Part::Text("_"), n(HEX, 2)];
        assert_eq!(fit(&shape, b"test_ab", 0), Fit::Yes(7));
        assert_eq!(fit(&shape, b"prod_ab", 0), Fit::No(0));
        assert_eq!(fit(&shape, b"te", 0), Fit::Cut);
    }
}
