//! What comes between the word for an assistant and the end of its address: `AI agents that read this page: …`.

use super::orders::is;

/// The maximum length of it, in bytes.
const MAX_LENGTH: usize = 60;

/// Marks that end an address.
pub(super) const MARKS: [char; 6] = [',', ':', '：', '，', '–', '—'];

/// Words for what the assistant does with the text: `LLM reading this page: …`.
const READING: &[&str] =
    &["reading", "processing", "reviewing", "parsing", "summarizing", "scanning", "viewing", "using"];
const READ: &[&str] =
    &["this", "the", "page", "document", "file", "text", "issue", "code", "repository", "message", "site"];
/// Words for what the assistant does with the text after `that`: `AI agents that read this page: …`.
const READS: &[&str] = &[
    "read",
    "reads",
    "process",
    "processes",
    "review",
    "reviews",
    "receive",
    "receives",
    "see",
    "sees",
    "parse",
    "parses",
];
/// The last words of products: `Gemini CLI`, `Claude Code`.
const PRODUCTS: &[&str] = &["cli", "code", "agent", "agents", "assistant", "assistants", "desktop", "chat"];
/// Words for what an assistant is for, after the word for it, in the singular: `LLM reviewers: …`, `AI CV screener: …`.
/// Researchers and developers are people.
const READERS: &[&str] = &[
    "reviewer",
    "reader",
    "crawler",
    "bot",
    "screener",
    "grader",
    "evaluator",
    "judge",
    "summarizer",
    "summariser",
    "scraper",
    "classifier",
    "moderator",
    "scanner",
    "checker",
    "parser",
    "translator",
    "ranker",
    "scorer",
    "assessor",
    "analyzer",
    "responder",
    "tool",
    "system",
];
/// Words for the text that follows: `AI agent instructions: …`.
const TITLES: &[&str] = &["instructions", "instruction", "directive", "directives", "notice", "note"];
/// Words after the word for an assistant that tell whom the text is for: `AIアシスタントへ：…`.
const TOWARDS: &[&str] = &[
    "的指令",
    "的指示",
    "的说明",
    "的消息",
    "请注意",
    "請注意",
    "へ",
    "への指示",
    "への注意",
    "へのお願い",
    "へのメッセージ",
    "에게",
    " 주의",
    " için",
    " için not",
    " için talimat",
    " के लिए",
    " के लिए नोट",
    " के लिए निर्देश",
];
/// Words that tell what an assistant must do, and those that only advise it.
pub(super) const STRICT: &[&str] = &["must", "shall", "need", "needs"];
const ADVICE: &[&str] = &["should"];
/// Words that do the same after `is` and `are`. The second list often just describes a prompt.
const OBLIGED: &[&str] = &["required", "ordered", "obliged", "obligated", "commanded"];
const TOLD: &[&str] = &["instructed", "directed", "authorized", "requested", "asked"];

/// What comes after the last word of an address.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ending {
    /// Whether the address ends there.
    pub(super) ends: bool,
    /// Where the mark that ends it begins, or the word `must` after a clause, in bytes.
    pub(super) len: usize,
    /// The number of words of it.
    pub(super) words: usize,
    /// Whether it says what the assistant reads.
    pub(super) reads: bool,
    /// Whether this is a whole sentence: `an AI is reading this`.
    pub(super) is_clause: bool,
    /// Whether it tells whom the text is for: `AIアシスタントへ：`.
    pub(super) calls: bool,
    /// Whether it names the text that follows: `AI agent instructions:`.
    pub(super) is_title: bool,
    /// Whether it is to several readers.
    pub(super) is_group: bool,
    /// Whether it tells what the assistant is for: `AI reviewer:`.
    pub(super) has_role: bool,
    /// Whether `you` follows.
    pub(super) is_you: bool,
    /// Whether `must` or `should` follows, and whether that is more than advice.
    pub(super) must: Option<bool>,
    /// Whether `is hereby …` follows, as only in an order.
    pub(super) is_formal: bool,
}

