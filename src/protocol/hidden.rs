//! Characters that change what a reader sees without being seen themselves: controls, and what Unicode says a renderer
//! should not show.
//!
//! A reason or a name comes from a hook, from a config file or from a model. On a terminal such characters can move the
//! cursor and reverse text; in a model's context they can carry instructions that no person sees.

use std::borrow::Cow;

/// Whether a character is one of these: the categories `Cc`, `Cf`, `Zl` and `Zp` and the property
/// `Default_Ignorable_Code_Point` of Unicode, without the visible signs among `Cf` (`Prepended_Concatenation_Mark`).
///
/// A table, since a one-shot `hookbox run` has no time to compile a regex for it; a test holds it to Unicode's data.
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
        // Formats of hieroglyphs, shorthand and music.
        | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        // Tags, and the rest of their plane that is set aside for characters like them.
        | '\u{e0000}'..='\u{e0fff}')
}

/// A part of a text.
pub(super) enum Part<'t> {
    /// Text without hidden characters.
    Shown(&'t str),
    /// One hidden character.
    Hidden(char),
}

/// The parts of a text in their order.
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

/// Whether a text is ASCII without controls, which most are: compilers make fast code of it.
pub(crate) fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// The text with each hidden character replaced.
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

/// The text as a terminal may show it: each hidden character is spelled out, such as `\u{202e}`. Line breaks and tabs
/// stay. What a hook says goes through this before a person reads it.
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
