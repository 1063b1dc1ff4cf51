//! Which tools a hook hears of.

use super::tool_name::ToolName;
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
    /// The whole name; a name that is missing concerns every hook.
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

    /// Every name in which the pattern finds a match, wherever in the name that is.
    ///
    /// # Errors
    /// The pattern is not a regex, or too large when compiled.
    pub fn unanchored(pattern: &str) -> Result<Self, MatcherError> {
        RegexBuilder::new(pattern).size_limit(Self::MAX_BYTES).build().map(Matcher::plain).map_err(MatcherError)
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

    /// Whether a hook with this matcher hears of the tool.
    ///
    /// A name that may pass for another is heard by every hook, whatever it matches, except by one made with
    /// [`none`](Matcher::none): it has white space around it, hidden characters, characters outside of ASCII that Unicode
    /// TR39 does not allow in identifiers, letters of several scripts, or the look of an ASCII name. With
    /// [`new`](Matcher::new), so is a call whose tool nobody named: to leave a guard out because a name is missing would
    /// fail open.
    #[must_use]
    pub fn matches(&self, tool_name: Option<&str>) -> bool {
        self.hears_of(ToolName::new(tool_name))
    }

    /// As [`matches`](Matcher::matches), for a name that was examined already.
    pub(crate) fn hears_of(&self, tool: ToolName<'_>) -> bool {
        if tool.disguise().is_some() {
            return !matches!(self.0, Kind::None);
        }
        match (&self.0, tool.honest()) {
            (Kind::Guarding(regex), Some(name)) if !name.is_empty() => regex.is_match(name),
            (Kind::Every | Kind::Guarding(_), _) => true,
            (Kind::Plain(regex), name) => regex.is_match(name.unwrap_or_default()),
            (Kind::Names(names), name) => name.is_some_and(|name| names.iter().any(|known| known == name)),
            (Kind::None, _) => false,
        }
    }
}
