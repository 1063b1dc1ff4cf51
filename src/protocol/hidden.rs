//! Characters that change what a reader sees without being visible themselves: controls, and characters that Unicode
//! tells renderers not to show.
//!
//! A reason or a name may come from a hook, a config file or a model. On a terminal, such characters can move the
//! cursor and reverse text; in a model's context they can carry instructions that no person sees.

use std::borrow::Cow;

/// Returns whether a character is hidden: in the Unicode categories `Cc`, `Cf`, `Zl` or `Zp`, or with the property
/// `Default_Ignorable_Code_Point`. The visible characters of `Cf` (those with `Prepended_Concatenation_Mark`) are not
/// hidden.
///
/// This is a table because a one-shot `hookbox run` has no time to compile a regex. A test checks it against Unicode's
/// data.
pub(crate) const fn is_hidden(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        // Mongolian variation selectors.
        | '\u{180b}'..='\u{180f}'
        // Zero-width characters and direction marks; separators, embeddings and overrides; isolates.
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        // Variation selectors.
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        // Format characters of hieroglyphs, shorthand and music.
        | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        // Tags, and the rest of the range that is reserved for similar characters.
        | '\u{e0000}'..='\u{e0fff}')
}

/// A part of a text.
pub(super) enum Part<'t> {
    /// Text without hidden characters.
    Shown(&'t str),
    /// One hidden character.
    Hidden(char),
}

/// Splits a text into its parts, in order.
pub(super) fn parts(text: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        if is_hidden(first) {
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
            return Some(Part::Hidden(first));
        }
        let end = if is_plain(rest) { rest.len() } else { rest.find(is_hidden).unwrap_or(rest.len()) };
        let (shown, tail) = rest.split_at(end);
        rest = tail;
        Some(Part::Shown(shown))
    })
}

/// Returns whether a text is ASCII without controls, as most texts are. Compilers turn this loop into fast code.
pub(crate) fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// Replaces each hidden character with the text that `write` appends for it.
pub(crate) fn replace(text: &str, mut write: impl FnMut(&mut String, char)) -> Cow<'_, str> {
    if is_plain(text) || !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for part in parts(text) {
        match part {
            Part::Shown(text) => out.push_str(text),
            Part::Hidden(c) => write(&mut out, c),
        }
    }
    Cow::Owned(out)
}

/// Returns the text as a terminal may show it: each hidden character is spelled out, such as `\u{202e}`. Line breaks
/// and tabs stay. Everything that a hook says passes through this before a person reads it.
///
/// ```
/// assert_eq!(hookbox::visible("a\u{202e}b\n"), "a\\u{202e}b\n");
/// ```
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    replace(text, |out, c| match c {
        '\n' | '\t' => out.push(c),
        c => out.extend(c.escape_unicode()),
    })
}
