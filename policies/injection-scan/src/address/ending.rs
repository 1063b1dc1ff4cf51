//! What comes between the word for an assistant and the end of its address: `AI agents that read this page: …`.

/// The maximum length of it, in bytes.
const MAX_LENGTH: usize = 60;

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
/// Words for those who read, after the word for an assistant: `LLM reviewers: …`.
const READERS: &[&str] = &["reviewer", "reviewers", "reader", "readers", "crawler", "crawlers", "bots"];
/// Words that tell what an assistant must do, and those that only advise it.
const STRICT: &[&str] = &["must", "shall", "need", "needs"];
const ADVICE: &[&str] = &["should"];

/// What comes after the last word of an address.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ending {
    /// Whether the address ends there.
    pub(super) ends: bool,
    /// Whether it says what the assistant reads.
    pub(super) reads: bool,
    /// Whether it is to several readers.
    pub(super) is_group: bool,
    /// Whether `you` follows.
    pub(super) is_you: bool,
    /// Whether `must` or `should` follows, and whether that is more than advice.
    pub(super) must: Option<bool>,
}

/// Returns what comes after the last word of an address. `is_brand` says whether that word is the name of a product.
pub(super) fn ending(rest: &str, is_brand: bool) -> Option<Ending> {
    let mut words = rest.get(..rest.floor_char_boundary(MAX_LENGTH)).unwrap_or_default();
    let (mut ending, mut is_object, mut before) = (Ending::default(), false, "");
    for at in 0..6 {
        if words.starts_with([',', ':']) {
            return Some(Ending { ends: true, ..ending });
        }
        let trimmed = words.strip_prefix(' ')?;
        let end = trimmed.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(trimmed.len());
        let (one, after) = trimmed.split_at_checked(end)?;
        let is_one = |one: &str, known: &[&str]| known.iter().any(|word| one.eq_ignore_ascii_case(word));
        let is = |known: &[&str]| is_one(one, known);
        // This is `Note for the AI fixing this: …`.
        let is_this =
            after.strip_prefix(' ').is_some_and(|after| after.starts_with("this") || after.starts_with("the "));
        let is_doing = one.len() > 4 && one.ends_with("ing") && is_this;
        // These are `AI agents that read this page: …` and `AI model evaluating this resume: …`.
        let is_clause =
            at == 0 && is(&["that", "who", "which"]) || is_one(before, &["that", "who", "which"]) && is(READS);
        let is_noun = is_object && is_one(before, &["this", "these"]);
        if at == 0 && is(READERS) || at == 0 && is_brand && is(PRODUCTS) {
            ending.is_group = one.ends_with('s');
        } else if is_clause {
            is_object |= is(READS);
        } else if is_doing || is(READING) || is_object && (is(READ) || is(&["these"])) || is_noun {
            ending.reads |= is(READING) || is_doing && after.starts_with(" this ");
            is_object = true;
        } else {
            ending.is_you = at == 0 && is(&["you"]);
            ending.must = (at == 0 && (is(STRICT) || is(ADVICE))).then(|| is(STRICT));
            break;
        }
        (before, words) = (one, after);
    }
    Some(ending)
}
