//! A word of a command: what it says once its quotes are gone.

use std::ops::Range;

/// Marks, in the text of a word, a part that only the running shell knows.
///
/// The markers are private-use characters, which no path or option holds.
pub const UNKNOWN: char = '\u{E000}';
/// Marks an active wildcard (`*`, `?` or `[`).
pub const GLOB: char = '\u{E001}';
/// Marks a home directory (`~`, `~user`, `$HOME`).
pub const HOME: char = '\u{E002}';

fn is_marker(c: char) -> bool {
    ('\u{E000}'..='\u{E00F}').contains(&c)
}

/// A character of the source as it stands in the text of a word.
///
/// A marker in the source comes from an outer word, whose text is now read as
/// a script. Its wildcards and braces are no longer active there.
pub(super) fn plain(c: char) -> char {
    if is_marker(c) && c != HOME { UNKNOWN } else { c }
}

/// One word of a command, with its quotes resolved.
#[derive(Debug, Clone)]
pub struct Word {
    /// What the author typed, for the words of a reason.
    pub raw: String,
    /// What the command receives, with markers for what cannot be known.
    pub text: String,
    /// Where the word stands in the text of the tool call, when it can be
    /// rewritten there.
    pub source: Option<Range<usize>>,
}

impl Word {
    /// A word that means itself, such as an element of an argument list.
    #[must_use]
    pub fn literal(value: &str, source: Option<Range<usize>>) -> Self {
        Self { raw: value.to_owned(), text: value.chars().map(plain).collect(), source }
    }

    /// A word of which nothing is known.
    #[must_use]
    pub fn unknown(raw: &str) -> Self {
        Self { raw: raw.to_owned(), text: UNKNOWN.to_string(), source: None }
    }

    /// Whether a part of the word is known only when the command runs.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.text.contains(UNKNOWN)
    }

    /// Whether nothing but blanks is known of the word.
    #[must_use]
    pub fn is_wholly_unknown(&self) -> bool {
        self.is_unknown() && self.text.chars().all(|c| c == UNKNOWN || c.is_whitespace())
    }

    /// The name of the command when this is the command word: the last
    /// component of its path, so that `/bin/rm` and `\rm` are both `rm`.
    #[must_use]
    pub fn command_name(&self) -> Option<&str> {
        let name = self.text.rsplit('/').next()?;
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

    /// The same word with every `placeholder` in it replaced, as `xargs -I`
    /// and `find -exec` do.
    #[must_use]
    pub fn with_replaced(&self, placeholder: &str, value: &str) -> Self {
        if placeholder.is_empty() || !self.text.contains(placeholder) {
            return self.clone();
        }
        Self { raw: self.raw.clone(), text: self.text.replace(placeholder, value), source: None }
    }
}
