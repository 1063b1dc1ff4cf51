//! Tells orders from sentences that only describe them.

use crate::lexicon::class::OBJECT;
use crate::phrases::{Hit, Phrase};
use crate::words::Word;

/// Words before `ignoring` in a sentence about an assistant: `stop the model from ignoring my system prompt`.
const DESCRIBING: &[&str] = &["from", "is", "was", "been", "keeps", "kept", "stop", "stops"];

/// Words for what people are, after `assistant`.
const TITLES: &[&str] =
    &["editor", "professor", "director", "manager", "teacher", "coach", "principal", "dean", "curator", "attorney"];

/// Words for instructions that came before, and for setting them aside.
const PRIOR: &[&str] = &["previous", "prior", "earlier"];
const REVOKED: &[&str] = &["revoked", "rescinded", "void", "cancelled", "canceled", "overridden"];
/// Names that an order may begin with.
const NAMES: &[&str] = &["chatgpt", "claude", "copilot", "ai assistant", "ai agent", "assistant"];

/// Whether a phrase only describes what it says, unless readers do not see it.
pub(crate) fn only_describes(text: &str, hit: &Hit) -> bool {
    match hit.phrase {
        Phrase::Disregard => {
            !begins_sentence(text, hit.start) || is_general(text, hit.start, hit.end) || is_place(text, hit)
        }
        Phrase::Address => is_to_people(text, hit),
        Phrase::Override => is_description(text, hit.start),
        _ => false,
    }
}

/// Whether a phrase names a place, as in a comment on paths: `ignore everything above the root`.
fn is_place(text: &str, hit: &Hit) -> bool {
    let phrase = text.get(hit.start..hit.end).unwrap_or_default();
    let noun = text.get(hit.end..).unwrap_or_default().strip_prefix(" the ").unwrap_or_default();
    let noun = noun.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    phrase.ends_with(" everything above") && ["root", "directory", "folder", "threshold"].contains(&noun)
}

/// Whether a phrase addresses people with such a title: `Dear assistant editors`.
fn is_to_people(text: &str, hit: &Hit) -> bool {
    let phrase = text.get(hit.start..hit.end).unwrap_or_default().to_ascii_lowercase();
    let title = phrase.strip_prefix("dear assistant ").unwrap_or_default();
    let title = title.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    [title, title.trim_end_matches('s'), title.trim_end_matches("es")].iter().any(|title| TITLES.contains(title))
}

/// Returns where a sentence begins that sets instructions aside, if this word is their name in it: `Previous
/// instructions are revoked`.
pub(crate) fn revokes(text: &str, word: &Word) -> Option<usize> {
    if word.class & OBJECT == 0 {
        return None;
    }
    let before = text.get(..word.start)?.strip_suffix(' ')?;
    let start = PRIOR.iter().find_map(|prior| without(before, prior))?.len();
    let rest = text.get(word.end..)?;
    let mut words = rest.get(..rest.floor_char_boundary(40))?.split(|c: char| !c.is_ascii_alphabetic());
    words.next().filter(|space| space.is_empty())?;
    let is = |word: &str, known: &[&str]| known.iter().any(|known| word.eq_ignore_ascii_case(known));
    let mut words = words.skip_while(|word| is(word, &["have", "been", "are", "is", "now", "hereby"]));
    words.next().filter(|word| is(word, REVOKED)).map(|_| start)
}

/// Whether the verb at this position is a form such as `ignoring` that continues a sentence.
fn is_description(text: &str, at: usize) -> bool {
    let (before, rest) = text.split_at_checked(at).unwrap_or_default();
    let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let verb = rest.get(..end).unwrap_or_default();
    verb.ends_with("ing") && DESCRIBING.iter().any(|word| without(before.trim_end(), word).is_some())
}

/// Returns a text without its last word if it is this word.
pub(crate) fn without<'t>(text: &'t str, word: &str) -> Option<&'t str> {
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
    // This is `ChatGPT, ignore …`. A name within a sentence is not addressed: `If you use ChatGPT, ignore …`.
    let called = before.strip_suffix(',').and_then(|before| NAMES.iter().find_map(|name| without(before, name)));
    let before = called.map_or(before, str::trim_end);
    // In JSON text, `\n` is two characters.
    before.ends_with("\\n") || !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '\''))
}

/// Whether a phrase is about users in general, as in a comment on code: `Ignore user requests after shutdown`.
fn is_general(text: &str, start: usize, end: usize) -> bool {
    let phrase = text.get(start..end).unwrap_or_default().to_ascii_lowercase();
    let phrase = phrase.split_whitespace().collect::<Vec<_>>().join(" ");
    phrase.contains("user") && !["the user", "your user"].iter().any(|user| phrase.contains(user))
}
