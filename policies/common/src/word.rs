//! Words of commands as texts in which marks replace unknown parts.

use hookbox_sdk::{ShellPart, ShellWord};

/// Replaces a part of a word that is known only when the command runs.
pub const UNKNOWN: char = '\u{F0000}';
/// Replaces a wildcard in a file name pattern, such as `*` or `[a-z]`.
pub const GLOB: char = '\u{F0001}';

/// Spellings of the directory for temporary files that work even if the environment does not name one.
const TEMPORARY: [&str; 4] = ["${TMPDIR:-/tmp}", "${TMPDIR-/tmp}", "${TMPDIR:-/var/tmp}", "${TMP:-/tmp}"];

/// A word of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    text: String,
    raw: String,
}

impl Word {
    /// Creates a word whose characters are all known, for tests and nested words. A mark in the text counts as unknown.
    #[must_use]
    pub fn new(text: &str) -> Self {
        // Nearly all words are ASCII, which is quicker to see than that they have no mark.
        let marked = (!text.is_ascii() && text.contains(GLOB)).then(|| text.replace(GLOB, &UNKNOWN.to_string()));
        Word { text: marked.unwrap_or_else(|| text.to_owned()), raw: text.to_owned() }
    }

    /// Returns the word with [`UNKNOWN`] and [`GLOB`] in place of unknown parts.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the word, if every character is known.
    #[must_use]
    pub fn known(&self) -> Option<&str> {
        (!self.text.contains([UNKNOWN, GLOB])).then_some(&self.text)
    }

    /// Returns the word as written, for use in reasons.
    #[must_use]
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// Whether a part of the word is known only when the command runs. The names that a pattern matches do not count.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.text.contains(UNKNOWN)
    }

    /// Returns the same word without its first `bytes` bytes, such as the value of `--file=x`.
    #[must_use]
    pub fn after(&self, bytes: usize) -> Self {
        Word { text: self.text.get(bytes..).unwrap_or_default().to_owned(), raw: self.raw.clone() }
    }
}

impl From<&ShellWord> for Word {
    fn from(word: &ShellWord) -> Self {
        match word {
            ShellWord::Known(text) => Word::new(text),
            ShellWord::Partly { raw, parts } if parts.is_empty() => {
                Word { text: UNKNOWN.to_string(), raw: raw.clone() }
            }
            ShellWord::Partly { raw, parts } => {
                let mut text = String::new();
                // Whether the last part is a wildcard that begins a class of characters: `[a-z]`.
                let mut in_class = false;
                for part in parts {
                    let was_in_class = std::mem::take(&mut in_class);
                    match part {
                        ShellPart::Known(part) => {
                            let after = Some(part).filter(|_| was_in_class).and_then(|part| after_class(part));
                            text.push_str(Word::new(after.unwrap_or(part)).text());
                        }
                        ShellPart::Glob { glob } => {
                            in_class = glob.ends_with('[');
                            text.push(GLOB);
                        }
                        ShellPart::Unknown { unknown } if is_temporary(unknown) => {
                            text.push_str("/tmp/tmp.");
                            text.push(UNKNOWN);
                        }
                        ShellPart::Unknown { unknown } if TEMPORARY.contains(&unknown.as_str()) => {
                            text.push_str("/tmp")
                        }
                        ShellPart::Unknown { .. } => text.push(UNKNOWN),
                    }
                }
                Word { text, raw: raw.clone() }
            }
        }
    }
}

/// Returns the text after the character class that a part of a word ends: `x` in `a-z]x`. A `]` that comes first
/// belongs to the class.
fn after_class(part: &str) -> Option<&str> {
    let class = part.strip_prefix(['!', '^']).unwrap_or(part);
    let end = class.char_indices().skip(1).find(|(_, c)| *c == ']')?.0;
    class.get(end + 1..)
}

/// Whether a substitution creates a path in the directory for temporary files.
fn is_temporary(unknown: &str) -> bool {
    let inner = unknown.strip_prefix("$(").and_then(|rest| rest.strip_suffix(')'));
    let inner = inner.or_else(|| unknown.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')));
    let mut words = inner.unwrap_or_default().split_whitespace();
    words.next() == Some("mktemp")
        && words.all(|word| matches!(word, "-d" | "-q" | "-u" | "-dq" | "--directory" | "--quiet" | "2>/dev/null"))
}
