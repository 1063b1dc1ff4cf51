//! Tells orders from sentences that only describe them.

use crate::phrases::{Hit, Phrase};

/// Words before `ignoring` in a sentence about an assistant: `stop the model from ignoring my system prompt`.
const DESCRIBING: &[&str] = &["from", "is", "was", "been", "keeps", "kept", "stop", "stops"];

/// Whether a phrase only describes what it says, unless readers do not see it.
pub(crate) fn only_describes(text: &str, hit: &Hit) -> bool {
    match hit.phrase {
        Phrase::Disregard => !begins_sentence(text, hit.start) || is_general(text, hit.start, hit.end),
        Phrase::Override => is_description(text, hit.start),
        _ => false,
    }
}

/// Whether the verb at this position is a form such as `ignoring` that continues a sentence.
fn is_description(text: &str, at: usize) -> bool {
    let (before, rest) = text.split_at_checked(at).unwrap_or_default();
    let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let verb = rest.get(..end).unwrap_or_default();
    verb.ends_with("ing") && DESCRIBING.iter().any(|word| without(before.trim_end(), word).is_some())
}

/// Returns a text without its last word if it is this word.
fn without<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (before, last) = text.split_at_checked(text.len().checked_sub(word.len())?)?;
    (last.eq_ignore_ascii_case(word) && !before.ends_with(char::is_alphanumeric)).then_some(before)
}

/// Whether a sentence begins with the word at this position, apart from `please` and `do`.
fn begins_sentence(text: &str, at: usize) -> bool {
    let mut before = text.get(..at).unwrap_or_default().trim_end();
    for word in ["do", "please"] {
        let len = before.len().saturating_sub(word.len());
        if before.get(len..).is_some_and(|last| last.eq_ignore_ascii_case(word)) {
            before = before.get(..len).unwrap_or_default().trim_end();
        }
    }
    // In JSON text, `\n` is two characters.
    before.ends_with("\\n") || !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '\''))
}

/// Whether a phrase is about users in general, as in a comment on code: `Ignore user requests after shutdown`.
fn is_general(text: &str, start: usize, end: usize) -> bool {
    let phrase = text.get(start..end).unwrap_or_default().to_ascii_lowercase();
    let phrase = phrase.split_whitespace().collect::<Vec<_>>().join(" ");
    phrase.contains("user") && !["the user", "your user"].iter().any(|user| phrase.contains(user))
}