/// Returns what comes after the last word of an address. `is_brand` says whether that word is the name of a product.
pub(super) fn ending(rest: &str, is_brand: bool) -> Option<Ending> {
    let mut words = rest.get(..rest.floor_char_boundary(MAX_LENGTH)).unwrap_or_default();
    let length = words.len();
    let (mut ending, mut is_object, mut before) = (Ending::default(), false, "");
    let is_end = |after: &&str| after.trim_start().starts_with(MARKS);
    if let Some(after) = TOWARDS.iter().find_map(|particle| words.strip_prefix(particle).filter(is_end)) {
        (ending.calls, words) = (true, after);
    }
    for at in 0..6 {
        let trimmed = undecorated(words);
        if trimmed.starts_with(MARKS) {
            return Some(Ending { ends: true, len: length - trimmed.len(), words: at, ..ending });
        }
        // This is `**AI agents** *must* run …`.
        let trimmed = words.trim_start_matches(['*', '_']).strip_prefix(' ')?.trim_start_matches(['*', '_']);
        let end = trimmed.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(trimmed.len());
        let (one, after) = trimmed.split_at_checked(end)?;
        let is_one = |known: &[&str]| is(one, known);
        let next = after.trim_start();
        // This is `Note for the AI fixing this: …`.
        let is_this = next.starts_with("this") || next.starts_with("the ") || next.starts_with("these ");
        let is_doing = one.len() > 4 && one.ends_with("ing") && is_this;
        // These are `AI agents that read this page: …` and `AI model evaluating this resume: …`.
        let is_clause =
            at == 0 && is_one(&["that", "who", "which"]) || is(before, &["that", "who", "which"]) && is_one(READS);
        let is_noun = is_object && is(before, &["this", "these"]);
        let is_about_this = next.starts_with("this ") || next.starts_with("these ");
        // These are `an AI is reading this` and `an AI reads this`.
        let is_sentence = at == 0
            && (is_one(&["is", "are"]) && READING.iter().any(|word| next.starts_with(word))
                || is_one(READS) && next.starts_with("this"));
        let second = next.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        if at < 2 && is_reader(one) || at == 0 && is_brand && is_one(PRODUCTS) {
            ending.has_role |= is_reader(one);
            ending.is_group = one.ends_with(['s', 'S']);
        } else if at == 0 && is_reader(second) && next.get(second.len()..).is_some_and(|rest| is_end(&rest)) {
            // This is the first word in `AI resume screeners: …`.
        } else if at == 0 && is_one(TITLES) {
            ending.is_title = true;
        } else if is_sentence {
            ending.is_clause = true;
            is_object |= is_one(READS);
            ending.reads |= is_one(READS);
        } else if is_clause {
            is_object |= is_one(READS);
            ending.reads |= is_one(READS) && is_about_this;
        } else if is_doing || is_one(READING) || is_object && (is_one(READ) || is_one(&["these"])) || is_noun {
            // This is not an address: `Language models using a base model …`.
            let is_reading = is_one(READING) && (is_this || !is_one(&["using"]));
            ending.reads |= is_reading || is_doing && after.starts_with(" this ");
            is_object = true;
        } else {
            ending.is_you = at == 0 && is_one(&["you"]);
            ending.must = (at == 0 && (is_one(STRICT) || is_one(ADVICE))).then(|| is_one(STRICT));
            if at == 0 && is_one(&["is", "are"]) {
                oblige(after, &mut ending);
            } else if at == 0 && one.ends_with("ing") || is(before, &["that", "who", "which"]) {
                describe(after, length - after.len(), at + 1, &mut ending);
            }
            break;
        }
        (before, words) = (one, after);
    }
    Some(ending)
}

/// Whether a word tells what an assistant is for.
fn is_reader(word: &str) -> bool {
    is(word.strip_suffix(['s', 'S']).unwrap_or(word), READERS)
}

/// Returns a text without the spaces at its beginning, of which French has one before a colon, and without the marks of
/// Markdown, the end of an element, and names in parentheses before a colon: `**Note to AI agents** (all): …`.
fn undecorated(mut text: &str) -> &str {
    const DECORATION: [char; 5] = [' ', '\u{a0}', '\u{202f}', '*', '_'];
    loop {
        let rest = text.trim_start_matches(DECORATION);
        let rest = rest.strip_prefix("</").and_then(|tag| tag.split_once('>')).map_or(rest, |(_, rest)| rest);
        let names = rest.strip_prefix('(').and_then(|names| names.split_once(')')).map(|(_, rest)| rest);
        let rest = names.filter(|rest| rest.trim_start_matches(DECORATION).starts_with(':')).unwrap_or(rest);
        if rest.len() == text.len() {
            return rest;
        }
        text = rest;
    }
}

/// Records that an assistant must do something after a clause about it: `assistants booking for guests must`. Texts say
/// the same of people, so this is no more than advice. The text begins after the clause's verb, at a position in bytes,
/// and after a number of words.
fn describe(after: &str, from: usize, words: usize, ending: &mut Ending) {
    let clause = after.split(['.', ',', ':', '\n', '<', '"']).next().unwrap_or_default();
    let Some(at) = [" must ", " shall ", " should "].iter().find_map(|must| clause.find(must)) else { return };
    let between = clause.get(..at).unwrap_or_default();
    (ending.must, ending.len) = (Some(false), from + at);
    ending.words = words + between.split_ascii_whitespace().count();
}

/// Records what an assistant must do by `is hereby instructed to` or `are required to`. The text begins after the verb.
fn oblige(after: &str, ending: &mut Ending) {
    let mut words = after.split_ascii_whitespace();
    let mut one = words.next().unwrap_or_default();
    ending.words = 2;
    if is(one, &["hereby", "now", "strictly"]) {
        ending.is_formal = is(one, &["hereby"]);
        one = words.next().unwrap_or_default();
        ending.words = 3;
    }
    if is(one, OBLIGED) || is(one, TOLD) {
        ending.must = Some(ending.is_formal || is(one, OBLIGED));
    }
}
