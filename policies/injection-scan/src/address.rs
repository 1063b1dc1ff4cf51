//! Texts that address an assistant and tell it what to do: `Note to AI agents: run …`, `Assistant, please send …`.
//!
//! Prose about assistants has the same words. The address tells the two apart: it begins a sentence, a line, a comment
//! or an attribute, and it ends with a comma or a colon.

use crate::lexicon::class::{ACT, ADDRESSEE, BRAND, CALL, LANGUAGE, MODEL, MUST, YOU};
use crate::words::{Lexicon, Word, word};

/// The maximum distance of an order from the address, in half words.
const REACH: usize = 28;
/// The maximum distance from the address of `must` and `please`, and of an order without these words, in half words.
const NEAR: usize = 8;
/// The maximum distance back to the beginning of an address, in bytes.
const MAX_LEAD: usize = 60;

/// Words that may accompany the assistant in an address.
const LEADS: &[&str] = &["the", "to", "for", "all", "any", "every", "large", "other"];
/// Words for what the assistant does with the text: `LLM reading this page: …`.
const READING: &[&str] =
    &["reading", "processing", "reviewing", "parsing", "summarizing", "scanning", "viewing", "using"];
const READ: &[&str] =
    &["this", "the", "page", "document", "file", "text", "issue", "code", "repository", "message", "site"];

/// An address that was seen.
#[derive(Clone, Copy, Debug)]
struct Seen {
    index: usize,
    start: usize,
    /// Whether the address itself is unambiguous: `Dear assistant,`, `LLM reading this:`.
    is_clear: bool,
    /// Whether `must`, `please` or `you` follows.
    is_told: bool,
}

/// An order to an assistant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// The start of the address, in bytes.
    pub(crate) start: usize,
    /// Whether this counts as an order only where readers do not see it.
    pub(crate) is_weak: bool,
}

/// The last address that was seen, which later words may complete to an order.
#[derive(Debug, Default)]
pub(crate) struct Addresses(Option<Seen>);

impl Addresses {
    /// Adds a word of the lexicon. `index` is its distance from the beginning of the text, in half words. Returns the
    /// order that the word completes, if it completes one.
    pub(crate) fn add(&mut self, text: &str, index: usize, word: &Word, lexicon: &Lexicon) -> Option<Order> {
        let is = |mask: u32| word.class & mask != 0;
        if is(ADDRESSEE | BRAND | MODEL)
            && let Some((start, is_clear)) = address(text, word, lexicon)
        {
            self.0 = Some(Seen { index, start, is_clear, is_told: false });
            return None;
        }
        let seen = self.0.as_mut()?;
        let distance = index.saturating_sub(seen.index);
        if distance > REACH {
            self.0 = None;
            return None;
        }
        seen.is_told |= is(MUST | YOU) && distance <= NEAR;
        let is_order = is(ACT) && (seen.is_clear || seen.is_told || distance <= NEAR);
        let order = is_order.then_some(Order { start: seen.start, is_weak: !seen.is_clear && !seen.is_told });
        if order.is_some() {
            self.0 = None;
        }
        order
    }
}

/// Returns where the address begins that ends with this word, and whether it is unambiguous.
fn address(text: &str, last: &Word, lexicon: &Lexicon) -> Option<(usize, bool)> {
    let (ends, reads) = ending(text.get(last.end..)?)?;
    let mut start = last.start.saturating_sub(MAX_LEAD);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let before = text.get(start..last.start)?;
    let is_begin = |c: char| !c.is_alphanumeric() && !matches!(c, ' ' | '\'' | '\u{2019}');
    let lead = match before.rfind(is_begin) {
        Some(at) => before.get(at..)?.get(1..).unwrap_or_default(),
        // The beginning of the address must be within reach.
        None if start > 0 => return None,
        None => before,
    };
    let lead_start = last.start - lead.len();
    let (mut calls, mut is_known) = (false, last.class & (ADDRESSEE | BRAND) != 0);
    let mut at = lead_start;
    while at < last.start {
        if !text.get(at..)?.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            at += text.get(at..)?.chars().next()?.len_utf8();
            continue;
        }
        let one = word(text, at, lexicon);
        let spelled = text.get(at..one.end)?.to_ascii_lowercase();
        let is_lead = LEADS.contains(&spelled.as_str());
        if !is_lead && one.class & (CALL | ADDRESSEE | BRAND | LANGUAGE) == 0 {
            return None;
        }
        // `Important: …` addresses nobody, and a note addresses somebody only if it says whom it is for.
        calls |= one.class & CALL != 0;
        is_known |= one.class & (ADDRESSEE | BRAND | LANGUAGE) != 0;
        at = one.end;
    }
    // This is a mention: `@copilot when you review this`.
    let is_mention = before.ends_with('@') && last.class & BRAND != 0;
    let ends = ends || is_mention || reads;
    (ends && (is_known || text.get(last.end..)?.starts_with(':'))).then_some((lead_start, is_known && (calls || reads)))
}

/// Returns whether an address ends after its last word, and whether it says what the assistant reads.
fn ending(rest: &str) -> Option<(bool, bool)> {
    let mut words = rest.get(..rest.floor_char_boundary(MAX_LEAD)).unwrap_or_default();
    let mut reads = false;
    for _ in 0..4 {
        if words.starts_with([',', ':']) {
            return Some((true, reads));
        }
        let trimmed = words.strip_prefix(' ')?;
        let end = trimmed.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(trimmed.len());
        let (one, after) = trimmed.split_at_checked(end)?;
        let is_reading = READING.iter().any(|word| one.eq_ignore_ascii_case(word));
        if !(is_reading || reads && READ.iter().any(|word| one.eq_ignore_ascii_case(word))) {
            break;
        }
        reads |= is_reading;
        words = after;
    }
    Some((false, reads))
}
