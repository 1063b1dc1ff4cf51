//! The detection of tool names that can be mistaken for others.
//!
//! A hook with `match = "bash"` is not asked about a tool called `вash`, whose first letter is Cyrillic. But a person
//! who reads the name, or a program that trims or normalizes it, takes one for the other. So such a name concerns every
//! hook of its event.

use crate::protocol::{Input, is_hidden, is_plain};
use std::fmt;
use unicode_security::{GeneralSecurityProfile, MixedScript, skeleton};

/// A tool's name, and why it can be mistaken for another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToolName<'n> {
    name: Option<&'n str>,
    disguise: Option<Disguise>,
    aliases: &'static [&'static str],
}

/// The reason why a tool's name can be mistaken for another.
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
        ToolName { name, disguise: name.and_then(disguise), aliases: &[] }
    }

    /// Returns the tool name of an Input, with all its aliases.
    pub(crate) fn of_input(input: &'n Input) -> Self {
        ToolName { aliases: input.tool_aliases, ..ToolName::new(input.tool_name.as_deref()) }
    }

    /// Returns the other names that a pattern may use for the tool.
    pub(super) const fn aliases(self) -> &'static [&'static str] {
        self.aliases
    }

    /// Returns the name, if it is not disguised.
    pub(super) const fn honest(self) -> Option<&'n str> {
        match self.disguise {
            None => self.name,
            Some(_) => None,
        }
    }

    /// Returns why the name can be mistaken for another, or `None` if it cannot.
    pub(crate) const fn disguise(self) -> Option<Disguise> {
        self.disguise
    }
}

/// Checks a name against the data of Unicode TR39. Printable ASCII without white space around it is accepted. Any other
/// name must
///
/// * have no hidden characters and no white space around it;
/// * outside ASCII, contain only characters that TR39 allows in identifiers; this excludes full-width and mathematical
///   letters, symbols, and everything else that NFKC normalization would change;
/// * be in one script; scripts that are written together, as in Japanese, count as one;
/// * not look like ASCII: its skeleton, which is equal for all lookalikes, must contain non-ASCII characters.
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
