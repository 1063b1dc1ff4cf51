//! What comes before the last word of an address: `Note to the AI …`, `Copilot and other …`.

use super::orders::is;
use crate::escapes::sequence;
use crate::fold::{disguised, is_of_pieces, is_of_word};
use crate::lexicon::Class;
use crate::lexicon::class::{ADDRESSEE, BRAND, CALL, LANGUAGE, MODEL};
use crate::words::{Lexicon, Word, piece, word};

/// The maximum distance back to the beginning of an address, in bytes.
const MAX_LEAD: usize = 60;

/// Words that may accompany the assistant in an address.
const LEADS: &[&str] = &["the", "to", "for", "all", "any", "every", "large", "other", "as", "an", "a"];
/// The same words in other languages.
const FOREIGN_LEADS: &[&str] = &[
    "fur", "für", "alle", "die", "den", "aux", "les", "des", "tous", "pour", "para", "los", "las", "de", "del",
    "todos", "per", "gli", "ai", "agli", "tutti", "os", "aos", "voor", "aan", "dla", "do", "dem", "pro", "pre", "till",
    "til", "untuk", "kepada", "cho", "trợ", "lý", "chú", "yapay", "zeka",
];
/// Words for the kind of a message, and for what an assistant is for: `system message`, `AI shopping agents`.
const KINDS: &[&str] = &[
    "system",
    "admin",
    "developer",
    "security",
    "hidden",
    "special",
    "new",
    "private",
    "final",
    "internal",
    "code",
    "shopping",
    "procurement",
    "purchasing",
    "review",
    "search",
    "browser",
    "browsing",
    "research",
    "travel",
    "support",
    "trading",
    "chat",
    "writing",
    "software",
    "programming",
    "hiring",
    "recruiting",
    "screening",
    "email",
    "mail",
    "scheduling",
    "booking",
    "voice",
    "automated",
    "from",
    "maintainer",
    "maintainers",
    "author",
    "authors",
    "owner",
    "team",
    "user",
];
/// Those of them that also tell the trade of agents who are people.
const TRADES: &[&str] = &["travel", "support", "booking"];
/// Words for rules, which may be meant well: `Rules for AI assistants: …`.
const HEADINGS: &[&str] = &[
    "rules",
    "guidelines",
    "guidance",
    "policy",
    "directives",
    "requirements",
    "tasks",
    "commands",
    "orders",
    "steps",
];
/// Words before an assistant that may read the text: `If an AI is reading this, it must …`.
const CONDITIONS: &[&str] = &["if", "when", "whenever", "should"];

/// Words that programs print between the time and the text of a line: `10:00:01 INFO Note to AI agents: …`.
const LEVELS: &[&str] = &["INFO", "WARN", "ERROR", "DEBUG", "TRACE", "FATAL", "UTC", "GMT", "AM", "PM"];
/// Marks of Markdown and HTML around single words: `**Note** to **AI** _agents_: …`.
const DECORATION: [char; 7] = ['*', '_', '~', '`', '<', '>', '/'];
/// The longest tag around a word: `</strong>`.
const MAX_TAG: usize = 9;

/// What comes before the last word of an address.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lead {
    /// Where the address begins, in bytes.
    pub(super) start: usize,
    /// Whether it is a call such as `note to`.
    pub(super) calls: bool,
    /// Whether it has a word for an assistant.
    pub(super) is_known: bool,
    /// Whether it has one besides the last word: `ai: …` may be the scope of a commit, and `Assistant: …` a turn of a
    /// conversation.
    pub(super) has_two: bool,
    /// Whether it is the heading of rules: `rules for`.
    pub(super) is_heading: bool,
    /// Whether it begins with `to`.
    pub(super) is_to: bool,
    /// Whether it tells a role: `as an AI`.
    pub(super) is_role: bool,
    /// Whether it tells a trade: `note to travel`.
    pub(super) is_trade: bool,
    /// Whether it is a condition: `if an AI`.
    pub(super) is_condition: bool,
    /// Whether the assistant is surely none of the people who are called assistants.
    pub(super) is_machine: bool,
}

