//! The catalogue of secret shapes.
//!
//! Rules run in this order, each on the text that the earlier ones left. A rule whose match may contain another rule's
//! match comes first: key blocks before everything else, a vendor's wrapped JSON web token before the plain one, shapes
//! before the rules that go by the name a value is assigned to.
//!
//! The patterns require no word boundary, so a token glued to other text is found. If a token has a fixed length, its
//! pattern takes exactly that length and leaves what follows. The exceptions are prefixes that are common in encoded
//! binary data or in plain words: those use [`unglued!`].

mod access;
mod ai;
mod assigned;
mod cloud;
mod code;
mod services;

/// One shape of a secret.
pub(super) struct Rule {
    pub(super) name: &'static str,
    pub(super) keywords: &'static [&'static str],
    pub(super) pattern: &'static str,
    /// Whether a match without a digit counts as a word, not as a secret.
    pub(super) needs_digit: bool,
}

/// Creates a row of the catalogue.
///
/// `keywords`: every text that `pattern` matches contains at least one of them. A lower-case keyword matches in any
/// case. A keyword with a capital letter matches only as written, for prefixes that would otherwise be part of too many
/// words.
///
/// `pattern`: if it has a group named `secret`, only that group is replaced.
const fn rule(name: &'static str, keywords: &'static [&'static str], pattern: &'static str) -> Rule {
    Rule { name, keywords, pattern, needs_digit: false }
}

/// Creates a rule for secrets that look like any name or word unless they contain a digit.
const fn unworded(name: &'static str, keywords: &'static [&'static str], pattern: &'static str) -> Rule {
    Rule { name, keywords, pattern, needs_digit: true }
}

/// Returns all rules, in the order in which they run.
pub(super) fn all() -> impl Iterator<Item = &'static Rule> {
    [
        access::KEY_BLOCKS,
        ai::RULES,
        code::RULES,
        cloud::RULES,
        services::RULES,
        access::RULES,
        assigned::CLOUD,
        assigned::SERVICES,
    ]
    .into_iter()
    .flatten()
}

/// The pattern of a token that does not follow a base64 character. An escaped line break in JSON text does not count as
/// one, although it ends in a letter.
macro_rules! unglued {
    ($token:literal) => {
        concat!(r"(?:^|[^0-9A-Za-z+/_-]|\\[nrt])(?P<secret>", $token, ")")
    };
}
use unglued;
