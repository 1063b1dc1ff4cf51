//! The tokens of providers, as data.
//!
//! Each token begins with a characteristic text, so searching for it costs nothing where that text does not occur. When
//! this crate is compiled, the tables are sorted into one index by the first two characters.

mod access;
mod ai;
mod cloud;
mod code;
mod services;

use crate::shape::Part;

/// The rule for a provider's token.
#[derive(Debug)]
pub(crate) struct Rule {
    /// The kind of the token, as shown in a reason and in place of the token.
    pub(crate) kind: &'static str,
    /// The text that the token begins with.
    pub(crate) prefix: &'static str,
    /// The shape of the rest of the token.
    pub(crate) parts: &'static [Part<'static>],
    pub(crate) check: Check,
}

/// A condition for a token besides its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Check {
    /// No condition: the prefix is distinctive enough.
    None,
    /// The token must contain a digit, since a text without digits is made of words.
    Digit,
    /// The token must contain a digit and must not come after `_`, `-`, `.`, `/` or `+`, because its prefix is short.
    Alone,
    /// The token must look random, in addition to the conditions of `Alone`.
    Random,
}

const fn rule(kind: &'static str, prefix: &'static str, parts: &'static [Part<'static>]) -> Rule {
    Rule { kind, prefix, parts, check: Check::None }
}

const fn checked(kind: &'static str, prefix: &'static str, parts: &'static [Part<'static>], check: Check) -> Rule {
    Rule { kind, prefix, parts, check }
}

const TABLES: [&[Rule]; 5] = [access::RULES, ai::RULES, cloud::RULES, code::RULES, services::RULES];

/// The number of all rules.
const COUNT: usize = {
    let (mut count, mut table) = (0, 0);
    while table < TABLES.len() {
        count += at(&TABLES, table).len();
        table += 1;
    }
    count
};

/// Returns the index of a pair of characters. ASCII has 128 characters.
const fn pair(first: u8, second: u8) -> usize {
    ((first & 0x7f) as usize) << 7 | (second & 0x7f) as usize
}

/// Linked lists of rules by their first two characters. Each entry is one more than the number of the first rule, or 0
/// if there is none. `next` has the entry that follows each rule.
struct Index {
    first: [u16; 1 << 14],
    next: [u16; COUNT],
    rules: [&'static Rule; COUNT],
}

static INDEX: Index = index();

#[allow(clippy::indexing_slicing, reason = "it runs when the crate is compiled, where a mistake is an error")]
const fn at<T>(list: &[T], at: usize) -> &T {
    &list[at]
}

#[allow(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "it runs when the crate is compiled, where a mistake is an error"
)]
const fn index() -> Index {
    let mut index = Index { first: [0; 1 << 14], next: [0; COUNT], rules: [at(access::RULES, 0); COUNT] };
    // This goes backwards, so that the rules of a bucket keep their order.
    let (mut number, mut table) = (COUNT, TABLES.len());
    while table > 0 {
        table -= 1;
        let mut row = TABLES[table].len();
        while row > 0 {
            row -= 1;
            number -= 1;
            let prefix = TABLES[table][row].prefix.as_bytes();
            let bucket = pair(prefix[0], prefix[1]);
            index.rules[number] = &TABLES[table][row];
            index.next[number] = index.first[bucket];
            index.first[bucket] = number as u16 + 1;
        }
    }
    index
}

/// Whether a token may begin with these two characters. This check rules out most words.
#[inline]
pub(crate) fn may_begin(first: u8, second: u8) -> bool {
    first_of(first, second) != 0
}

#[inline]
fn first_of(first: u8, second: u8) -> u16 {
    INDEX.first.get(pair(first, second)).copied().unwrap_or(0)
}

/// Returns the rules whose tokens may begin here, in their order.
pub(crate) fn beginning(text: &[u8]) -> impl Iterator<Item = &'static Rule> {
    let mut number = match text {
        [first, second, ..] => first_of(*first, *second),
        _ => 0,
    };
    std::iter::from_fn(move || {
        let at = usize::from(number).checked_sub(1)?;
        number = INDEX.next.get(at).copied().unwrap_or(0);
        INDEX.rules.get(at).copied()
    })
    .filter(move |rule| {
        // The third character distinguishes most of these rules.
        let third = rule.prefix.as_bytes().get(2);
        (third.is_none() || third == text.get(2)) && text.starts_with(rule.prefix.as_bytes())
    })
}

/// Returns all rules.
#[cfg(test)]
pub(crate) fn all() -> impl Iterator<Item = &'static Rule> {
    TABLES.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_is_found_by_its_beginning() {
        for rule in all() {
            let found = beginning(rule.prefix.as_bytes()).any(|found| std::ptr::eq(found, rule));
            assert!(found, "{rule:?}");
            assert!(rule.prefix.len() >= 2 && rule.prefix.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric));
        }
        assert_eq!(beginning(b"zz-no-token").count(), 0);
        assert_eq!(beginning(b"g").count(), 0);
    }

    #[test]
    fn kinds_are_plain_words() {
        for rule in all() {
            assert!(rule.kind.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'));
        }
    }
}