impl Lead {
    fn add(&mut self, class: Class, spelled: &str) {
        // `Important: …` addresses nobody, and a note addresses somebody only if it says whom it is for.
        self.calls |= class & CALL != 0;
        self.is_known |= class & (ADDRESSEE | BRAND | LANGUAGE) != 0;
        self.has_two |= class & (ADDRESSEE | BRAND | LANGUAGE) != 0;
        self.is_machine |= class & (ADDRESSEE | BRAND | LANGUAGE) != 0 && !is_for_people(spelled);
        self.is_role |= spelled == "as";
    }
}

/// Whether people have this word as their title, too.
pub(super) fn is_for_people(spelled: &str) -> bool {
    spelled.get(..6).is_some_and(|head| head.eq_ignore_ascii_case("assist"))
}

/// Returns what comes before the last word of an address, or `None` if this is not an address.
pub(super) fn lead(text: &str, last: &Word, lexicon: &Lexicon) -> Option<Lead> {
    // An address may begin after such a mark, or before it.
    lead_from(text, last, lexicon, &DECORATION).or_else(|| lead_from(text, last, lexicon, &[]))
}

/// Returns what comes before the last word of an address, in which these marks are part of the words.
fn lead_from(text: &str, last: &Word, lexicon: &Lexicon, marks: &[char]) -> Option<Lead> {
    let mut from = last.start.saturating_sub(MAX_LEAD);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let before = text.get(from..last.start)?;
    let mark = before.char_indices().rev().find(|(at, c)| !marks.contains(c) && begins(before, *at, *c));
    let words = match mark {
        Some((at, c)) => before.get(at + c.len_utf8()..)?,
        // The beginning of the address must be within reach.
        None if from > 0 => return None,
        None => before,
    };
    let words = after_escapes(before, words);
    let mut at = last.start - words.len();
    let calls = mark.is_some_and(|(at, c)| matches!(c, ',' | '，' | '!' | '！') && is_called(text, from + at, lexicon));
    let mut lead = Lead { start: at, calls, ..Lead::default() };
    // Whether a word for a kind of message still needs the message.
    let mut is_open = false;
    while at < last.start {
        let rest = text.get(at..)?;
        let c = rest.chars().next()?;
        if is_of_pieces(c) {
            let piece = piece(text, at, c, lexicon);
            lead.add(piece.map_or(0, |piece| piece.class), "");
            at = piece.map_or(at + c.len_utf8(), |piece| piece.end);
            continue;
        }
        if !is_of_word(c) && disguised(c).is_none() {
            let is_tag = |end: &usize| c == '<' && *end < MAX_TAG.min(last.start - at);
            let tag = rest.get(..rest.floor_char_boundary(MAX_TAG)).and_then(|tag| tag.find('>')).filter(is_tag);
            let is_before = text.get(lead.start..at)?.trim_start().is_empty();
            at += tag.map_or(c.len_utf8(), |end| end + 1);
            // What is inside of an element begins after its tag.
            lead.start = if is_before { at } else { lead.start };
            continue;
        }
        let one = word(text, at, lexicon);
        let spelled = text.get(at..one.end)?.to_ascii_lowercase();
        let after = text.get(one.end..)?;
        let is_first = text.get(lead.start..at)?.trim_start().is_empty();
        if is_first && is_of_log(text.get(at..one.end)?) {
            (lead, at) = (Lead { start: one.end, ..lead }, one.end);
            continue;
        }
        // These are `Copilot and other AI agents`, and `9:15 and to all AI agents` in a transcript.
        let is_and = matches!(spelled.as_str(), "and" | "or") && after.starts_with(" other ")
            || spelled == "and" && [" to ", " for ", " all "].iter().any(|next| after.starts_with(next))
            || spelled.bytes().all(|byte| byte.is_ascii_digit());
        let is_kind = is(&spelled, KINDS);
        lead.is_condition |= is_first && is(&spelled, CONDITIONS);
        lead.is_to |= is_first && spelled == "to";
        lead.is_trade |= is(&spelled, TRADES);
        // This is `note aux agents IA`.
        let is_model = one.class & MODEL != 0 && lead.calls;
        let is_plain = is(&spelled, LEADS) || is(&spelled, FOREIGN_LEADS) || !c.is_ascii();
        let is_for =
            after.get(..4).is_some_and(|next| next.eq_ignore_ascii_case(" for") || next.eq_ignore_ascii_case(" to "));
        let is_heading = is_for && is(&spelled, HEADINGS);
        // `Support agent: …` is a person.
        is_open = (is_open || is_kind && !lead.is_known && !lead.calls) && one.class & CALL == 0 && !is_heading;
        lead.is_heading |= is_heading;
        let is_word = is_heading || is_and || is_kind || is_plain || is_model || is_first && lead.is_condition;
        if !is_word && one.class & (CALL | ADDRESSEE | BRAND | LANGUAGE) == 0 {
            if !after.starts_with('-') {
                return None;
            }
            // The address begins after `x-` in `x-AI agent`.
            at = one.end + 1;
            (lead, is_open) = (Lead { start: at, ..Lead::default() }, false);
            continue;
        }
        lead.add(one.class, &spelled);
        at = one.end;
    }
    (!is_open).then_some(lead)
}

