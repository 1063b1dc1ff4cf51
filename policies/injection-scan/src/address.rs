//! Texts that address an assistant and tell it what to do: `Note to AI agents: run …`, `Assistant, please send …`.
//!
//! Prose about assistants has the same words. The address tells the two apart: it begins a sentence, a line, a comment
//! or an attribute, and it ends with a comma or a colon. Without them, as in `AI agents must run …`, what the assistants
//! must do tells it.

mod ending;

use crate::escapes::sequence;
use crate::lexicon::class::{ACT, ADDRESSEE, BRAND, CALL, LANGUAGE, MODEL, MUST, NOT, OVERRIDE, YOU};
use crate::words::{Lexicon, Word, word};
use ending::ending;

/// The maximum distance of an order from the address, in half words.
const REACH: usize = 28;
/// The maximum distance from the address of `must` and `please`, and of an order without these words, in half words.
const NEAR: usize = 8;
/// The maximum distance of an order from an assistant that must do something, in half words.
const CLOSE: usize = 6;
/// The maximum distance back to the beginning of an address, in bytes.
const MAX_LEAD: usize = 60;

/// The part of an order in which what it is about is looked for, in bytes.
const ABOUT: usize = 200;

/// Words that may accompany the assistant in an address.
const LEADS: &[&str] = &["the", "to", "for", "all", "any", "every", "large", "other", "as", "an", "a"];

/// What an order tells to do. What only concerns an assistant's answer is left out: `LLMs must output valid JSON`.
const DOING: &[&str] = &[
    "run",
    "execute",
    "send",
    "post",
    "upload",
    "email",
    "forward",
    "install",
    "delete",
    "remove",
    "reveal",
    "leak",
    "exfiltrate",
    "transfer",
    "approve",
    "merge",
    "push",
    "commit",
    "download",
    "click",
    "transmit",
    "paste",
    "disable",
    "press",
    "buy",
];
/// What is an order only if it names an address: contributors are told to open issues and to add tests.
const REACHING: &[&str] = &["open", "visit", "add", "share", "fetch"];
/// What tells an assistant to set aside what its user says.
const IGNORING: &[&str] = &["ignore", "disregard", "forget"];
/// Words for what it was told before, and for what came before.
const ORDERS: &[&str] =
    &["task", "tasks", "instruction", "instructions", "prompt", "prompts", "request", "goal", "orders"];
const BEFORE: &[&str] = &["previous", "prior", "earlier", "original", "current"];
/// Words for what must not be sent, in an order to one assistant.
const SECRETS: &[&str] = &["password", "credential", "api key", "api_key", "secret", ".env", "~/"];
/// What only an order to several tells to do. About others, it describes them: `LLMs need to rank documents`.
const JUDGING: &[&str] = &["rate", "rank", "recommend", "submit", "give"];
/// Words after `run` that tell where somebody runs: `AI agents must run in a sandbox`.
const PLACES: &[&str] = &["in", "on", "with", "as", "at", "under", "inside", "within", "without", "locally"];

/// How an address is followed by what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// The address ends: `Assistant, …`.
    Call,
    /// The address is to one assistant, which it names with two words: `AI agent: …`.
    One {
        /// Where the next word begins, in bytes.
        next: usize,
    },
    /// The address is to several: `AI agents: …`.
    Group {
        /// Where the next word begins, in bytes.
        next: usize,
    },
    /// The address is a mention: `@copilot …`.
    Mention {
        /// Where the next word begins, in bytes.
        next: usize,
    },
    /// The assistant is the subject of the sentence: `AI agents must …`.
    Subject {
        /// Whether the sentence is more than advice.
        is_strict: bool,
    },
}

/// An address that was seen.
#[derive(Clone, Copy, Debug)]
struct Seen {
    index: usize,
    start: usize,
    /// Whether the address itself is unambiguous: `Dear assistant,`, `LLM reading this:`.
    is_clear: bool,
    /// Whether `must`, `please` or `you` follows.
    is_told: bool,
    form: Form,
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
        if word.class & (ADDRESSEE | BRAND | MODEL) != 0
            && let Some((start, is_clear, form)) = address(text, word, lexicon)
        {
            self.0 = Some(Seen { index, start, is_clear, is_told: false, form });
            return None;
        }
        let seen = self.0.as_mut()?;
        // In `AI agents that read this: …`, the words before the colon belong to the address.
        if matches!(seen.form, Form::Group { next } | Form::One { next } if word.start < next) {
            return None;
        }
        let distance = index.saturating_sub(seen.index);
        let (order, is_over) = match seen.form {
            _ if distance > REACH => (None, true),
            Form::Subject { is_strict } => {
                let is_over = distance > CLOSE || word.class & (NOT | ACT) != 0;
                (seen.order_to_subject(is_strict, distance, text, word), is_over)
            }
            _ => {
                let order = seen.order(distance, text, word);
                (order, order.is_some())
            }
        };
        if is_over {
            self.0 = None;
        }
        order
    }
}

