//! The tools that a hook is asked about.

use super::tool_name::ToolName;
use regex::{Regex, RegexBuilder};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Hir, literal::Extractor};
use std::collections::HashSet;

/// The tools that a hook is asked about. In hookbox's own configs this is an anchored regex on the tool's name.
#[derive(Clone, Debug, Default)]
pub struct Matcher(Kind);

/// The error for a pattern that cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct MatcherError(regex::Error);

#[derive(Clone, Debug, Default)]
enum Kind {
    #[default]
    Every,
    /// A match of the whole name. A call without a tool name concerns every hook.
    Guarding(Regex),
    /// Like [`Guarding`](Kind::Guarding), for a pattern that matches only these names.
    GuardingNames(HashSet<Vec<u8>>),
    /// A match anywhere in the name, or in the empty name if the call has none.
    Plain(Regex),
    /// Exactly these names.
    Names(Vec<String>),
    None,
}

impl Matcher {
    /// The maximum size of a compiled pattern, in bytes. A list of thousands of names still fits.
    pub(crate) const MAX_BYTES: usize = 1 << 20;

    /// Parses a pattern; `*` matches every tool.
    ///
    /// # Errors
    /// Returns an error if the pattern is not a valid regex, or is too large when compiled.
    pub fn new(pattern: &str) -> Result<Self, MatcherError> {
        if pattern == "*" {
            return Ok(Matcher(Kind::Every));
        }
        if let Some(names) = all_matches(pattern) {
            return Ok(Matcher(Kind::GuardingNames(names)));
        }
        let build = |pattern: &str| {
            let mut builder = RegexBuilder::new(pattern);
            // `.*` must match every name.
            builder.size_limit(Self::MAX_BYTES).dot_matches_new_line(true).build().map_err(MatcherError)
        };
        // The pattern must be valid on its own, or `a)|(b` would escape the anchors.
        if parse(pattern).is_none() {
            build(pattern)?;
        }
        build(&format!(r"\A(?:{pattern})\z")).map(|regex| Matcher(Kind::Guarding(regex)))
    }

    /// Creates a matcher for every name that contains a match of the pattern.
    ///
    /// # Errors
    /// Returns an error if the pattern is not a valid regex, or is too large when compiled.
    pub fn unanchored(pattern: &str) -> Result<Self, MatcherError> {
        RegexBuilder::new(pattern).size_limit(Self::MAX_BYTES).build().map(Matcher::plain).map_err(MatcherError)
    }

    /// Creates a matcher for every name that contains a match of the regex. A call without a tool name counts as the
    /// empty name.
    #[must_use]
    pub(crate) const fn plain(regex: Regex) -> Self {
        Matcher(Kind::Plain(regex))
    }

    /// Creates a matcher for these names and no others.
    #[must_use]
    pub const fn names(names: Vec<String>) -> Self {
        Matcher(Kind::Names(names))
    }

    /// Creates a matcher for no tool.
    #[must_use]
    pub const fn none() -> Self {
        Matcher(Kind::None)
    }

    /// Returns whether a hook with this matcher is asked about the tool.
    ///
    /// A name that can be mistaken for another concerns every hook regardless of its pattern, unless the matcher was
    /// created with [`none`](Matcher::none). Such a name has white space around it, hidden characters, characters
    /// outside ASCII that Unicode TR39 does not allow in identifiers, letters of several scripts, or looks like an
    /// ASCII name. With [`new`](Matcher::new), a call without a tool name concerns every hook too: skipping a guard
    /// because a name is missing would fail open.
    #[must_use]
    pub fn matches(&self, tool_name: Option<&str>) -> bool {
        self.hears_of(ToolName::new(tool_name))
    }

    /// Like [`matches`](Matcher::matches), for a name that was already examined.
    pub(crate) fn hears_of(&self, tool: ToolName<'_>) -> bool {
        if tool.disguise().is_some() {
            return !matches!(self.0, Kind::None);
        }
        let is_named = |is_match: &dyn Fn(&str) -> bool, name| {
            is_match(name) || tool.aliases().iter().any(|alias| is_match(alias))
        };
        match (&self.0, tool.honest()) {
            (Kind::Guarding(regex), Some(name)) if !name.is_empty() => is_named(&|name| regex.is_match(name), name),
            (Kind::GuardingNames(names), Some(name)) if !name.is_empty() => {
                is_named(&|name| names.contains(name.as_bytes()), name)
            }
            (Kind::Every | Kind::Guarding(_) | Kind::GuardingNames(_), _) => true,
            (Kind::Plain(regex), name) => regex.is_match(name.unwrap_or_default()),
            (Kind::Names(names), name) => name.is_some_and(|name| names.iter().any(|known| known == name)),
            (Kind::None, _) => false,
        }
    }
}

/// Parses a pattern as `regex` does. Returns `None` if the pattern is not valid.
fn parse(pattern: &str) -> Option<Hir> {
    ParserBuilder::new().dot_matches_new_line(true).build().parse(pattern).ok()
}

/// Returns all texts that a pattern matches as a whole, if they are few. Most patterns are lists of names, for which
/// compiling a regex would take longer than everything else in a call.
fn all_matches(pattern: &str) -> Option<HashSet<Vec<u8>>> {
    // The extractor treats `^`, `\b` and the like as the empty text, so a pattern with them must be excluded.
    let hir = parse(pattern).filter(|hir| hir.properties().look_set().is_empty())?;
    let found = Extractor::new().extract(&hir);
    if !found.is_exact() {
        return None;
    }
    Some(found.literals()?.iter().map(|literal| literal.as_bytes().to_vec()).collect())
}
