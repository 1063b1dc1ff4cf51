//! A word of a command, with its quotes resolved.

use super::collect::MAX_LENGTH;
use std::ops::Range;

/// Marks, in the [pattern](Word::pattern) of a word, a part that only the running shell knows.
///
/// The markers are private-use characters, which paths and options do not contain. If the command itself contains one,
/// the pattern has this marker instead.
pub const UNKNOWN: char = '\u{E000}';
/// Marks an active wildcard (`*`, `?` or `[`).
pub const GLOB: char = '\u{E001}';
/// Marks a home directory (`~`, `~user`, `$HOME`).
pub const HOME: char = '\u{E002}';
/// Marks, after a path, that `find` inserts this path or any path below it here.
pub const FOUND: char = '\u{E007}';

/// Whether this character stands for an unknown part of a pattern.
pub(super) fn is_marker(c: char) -> bool {
    ('\u{E000}'..='\u{E00F}').contains(&c)
}

/// A character of the source as it appears in the text of a word.
///
/// A marker in the source comes from an outer word, whose text is now read as a script. Its wildcards and braces are no
/// longer active there.
pub(super) fn plain(c: char) -> char {
    if is_marker(c) && c != HOME { UNKNOWN } else { c }
}

/// One word of a command, with its quotes resolved as far as possible.
#[derive(Debug, Clone)]
pub struct Word {
    raw: String,
    pattern: String,
    span: Option<Range<usize>>,
}

impl Word {
    /// A literal word, such as an element of an argument list.
    pub(super) fn literal(value: &str, span: Option<Range<usize>>) -> Self {
        Self { raw: value.to_owned(), pattern: value.chars().map(plain).collect(), span }
    }

    /// A wholly unknown word.
    pub(super) fn unknown(raw: &str) -> Self {
        Self::of_pattern(raw, UNKNOWN.to_string())
    }

    pub(super) fn of_pattern(raw: &str, pattern: String) -> Self {
        Self { raw: raw.to_owned(), pattern, span: None }
    }

    pub(super) fn with_span(self, span: Option<Range<usize>>) -> Self {
        Self { span, ..self }
    }

    /// The word as it was typed, for use in a reason.
    #[must_use]
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// What the command will receive, if every character of it is known: no variables, wildcards, substitutions or home
    /// directories.
    #[must_use]
    pub fn known(&self) -> Option<&str> {
        (!self.pattern.contains(is_marker)).then_some(&self.pattern)
    }

    /// The known parts of the word: its text, with [`UNKNOWN`], [`GLOB`] and [`HOME`] in place of the rest. A pattern
    /// equals a plain text only if the word is known.
    #[must_use]
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// The text before the first unknown part.
    #[must_use]
    pub fn known_prefix(&self) -> &str {
        self.pattern.split(is_marker).next().unwrap_or_default()
    }

    /// The word's position in the text of the tool call, if it can be rewritten there; see
    /// [`CommandLine::edited`](crate::CommandLine::edited).
    #[must_use]
    pub fn span(&self) -> Option<Range<usize>> {
        self.span.clone()
    }

    /// Whether a part of the word is only known when the command runs. Wildcards and home directories do not count.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.pattern.contains(UNKNOWN)
    }

    /// Whether the word has no known part except blanks.
    #[must_use]
    pub fn is_wholly_unknown(&self) -> bool {
        self.is_unknown() && self.pattern.chars().all(|c| c == UNKNOWN || c.is_whitespace())
    }

    /// Whether the word could turn out to be an option: it is one, or its beginning is unknown.
    #[must_use]
    pub fn may_be_option(&self) -> bool {
        self.pattern.starts_with(['-', UNKNOWN, GLOB])
    }

    /// The command's name, if this is its command word.
    #[must_use]
    pub fn command_name(&self) -> Option<&str> {
        let name = self.pattern.rsplit('/').next()?;
        (!name.is_empty() && !name.contains(is_marker)).then_some(name)
    }

    /// Whether the word is a process substitution such as `<(date)`.
    #[must_use]
    pub fn is_process_substitution(&self) -> bool {
        self.raw.starts_with("<(") || self.raw.starts_with(">(")
    }

    /// Whether the word is the output of another command, split at blanks.
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

/// The beginning of a text, up to `limit` characters.
pub(super) fn shortened(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
