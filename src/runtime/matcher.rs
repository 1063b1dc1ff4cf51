//! Which tools a hook hears of.

use regex::{Regex, RegexBuilder};

/// Which tools a hook hears of: for hookbox's own hooks, an anchored regex on the tool's name.
#[derive(Clone, Debug, Default)]
pub struct Matcher(Kind);

/// A pattern cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct MatcherError(regex::Error);

#[derive(Clone, Debug, Default)]
enum Kind {
    #[default]
    Every,
    /// The whole name; a name that is missing or looks like another concerns every hook.
    Guarding(Regex),
    /// What the regex says, of whatever name.
    Plain(Regex),
    /// These names.
    Names(Vec<String>),
    None,
}

impl Matcher {
    /// The compiled size that a pattern may have, in bytes. A name list of thousands still fits.
    pub(crate) const MAX_BYTES: usize = 1 << 20;

    /// Reads a pattern; `*` matches every tool.
    ///
    /// # Errors
    /// The pattern is not a regex, or too large when compiled.
    pub fn new(pattern: &str) -> Result<Self, MatcherError> {
        if pattern == "*" {
            return Ok(Matcher(Kind::Every));
        }
        // The pattern must be whole by itself, or `a)|(b` would get past the anchors.
        RegexBuilder::new(pattern).size_limit(Self::MAX_BYTES).build().map_err(MatcherError)?;
        let anchored = format!(r"\A(?:{pattern})\z");
        RegexBuilder::new(&anchored)
            .size_limit(Self::MAX_BYTES)
            // `.*` is meant to be every name.
            .dot_matches_new_line(true)
            .build()
            .map(|regex| Matcher(Kind::Guarding(regex)))
            .map_err(MatcherError)
    }

    /// Every name that the regex finds a match in; a call without a tool's name has the empty one.
    #[must_use]
    pub(crate) const fn plain(regex: Regex) -> Self {
        Matcher(Kind::Plain(regex))
    }

    /// These names and no others.
    #[must_use]
    pub const fn names(names: Vec<String>) -> Self {
        Matcher(Kind::Names(names))
    }

    /// No tool.
    #[must_use]
    pub const fn none() -> Self {
        Matcher(Kind::None)
    }

    /// Whether a hook with this matcher hears of the tool. With [`new`](Matcher::new), a call whose tool nobody named
    /// concerns every hook: leaving a guard out because a name is missing would fail open. So does one whose name has
    /// control characters, which could make it look like another.
    #[must_use]
    pub fn matches(&self, tool_name: Option<&str>) -> bool {
        match (&self.0, tool_name) {
            (Kind::Guarding(regex), Some(name)) if !name.is_empty() && !name.contains(char::is_control) => {
                regex.is_match(name)
            }
            (Kind::Every | Kind::Guarding(_), _) => true,
            (Kind::Plain(regex), name) => regex.is_match(name.unwrap_or_default()),
            (Kind::Names(names), name) => name.is_some_and(|name| names.iter().any(|known| known == name)),
            (Kind::None, _) => false,
        }
    }
}
