//! The shape of a token: runs of characters and literal texts, one after the other.

use crate::set::Set;

/// The longest run: no token is that long.
pub(crate) const MANY: usize = 16 * 1024;

/// A part of a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part<'s> {
    /// Characters of a set, as many as there are, at least and at most so many.
    Run(Set, usize, usize),
    /// This text.
    Text(&'s str),
    /// One of these texts, the first that fits.
    One(&'s [&'s str]),
    /// This text, if it is there.
    Maybe(&'s str),
}

/// Exactly so many characters of a set.
pub(crate) const fn n(set: Set, count: usize) -> Part<'static> {
    Part::Run(set, count, count)
}

/// So many characters of a set, or more.
pub(crate) const fn min(set: Set, least: usize) -> Part<'static> {
    Part::Run(set, least, MANY)
}

/// How a text compares with a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// It has the shape, and ends here.
    Yes(usize),
    /// The text ends before the shape does.
    Cut,
    /// It is something else.
    No,
}

/// Compares the text at a position with a shape. A run takes all it can, and nothing is tried twice, so this takes as
/// long as the match. What follows must not belong to a last run that has reached its limit.
pub(crate) fn fit(parts: &[Part], text: &[u8], start: usize) -> Fit {
    let mut at = start;
    let mut last = Set::EMPTY;
    for part in parts {
        let rest = text.get(at..).unwrap_or_default();
        match part {
            Part::Run(set, least, most) => {
                let count = rest.iter().take(*most).take_while(|byte| set.has(**byte)).count();
                if count < *least {
                    return if count == rest.len() { Fit::Cut } else { Fit::No };
                }
                at += count;
                last = *set;
            }
            Part::Text(wanted) => match begins(rest, wanted) {
                Fit::Yes(length) => {
                    at += length;
                    last = Set::EMPTY;
                }
                other => return other,
            },
            Part::One(choices) => {
                let found = choices.iter().map(|wanted| begins(rest, wanted)).find(|fit| *fit != Fit::No);
                match found {
                    Some(Fit::Yes(length)) => {
                        at += length;
                        last = Set::EMPTY;
                    }
                    other => return other.unwrap_or(Fit::No),
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
        Some(next) if last.has(*next) && at - start < MANY => Fit::No,
        _ => Fit::Yes(at),
    }
}

fn begins(rest: &[u8], wanted: &str) -> Fit {
    match rest {
        _ if rest.starts_with(wanted.as_bytes()) => Fit::Yes(wanted.len()),
        _ if wanted.as_bytes().starts_with(rest) => Fit::Cut,
        _ => Fit::No,
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
        assert_eq!(fit(&shape, b"1234-ab", 0), Fit::No);
        assert_eq!(fit(&shape, b"123-a!", 0), Fit::No);
    }

    #[test]
    fn a_run_at_its_limit_ends_the_token() {
        assert_eq!(fit(&[n(DIGIT, 3)], b"123.", 0), Fit::Yes(3));
        assert_eq!(fit(&[n(DIGIT, 3)], b"1234", 0), Fit::No);
        assert_eq!(fit(&[n(DIGIT, 3), Part::Maybe("-1")], b"123-1", 0), Fit::Yes(5));
    }

    #[test]
    fn choices() {
        let shape = [Part::One(&["live", "test"]), Part::Text("_"), n(HEX, 2)];
        assert_eq!(fit(&shape, b"test_ab", 0), Fit::Yes(7));
        assert_eq!(fit(&shape, b"prod_ab", 0), Fit::No);
        assert_eq!(fit(&shape, b"te", 0), Fit::Cut);
    }
}