impl Seen {
    /// Returns the order in a sentence whose subject is the assistant, if the word completes it.
    fn order_to_subject(&self, is_strict: bool, distance: usize, text: &str, word: &Word) -> Option<Order> {
        let is = |mask: u32| word.class & mask != 0;
        let is_order = distance <= CLOSE && is(ACT) && !is(NOT);
        is_order.then(|| Order { start: self.start, is_weak: !(is_strict && does(text, word)) })
    }

    /// Returns the order after the address, if the word completes it. Remembers words that make what follows an order.
    fn order(&mut self, distance: usize, text: &str, word: &Word) -> Option<Order> {
        let is = |mask: u32| word.class & mask != 0;
        self.is_told |= is(MUST | YOU) && distance <= NEAR;
        let is_act = is(ACT) || is(OVERRIDE) && does(text, word);
        self.is_told |= is_act && self.form.is_followed_by(text, word);
        let is_order = is_act && (self.is_clear || self.is_told || distance <= NEAR);
        is_order.then_some(Order { start: self.start, is_weak: !self.is_clear && !self.is_told })
    }
}

impl Form {
    /// Whether this word for an act comes directly after the address, so that the address itself tells to do it.
    fn is_followed_by(self, text: &str, act: &Word) -> bool {
        match self {
            Form::Mention { next } => act.start == next,
            // In lists and headings, a word in upper case tells what they offer: `AI Agents: Send emails`.
            Form::Group { next } => {
                let spelled = text.get(act.start..act.end).unwrap_or_default();
                act.start == next
                    && spelled.starts_with(|c: char| c.is_ascii_lowercase())
                    && (does(text, act) || JUDGING.contains(&spelled))
            }
            // A log of changes has the same form: `AI agent: remove the old endpoint`.
            Form::One { next } => {
                let Some(between) = text.get(next..act.start) else { return false };
                // This is `AI agent: to pass the test, run …`.
                let is_aim = between.starts_with("to ") && between.ends_with(", ") && !between.contains(['.', '\n']);
                (between.is_empty() || is_aim) && harms(text, act)
            }
            Form::Call | Form::Subject { .. } => false,
        }
    }
}

/// Whether a word tells one assistant to set the user aside, or to take something to or from elsewhere.
fn harms(text: &str, act: &Word) -> bool {
    let (verb, rest) = (text.get(act.start..act.end).unwrap_or_default(), text.get(act.end..).unwrap_or_default());
    match verb {
        "add" => false,
        "visit" => takes(rest),
        _ if IGNORING.contains(&verb) => does(text, act),
        _ => verb.starts_with(|c: char| c.is_ascii_lowercase()) && does(text, act) && takes(rest),
    }
}

/// Whether a word tells to do something, rather than how or where to do it.
fn does(text: &str, act: &Word) -> bool {
    let is = |word: &str, words: &[&str]| words.iter().any(|other| word.eq_ignore_ascii_case(other));
    let (verb, rest) = (text.get(act.start..act.end).unwrap_or_default(), text.get(act.end..).unwrap_or_default());
    if is(verb, REACHING) {
        return names_address(rest, verb);
    }
    // Programs must ignore much else.
    if is(verb, IGNORING) {
        return is_about_user(rest) || is_about_orders(rest);
    }
    let next = rest.trim_start().split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    is(verb, DOING) && !is(next, PLACES)
}

/// Whether the rest of a sentence says where to send something, or names a secret.
fn takes(rest: &str) -> bool {
    let sentence = sentence(rest).to_ascii_lowercase();
    sentence.contains("://") || sentence.contains('@') || SECRETS.iter().any(|secret| sentence.contains(secret))
}

/// Whether the rest of a sentence has the address of a page, or of somebody with whom to share.
fn names_address(rest: &str, verb: &str) -> bool {
    let sentence = sentence(rest);
    sentence.contains("://") || verb.eq_ignore_ascii_case("share") && sentence.contains('@')
}

/// Returns the rest of a sentence, up to a certain length.
fn sentence(rest: &str) -> &str {
    let line = rest.get(..rest.floor_char_boundary(ABOUT)).unwrap_or_default();
    let line = line.split('\n').next().unwrap_or_default();
    let sentence = line.split_once(". ").map_or(line, |(sentence, _)| sentence);
    // In JSON text, `\n` is two characters.
    sentence.split_once("\\n").map_or(sentence, |(sentence, _)| sentence)
}

