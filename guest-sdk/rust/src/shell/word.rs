//! A word of a command, with its quotes resolved.

use super::marks::{self, Kind, Marks};
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

/// The first byte of every marker. The marks of a text begin with a larger byte. Most texts have neither.
const FIRST_MARKER_BYTE: u8 = 0xee;

/// Whether this character stands for an unknown part of a pattern.
pub(super) fn is_marker(c: char) -> bool {
    ('\u{E000}'..='\u{E00F}').contains(&c)
}

/// Returns a character of a text as it appears in a pattern.
fn shown(c: char) -> char {
    match marks::kind(c) {
        Some(Kind::Unknown) => UNKNOWN,
        Some(Kind::Glob) => GLOB,
        Some(Kind::Home) => HOME,
        Some(Kind::Found) => FOUND,
        // A marker in the source could pass for one of ours.
        None if is_marker(c) || marks::is_reserved(c) => UNKNOWN,
        None => c,
    }
}

/// Returns a text with markers in place of its marks.
pub(super) fn pattern_of(text: &str) -> String {
    if !text.bytes().any(|byte| byte >= FIRST_MARKER_BYTE) {
        return text.to_owned();
    }
    text.chars().map(shown).collect()
}

/// A part of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// What the command will receive.
    Text(String),
    /// What only the running shell knows, as it was typed.
    Unknown(String),
    /// A wildcard that the shell matches against files. `**` means any path below.
    Glob(String),
}

/// One word of a command, with its quotes resolved as far as possible.
#[derive(Debug, Clone)]
pub struct Word {
    raw: String,
    pattern: String,
    /// The text with marks.
    text: String,
    parts: Vec<Part>,
    span: Option<Range<usize>>,
}

impl Word {
    /// Creates a word that was typed as `raw` and is `text`.
    pub(super) fn new(raw: &str, text: String) -> Self {
        Self { raw: raw.to_owned(), pattern: pattern_of(&text), text, parts: Vec::new(), span: None }
    }

    /// Creates a word that is not in the source.
    pub(super) fn plain(text: &str) -> Self {
        Self::new(text, text.to_owned())
    }

    /// Creates a word that could not be read, shown as `raw`.
    pub(super) fn unread(raw: &str) -> Self {
        let mut word = Self::new(raw, marks::UNREAD.to_string());
        word.parts = vec![Part::Unknown(raw.to_owned())];
        word
    }

    pub(super) fn with_span(self, span: Option<Range<usize>>) -> Self {
        Self { span, ..self }
    }

    /// Returns the text with marks.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Replaces the marks with their meaning.
    pub(super) fn settle(&mut self, marks: &Marks) {
        if marks::has_mark(&self.raw) {
            self.raw = marks.render(&self.raw);
        }
        if marks::has_mark(&self.text) {
            self.parts = parts_of(&self.text, marks);
        }
    }

    /// Returns the word after a known beginning, such as the file of `--output=file`.
    pub(super) fn after(&self, prefix: &str) -> Option<Self> {
        let text = self.text.strip_prefix(prefix)?;
        let mut word = Self::new(self.raw.strip_prefix(prefix).unwrap_or(&self.raw), text.to_owned());
        word.parts = self.parts.clone();
        if let Some(Part::Text(first)) = word.parts.first_mut() {
            *first = first.strip_prefix(prefix).unwrap_or(first).to_owned();
        }
        word.parts.retain(|part| !matches!(part, Part::Text(text) if text.is_empty()));
        Some(word)
    }

    /// Returns the last name of the word as a path, if it has one: `b` of `a/b` and of `a/b/`.
    pub(super) fn last_name(&self) -> Option<Self> {
        let text = self.text.trim_end_matches('/');
        let start = text.rfind('/').map_or(0, |slash| slash + 1);
        let name = text.get(start..).filter(|name| !matches!(*name, "" | "." | ".."))?;
        let mut parts: Vec<Part> = Vec::new();
        for (at, part) in self.parts.iter().enumerate() {
            match part {
                Part::Text(text) if parts.is_empty() || text.contains('/') => {
                    let is_last = at + 1 == self.parts.len();
                    let text = if is_last { text.trim_end_matches('/') } else { text };
                    if is_last && !text.contains('/') && !parts.is_empty() {
                        parts.push(Part::Text(text.to_owned()));
                        continue;
                    }
                    parts = match text.rsplit('/').next() {
                        Some(text) if !text.is_empty() => vec![Part::Text(text.to_owned())],
                        _ => Vec::new(),
                    };
                }
                part => parts.push(part.clone()),
            }
        }
        Some(Self { parts, ..Self::new(name, name.to_owned()) })
    }

    /// Returns the path of a file with this name in the directory that the word names.
    pub(super) fn inside(&self, name: &Word) -> Self {
        let slash = if self.text.ends_with('/') { "" } else { "/" };
        let all = |word: &Word| match word.parts.as_slice() {
            [] => vec![Part::Text(word.text.clone())],
            parts => parts.to_vec(),
        };
        let is_known = self.parts.is_empty() && name.parts.is_empty();
        let mut parts = if is_known { Vec::new() } else { all(self) };
        if !is_known {
            for part in [Part::Text(slash.to_owned())].into_iter().chain(all(name)) {
                match (parts.last_mut(), part) {
                    (Some(Part::Text(last)), Part::Text(more)) => last.push_str(&more),
                    (_, part) => parts.push(part),
                }
            }
            parts.retain(|part| !matches!(part, Part::Text(text) if text.is_empty()));
        }
        let raw = format!("{}{slash}{}", self.raw, name.raw);
        Self { parts, ..Self::new(&raw, format!("{}{slash}{}", self.text, name.text)) }
    }

