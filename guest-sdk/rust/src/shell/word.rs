//! A word of a command: what it says once its quotes are gone.

use super::collect::MAX_LENGTH;
use std::ops::Range;

/// Marks, in the [pattern](Word::pattern) of a word, a part that only the running shell knows.
///
/// The markers are private-use characters, which no path or option holds. Where one stands in the command itself, the
/// pattern has this one.
pub const UNKNOWN: char = '\u{E000}';
/// Marks an active wildcard (`*`, `?` or `[`).
pub const GLOB: char = '\u{E001}';
/// Marks a home directory (`~`, `~user`, `$HOME`).
pub const HOME: char = '\u{E002}';
/// Marks, behind a path, that `find` puts this path or any below it here.
pub const FOUND: char = '\u{E007}';

/// Whether a pattern has this character in the place of something that is not known.
pub(super) fn is_marker(c: char) -> bool {
    ('\u{E000}'..='\u{E00F}').contains(&c)
}

/// A character of the source as it stands in the text of a word.
///
/// A marker in the source comes from an outer word, whose text is now read as
/// a script. Its wildcards and braces are no longer active there.
pub(super) fn plain(c: char) -> char {
    if is_marker(c) && c != HOME { UNKNOWN } else { c }
}

/// One word of a command, with its quotes resolved as far as that can be known.
#[derive(Debug, Clone)]
pub struct Word {
    raw: String,
    pattern: String,
    span: Option<Range<usize>>,
}

impl Word {
    /// A word that means itself, such as an element of an argument list.
    pub(super) fn literal(value: &str, span: Option<Range<usize>>) -> Self {
        Self { raw: value.to_owned(), pattern: value.chars().map(plain).collect(), span }
    }

    /// A word of which nothing is known.
    pub(super) fn unknown(raw: &str) -> Self {
        Self::of_pattern(raw, UNKNOWN.to_string())
    }

    pub(super) fn of_pattern(raw: &str, pattern: String) -> Self {
        Self { raw: raw.to_owned(), pattern, span: None }
    }

    pub(super) fn with_span(self, span: Option<Range<usize>>) -> Self {
        Self { span, ..self }
    }

    /// The word as it was typed, for a reason.
    #[must_use]
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// What the command will receive, if that is known to the last letter: without variables, wildcards, substitutions and
    /// home directories.
    #[must_use]
    pub fn known(&self) -> Option<&str> {
        (!self.pattern.contains(is_marker)).then_some(&self.pattern)
    }

    /// What is known of the word: its text, with [`UNKNOWN`], [`GLOB`] and [`HOME`] in the place of what is not. To compare
    /// it with a plain text is to compare with a word that is known.
    #[must_use]
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// The text before the first part that is not known.
    #[must_use]
    pub fn known_prefix(&self) -> &str {
        self.pattern.split(is_marker).next().unwrap_or_default()
    }

    /// Where the word stands in the text of the tool call, if it can be rewritten there; see
    /// [`CommandLine::edited`](crate::CommandLine::edited).
    #[must_use]
    pub fn span(&self) -> Option<Range<usize>> {
        self.span.clone()
    }

    /// Whether a part of the word is known only when the command runs. Wildcards and home directories do not count.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.pattern.contains(UNKNOWN)
    }

    /// Whether nothing but blanks is known of the word.
    #[must_use]
    pub fn is_wholly_unknown(&self) -> bool {
        self.is_unknown() && self.pattern.chars().all(|c| c == UNKNOWN || c.is_whitespace())
    }

    /// Whether the word could turn out to be an option: it is one, or its beginning is not known.
    #[must_use]
    pub fn may_be_option(&self) -> bool {
        self.pattern.starts_with(['-', UNKNOWN, GLOB])
    }

    /// The name of the command when this is the command word.
    #[must_use]
    pub fn command_name(&self) -> Option<&str> {
        let name = self.pattern.rsplit('/').next()?;
        (!name.is_empty() && !name.contains(is_marker)).then_some(name)
    }

    /// Whether the word stands for a process substitution such as `<(date)`.
    #[must_use]
    pub fn is_process_substitution(&self) -> bool {
        self.raw.starts_with("<(") || self.raw.starts_with(">(")
    }

    /// Whether the word is what another command prints, split at its blanks.
    #[must_use]
    pub fn is_output(&self) -> bool {
        self.raw.starts_with("$(") || self.raw.starts_with('`')
    }

    /// The same word with every `placeholder` in it replaced, as `xargs -I` and `find -exec` do.
    pub(super) fn with_replaced(&self, placeholder: &str, value: &str) -> Self {
        let count = if placeholder.is_empty() { 0 } else { self.pattern.matches(placeholder).count() };
        match count.saturating_mul(value.len()) {
            _ if count == 0 => self.clone(),
            length if length > MAX_LENGTH => Self::unknown(&self.raw),
            _ => Self::of_pattern(&self.raw, self.pattern.replace(placeholder, value)),
        }
    }
}

/// The beginning of a text, in characters.
pub(super) fn shortened(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