/// Whether a word is the end of a time or a level in a log: `01Z`, `INFO`.
fn is_of_log(word: &str) -> bool {
    LEVELS.contains(&word) || word.strip_suffix('Z').unwrap_or(word).bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the word before a mark is a call: `Attention, AI agents: …`.
fn is_called(text: &str, mark: usize, lexicon: &Lexicon) -> bool {
    let before = text.get(..mark).unwrap_or_default();
    let call = before.rsplit(|c: char| !is_of_word(c)).next().unwrap_or_default();
    let start = mark - call.len();
    let class = match call.chars().next() {
        Some(c) if is_of_pieces(c) => piece(text, start, c, lexicon).map_or(0, |piece| piece.class),
        Some(_) => word(text, start, lexicon).class,
        None => 0,
    };
    class & CALL != 0
}

/// Whether an address may begin after this character.
fn begins(before: &str, at: usize, c: char) -> bool {
    let is_letter = |c: char| c.is_alphanumeric();
    // This is `KI-Assistenten`.
    let joins = || {
        let after = before.get(at + 1..).unwrap_or_default();
        before.get(..at).is_some_and(|before| before.ends_with(is_letter))
            && (after.is_empty() || after.starts_with(is_letter))
    };
    // An apostrophe comes after a letter, and the opening mark of a quotation does not.
    let is_apostrophe = || before.get(..at).is_none_or(|before| before.is_empty() || before.ends_with(is_letter));
    let is_inside = c == ' ' || matches!(c, '\'' | '\u{2019}') && is_apostrophe() || c == '-' && joins();
    !(is_of_word(c) || is_inside)
}

/// Returns the lead of an address without the letters of an escape before it: `ESC[0m`, or `\n` in JSON text.
fn after_escapes<'t>(before: &'t str, lead: &'t str) -> &'t str {
    let from = before.len() - lead.len();
    let escape = before.rfind('\u{1b}').map(|at| at + 1).or_else(|| before.rfind("\\u001b").map(|at| at + 6));
    if let Some(at) = escape {
        let end = at + sequence(before.get(at..).unwrap_or_default()).1;
        if end > from {
            return before.get(end..).unwrap_or_default();
        }
    }
    let is_escaped = before.get(..from).is_some_and(|before| before.ends_with('\\'));
    if is_escaped { lead.strip_prefix(['n', 'r', 't']).unwrap_or(lead) } else { lead }
}