    /// Whether a part of the word is not known, including wildcards and home directories.
    pub(super) fn is_open(&self) -> bool {
        marks::has_mark(&self.text)
    }

    /// Returns the word as it was typed, for use in a reason.
    #[must_use]
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// Returns what the command will receive, if every character of it is known: no variables, wildcards, substitutions
    /// or home directories.
    #[must_use]
    pub fn known(&self) -> Option<&str> {
        (!self.pattern.contains(is_marker)).then_some(&self.pattern)
    }

    /// Returns the known parts of the word: its text, with [`UNKNOWN`], [`GLOB`] and [`HOME`] in place of the rest. A
    /// pattern equals a plain text only if the word is known.
    #[must_use]
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// Returns the parts of a word that is not fully known. Empty for a word that is.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Returns the text before the first unknown part.
    #[must_use]
    pub fn known_prefix(&self) -> &str {
        self.pattern.split(is_marker).next().unwrap_or_default()
    }

    /// Returns the word's position in the text of the tool call, if it can be rewritten there; see
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

    /// Whether the word has no known part except spaces.
    #[must_use]
    pub fn is_wholly_unknown(&self) -> bool {
        self.is_unknown() && self.pattern.chars().all(|c| c == UNKNOWN || c.is_whitespace())
    }

    /// Whether the word could turn out to be an option: it is one, or its beginning is unknown.
    #[must_use]
    pub fn may_be_option(&self) -> bool {
        self.pattern.starts_with(['-', UNKNOWN, GLOB])
    }

    /// Returns the command's name, if this is its command word.
    #[must_use]
    pub fn command_name(&self) -> Option<&str> {
        // Looking at the bytes from the end takes a third of the time of a search in so short a text.
        let slash = self.pattern.bytes().rposition(|byte| byte == b'/');
        let name = self.pattern.get(slash.map_or(0, |slash| slash + 1)..)?;
        // In zsh, `=rm` is the path of `rm`; elsewhere, hardly any program has such a name.
        let named = name.strip_prefix('=').filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
        let name = named.unwrap_or(name);
        (!name.is_empty() && !name.contains(is_marker)).then_some(name)
    }

    /// Whether the word is a process substitution such as `<(date)`.
    #[must_use]
    pub fn is_process_substitution(&self) -> bool {
        self.raw.starts_with("<(") || self.raw.starts_with(">(")
    }

    /// Whether the word is the output of another command, split at spaces.
    #[must_use]
    pub fn is_output(&self) -> bool {
        self.raw.starts_with("$(") || self.raw.starts_with('`')
    }

    /// Returns the same word with every `placeholder` in it replaced, as `xargs -I` and `find -exec` do. `too_long`
    /// replaces a word that needs more than `room`.
    pub(super) fn with_replaced(&self, placeholder: &str, value: &str, too_long: &str, room: &mut usize) -> Self {
        let count = if placeholder.is_empty() { 0 } else { self.text.matches(placeholder).count() };
        if count == 0 {
            return self.clone();
        }
        match room.checked_sub(count.saturating_mul(value.len()).saturating_add(self.text.len())) {
            None => Self::new(&self.raw, too_long.to_owned()),
            Some(left) => {
                *room = left;
                Self::new(&self.raw, self.text.replace(placeholder, value))
            }
        }
    }
}

/// The size limit for the parts of a word, in bytes.
const MAX_PARTS: usize = 16 << 10;

/// Returns the parts of a text with marks.
pub(super) fn parts_of(text: &str, marks: &Marks) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut known = String::new();
    let mut room = MAX_PARTS;
    for c in text.chars() {
        let size = marks::kind(c).map_or(1, |_| marks.raw(c).len() + 8);
        room = match room.checked_sub(size) {
            Some(left) => left,
            None => {
                if !known.is_empty() {
                    parts.push(Part::Text(known));
                }
                parts.push(Part::Unknown("…".to_owned()));
                return parts;
            }
        };
        let part = match marks::kind(c) {
            None => {
                known.push(c);
                continue;
            }
            Some(Kind::Unknown | Kind::Home) => Part::Unknown(marks.raw(c).to_owned()),
            Some(Kind::Glob) => Part::Glob(marks.raw(c).to_owned()),
            Some(Kind::Found) => {
                if !(known.ends_with('/') || known.is_empty() && parts.is_empty()) {
                    known.push('/');
                }
                Part::Glob("**".to_owned())
            }
        };
        if !known.is_empty() {
            parts.push(Part::Text(std::mem::take(&mut known)));
        }
        match (parts.last_mut(), part) {
            // Adjacent `?` and `*` count as one wildcard.
            (Some(Part::Glob(last)), Part::Glob(more)) if last.len() < 64 => last.push_str(&more),
            (_, part) => parts.push(part),
        }
    }
    if !known.is_empty() {
        parts.push(Part::Text(known));
    }
    parts
}

/// Returns the beginning of a text, up to `limit` characters.
pub(super) fn shortened(text: &str, limit: usize) -> String {
    // A text has no more characters than bytes.
    match Some(limit).filter(|limit| text.len() > *limit).and_then(|limit| text.char_indices().nth(limit)) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