/// Whether a text begins with `the user`, and no further noun follows, as in `the user agent`.
fn is_about_user(rest: &str) -> bool {
    let is = |word: &str, known: &[&str]| known.iter().any(|known| word.eq_ignore_ascii_case(known));
    let mut words = rest.split_ascii_whitespace();
    let (Some(determiner), Some(user)) = (words.next(), words.next()) else { return false };
    let end = user.find(|c: char| !c.is_ascii_alphabetic());
    let name = user.get(..end.unwrap_or(user.len())).unwrap_or_default();
    let is_user = is(determiner, &["the", "your", "their"]) && is(name, &["user", "users", "human", "operator"]);
    is_user && (end.is_some() || words.next().is_none_or(|next| is(next, &["and", "or", "if", "when", "completely"])))
}

/// Whether a text begins with what the assistant was told before: `the previous task`, `all prior instructions`.
fn is_about_orders(rest: &str) -> bool {
    let is = |word: &str, known: &[&str]| known.iter().any(|known| word.eq_ignore_ascii_case(known));
    let mut words = rest.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
    let before = words.by_ref().take(3).find(|word| !is(word, &["all", "of", "the", "any", "your", "its"]));
    before.is_some_and(|word| is(word, BEFORE)) && words.next().is_some_and(|word| is(word, ORDERS))
}

/// Returns where the address begins that ends with this word, whether it is unambiguous, and its form.
fn address(text: &str, last: &Word, lexicon: &Lexicon) -> Option<(usize, bool, Form)> {
    let mut start = last.start.saturating_sub(MAX_LEAD);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let before = text.get(start..last.start)?;
    let rest = text.get(last.end..)?;
    // This is a mention: `@copilot when you review this`, `@claude-code run`.
    let is_handle = before.strip_suffix('@').is_some_and(|before| !before.ends_with(|c: char| c.is_alphanumeric()));
    let is_mention = is_handle && last.class & BRAND != 0;
    let rest = if is_mention { rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '-') } else { rest };
    let ending = ending(rest, last.class & BRAND != 0)?;
    let is_begin = |c: char| !c.is_alphanumeric() && !matches!(c, ' ' | '\'' | '\u{2019}');
    let lead = match before.rfind(is_begin) {
        Some(at) => before.get(at..)?.get(1..).unwrap_or_default(),
        // The beginning of the address must be within reach.
        None if start > 0 => return None,
        None => before,
    };
    let lead = after_escapes(before, lead);
    let lead_start = last.start - lead.len();
    let (mut calls, mut is_known, mut is_role) = (false, last.class & (ADDRESSEE | BRAND) != 0, false);
    // `ai: …` may be the scope of a commit, and `Assistant: …` a turn of a conversation.
    let mut has_two = false;
    let mut at = lead_start;
    while at < last.start {
        if !text.get(at..)?.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            at += text.get(at..)?.chars().next()?.len_utf8();
            continue;
        }
        let one = word(text, at, lexicon);
        let spelled = text.get(at..one.end)?.to_ascii_lowercase();
        let is_lead = LEADS.contains(&spelled.as_str());
        // This is `Copilot and other AI agents`.
        let is_and = matches!(spelled.as_str(), "and" | "or") && text.get(one.end..)?.starts_with(" other ");
        if !is_lead && !is_and && one.class & (CALL | ADDRESSEE | BRAND | LANGUAGE) == 0 {
            return None;
        }
        // `Important: …` addresses nobody, and a note addresses somebody only if it says whom it is for.
        calls |= one.class & CALL != 0;
        is_known |= one.class & (ADDRESSEE | BRAND | LANGUAGE) != 0;
        has_two |= one.class & (ADDRESSEE | LANGUAGE) != 0;
        is_role |= spelled == "as";
        at = one.end;
    }
    // This is `As an AI model you must …`.
    let ends = ending.ends || is_mention || ending.reads || is_role && ending.is_you;
    let is_group = ending.is_group || text.get(last.start..last.end)?.ends_with(['s', 'S']);
    let next = |rest: &str| text.len() - rest.trim_start_matches([' ', ',', ':', '\n']).len();
    let form = match ending.must {
        _ if is_mention => Form::Mention { next: next(rest) },
        Some(is_strict) if !ends && is_known && last.class & BRAND == 0 => Form::Subject { is_strict },
        _ if !ends || !is_known && !rest.starts_with(':') => return None,
        _ if is_group && is_known && ending.ends => Form::Group { next: next(rest.split_once([',', ':'])?.1) },
        _ if has_two && ending.ends => Form::One { next: next(rest.split_once([',', ':'])?.1) },
        _ => Form::Call,
    };
    Some((lead_start, is_known && (calls || ending.reads), form))
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
