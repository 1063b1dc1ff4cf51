//! Tool names that may pass for another.
//!
//! A hook with `match = "bash"` is not asked about a tool called `вash`, whose first letter is Cyrillic; a person who
//! reads the name, and a program that trims or normalizes it, take the one for the other. Such a name concerns every
//! hook of its event.

use crate::protocol::{is_hidden, is_plain};
use std::fmt;
use unicode_security::{GeneralSecurityProfile, MixedScript, skeleton};

/// A tool's name, with what makes it pass for another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToolName<'n> {
    name: Option<&'n str>,
    disguise: Option<Disguise>,
}

/// Why a tool's name may pass for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Disguise {
    Hidden,
    Padded,
    OddCharacter,
    MixedScripts,
    LooksAscii,
}

impl fmt::Display for Disguise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Disguise::Hidden => "has characters that cannot be seen",
            Disguise::Padded => "begins or ends with white space",
            Disguise::OddCharacter => "has characters that Unicode does not recommend for names",
            Disguise::MixedScripts => "mixes letters of several scripts",
            Disguise::LooksAscii => "looks like a name in ASCII",
        })
    }
}

impl<'n> ToolName<'n> {
    pub(crate) fn new(name: Option<&'n str>) -> Self {
        ToolName { name, disguise: name.and_then(disguise) }
    }

    /// The name, where there is one that means what it looks like.
    pub(super) const fn honest(self) -> Option<&'n str> {
        match self.disguise {
            None => self.name,
            Some(_) => None,
        }
    }

    /// Why it may pass for another, if it may.
    pub(crate) const fn disguise(self) -> Option<Disguise> {
        self.disguise
    }
}

/// The rule, by the data of Unicode TR39. Printable ASCII without white space around it means what it says. Any other
/// name must
///
/// * have no hidden characters and no white space around it;
/// * outside of ASCII consist of characters that TR39 allows in identifiers, which leaves out full-width and mathematical
///   letters, symbols and all else that normalization (NFKC) would change;
/// * be in one script, where those that are written together, as in Japanese, are one;
/// * not look like ASCII: its skeleton, which is the same for all texts that look alike, has other characters too.
fn disguise(name: &str) -> Option<Disguise> {
    let is_padded = name.starts_with(char::is_whitespace) || name.ends_with(char::is_whitespace);
    if is_plain(name) {
        return is_padded.then_some(Disguise::Padded);
    }
    let is_odd = |c: char| !c.is_ascii() && !c.identifier_allowed();
    if name.contains(is_hidden) {
        Some(Disguise::Hidden)
    } else if is_padded {
        Some(Disguise::Padded)
    } else if name.contains(is_odd) {
        Some(Disguise::OddCharacter)
    } else if !name.is_single_script() {
        Some(Disguise::MixedScripts)
    } else if skeleton(name).all(|c| c.is_ascii()) {
        Some(Disguise::LooksAscii)
    } else {
        None
    }
}
