//! The catalogue: which shapes are secrets.
//!
//! Rules run in this order on the text that the earlier ones left. A rule whose match may contain another rule's comes
//! first: key blocks before all, a vendor's wrapped JSON web token before the plain one, shapes before the rules that
//! go by the name a value is assigned to.
//!
//! The patterns ask for no word boundary, so that a token glued to other text is found. Where a token has a fixed
//! length they take exactly that and leave what follows. Exempt are prefixes that encoded binary data or plain words
//! are full of: those use [`unglued!`].

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
    /// Whether a match without a digit is taken for a word.
    pub(super) needs_digit: bool,
}

/// A row of the catalogue.
///
/// `keywords`: at least one is in every text that `pattern` matches. A lower-case keyword stands for any case; one with
/// a capital letter is meant as written, for prefixes that would else be part of half of all words.
///
/// `pattern`: if it has a group named `secret`, only that is replaced.
const fn rule(name: &'static str, keywords: &'static [&'static str], pattern: &'static str) -> Rule {
    Rule { name, keywords, pattern, needs_digit: false }
}

/// A rule for secrets that look like any name or word, unless they have a digit.
const fn unworded(name: &'static str, keywords: &'static [&'static str], pattern: &'static str) -> Rule {
    Rule { name, keywords, pattern, needs_digit: true }
}

/// All rules in the order in which they run.
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

/// The pattern of a token that does not follow a base64 character. An escaped line break of JSON text is no such
/// character, though it ends in a letter.
macro_rules! unglued {
    ($token:literal) => {
        concat!(r"(?:^|[^0-9A-Za-z+/_-]|\\[nrt])(?P<secret>", $token, ")")
    };
}
use unglued;
