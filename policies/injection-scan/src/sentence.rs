//! Tells orders from sentences that only describe them.

mod records;
mod subject;

use crate::address::{has_command, is_errand, takes};
use crate::lexicon::class::OBJECT;
use crate::phrases::{Hit, Phrase};
use crate::words::Word;
use records::{is_of_password, is_of_record};
use subject::{is_about_others, is_of_error, is_of_named};

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

/// Words for what somebody has to do, and before them: `Your new task is to ignore …`.
const TASKS: &[&str] = &["task", "job", "goal", "mission", "objective", "purpose", "role", "instructions"];
const NEW: &[&str] = &["new", "next", "only", "real", "actual", "true", "sole", "main", "first", "primary", "current"];

/// Words for assistants and for the reader.
pub(crate) const ASSISTANTS: &[&str] = &[
    "you",
    "your",
    "assistant",
    "assistants",
    "ai",
    "llm",
    "llms",
    "model",
    "models",
    "agent",
    "agents",
    "chatbot",
    "claude",
    "chatgpt",
    "copilot",
    "gemini",
    "codex",
    "cursor",
];
/// Words of contracts, in which an agent is a person.
const LEGAL: &[&str] =
    &["shall", "party", "parties", "agreement", "trustee", "custodian", "escrow", "depositor", "hereunder"];
/// Words before the verb in a question about assistants: `Why do large language models often ignore system prompts?`
const SUBJECTS: &[&str] = &["llms", "models", "agents", "assistants", "chatbots"];
const AROUND: &[&str] = &[
    "ai",
    "large",
    "language",
    "llm",
    "the",
    "these",
    "some",
    "most",
    "often",
    "sometimes",
    "still",
    "frequently",
    "may",
    "might",
    "can",
];
const ASKING: &[&str] = &["why", "how", "when", "do", "does", "did"];

/// Words that make a phrase the demand that it looks like, even across the items of a list.
const BEFORE: &[&str] = &["previous", "prior", "above", "earlier", "preceding", "all", "your", "following"];
/// Parts of computers and compilers that come before a verb, and what they do to instructions before they run them.
const MACHINES: &[&str] =
    &["processor", "cpu", "pipeline", "core", "hardware", "decoder", "validator", "compiler", "assembler", "emulator"];
const FETCHED: &[&str] = &["fetched", "prefetched", "decoded", "speculated", "retired"];

/// The part of a text before a phrase in which its sentence begins, in bytes.
const MAX_SENTENCE: usize = 240;
/// The longest part of a line that is read, and the longest time in a log, in bytes.
const MAX_LINE: usize = 2000;
const MAX_TIME: usize = 40;

/// Whether a phrase only describes what it says, unless readers do not see it.
pub(crate) fn only_describes(text: &str, hit: &Hit) -> bool {
    match hit.phrase {
        Phrase::Disregard => {
            !begins_sentence(text, hit.start) && !is_task(text, hit.start)
                || is_general(text, hit.start, hit.end)
                || is_place(text, hit)
                || is_gerund(text, hit)
        }
        Phrase::Address => is_to_people(text, hit) || is_of_named(text, hit),
        Phrase::Override => {
            is_description(text, hit.start)
                || is_question(text, hit.start)
                || is_permission(text, hit)
                || is_of_members(text, hit)
                || is_of_label(text, hit)
                || is_of_machine(text, hit)
                || is_about_others(text, hit)
                || is_of_record(text, hit)
        }
        Phrase::Secrecy => {
            is_of_program(text, hit.start)
                || is_condition(text, hit.end)
                || is_about_docs(text, hit)
                || is_of_error(text, hit)
                || is_of_password(text, hit)
        }
        _ => false,
    }
}

/// Returns the part of a sentence before a position.
pub(crate) fn sentence_before(text: &str, at: usize) -> &str {
    let from = text.floor_char_boundary(at.saturating_sub(MAX_SENTENCE));
    let before = text.get(from..at).unwrap_or_default();
    [". ", "\n\n", "? ", "! "].iter().fold(before, |before, end| before.rsplit(*end).next().unwrap_or_default())
}

/// Returns the line before a position, or `None` if it is too long.
fn line_before(text: &str, at: usize) -> Option<&str> {
    let from = text.floor_char_boundary(at.saturating_sub(MAX_LINE));
    let before = text.get(from..at)?;
    match before.rsplit_once('\n') {
        Some((_, line)) => Some(line),
        None => Some(before).filter(|_| from == 0),
    }
}

/// Returns the text after a position, up to the length of a sentence.
fn after(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    rest.get(..rest.floor_char_boundary(MAX_SENTENCE)).unwrap_or_default()
}

/// Whether a text has one of these words.
pub(crate) fn has_word(text: &str, known: &[&str]) -> bool {
    let mut words = text.split(|c: char| !c.is_ascii_alphabetic());
    words.any(|word| known.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// Whether the verb at this position is that of a question about assistants: `Why LLMs ignore system prompts`.
fn is_question(text: &str, at: usize) -> bool {
    let (mut before, mut has_subject) = (sentence_before(text, at).trim_end(), false);
    while let Some(rest) = SUBJECTS.iter().chain(AROUND).find_map(|word| without(before, word)) {
        has_subject |= SUBJECTS.iter().any(|word| without(before, word).is_some());
        before = rest.trim_end();
    }
    has_subject && ASKING.iter().any(|word| without(before, word).is_some())
}

/// Whether a contract allows somebody to ignore something: `The Escrow Agent may disregard any instruction that …`.
fn is_permission(text: &str, hit: &Hit) -> bool {
    let before = sentence_before(text, hit.start);
    let phrase = hit.spelled(text);
    let is_allowed = ["may", "might", "can"].iter().any(|word| without(before.trim_end(), word).is_some());
    // In a contract, an agent is a person, and has a capital letter.
    let is_for_assistant = before.contains(" agent") || has_word(&before.replace("Agent", ""), ASSISTANTS);
    is_allowed && phrase.split(' ').nth(1) == Some("any") && has_word(before, LEGAL) && !is_for_assistant
}

/// Whether the words of a phrase are in several members of JSON or lines of settings, as in the texts of an interface:
/// `"reset":"Forget this chat","instructions":"…"`.
fn is_of_members(text: &str, hit: &Hit) -> bool {
    let phrase = hit.spelled(text);
    let rest = text.get(hit.end..).unwrap_or_default();
    let is_json = phrase.contains("\":\"") || phrase.contains('"') && rest.starts_with("\":");
    let is_key = phrase.rsplit_once('\n').is_some_and(|(_, last)| !last.contains(' ')) && rest.starts_with('=');
    (is_json || is_key) && !has_word(phrase, &["previous", "prior", "above", "earlier", "preceding", "all", "system"])
}

/// Whether a sentence tells what a program does not tell the user: `--quiet does not tell the user that …`.
fn is_of_program(text: &str, at: usize) -> bool {
    let before = sentence_before(text, at);
    let is_third = ["does", "did"].iter().any(|word| without(before.trim_end(), word).is_some());
    is_third && !has_word(before, ASSISTANTS)
}

/// Whether a rule for interfaces only tells how to say something: `Do not tell the user that something went wrong without
/// telling them what to do`.
fn is_condition(text: &str, end: usize) -> bool {
    let sentence = after(text, end).split(['.', '\n', '!']).next().unwrap_or_default();
    let Some(clause) = [" that something ", " that an error "].iter().find_map(|head| sentence.strip_prefix(*head))
    else {
        return false;
    };
    let how = ["telling", "explaining", "saying", "offering", "suggesting"];
    let has_how = clause.split_once(" without ").is_some_and(|(_, rest)| how.iter().any(|word| rest.starts_with(word)));
    has_how && !sentence.contains(['`', '/', '$']) && !has_command(after(text, end))
}

/// Whether a phrase names a place, as in a comment on paths: `ignore everything above the root`, `ignore everything above
/// in CI`.
fn is_place(text: &str, hit: &Hit) -> bool {
    let phrase = hit.spelled(text);
    if !phrase.ends_with(" everything above") {
        return false;
    }
    let rest = text.get(hit.end..).unwrap_or_default();
    let rest = rest.get(..rest.floor_char_boundary(MAX_LINE)).unwrap_or_default();
    let noun = |lead: &str| {
        let rest = rest.strip_prefix(lead).unwrap_or_default();
        rest.split_at_checked(rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len())).unwrap_or_default()
    };
    let is_path = ["root", "directory", "folder", "threshold"].contains(&noun(" the ").0);
    let (system, after) = noun(" in ");
    let is_system = ["CI", "production", "tests", "Docker"].contains(&system) && after.starts_with(['\n', '\r']);
    let line = rest.split('\n').next().unwrap_or_default();
    let is_order = has_command(rest) || line.contains("://");
    (is_path || is_system) && !is_order
}

/// Whether the last words of a phrase are a label in another item of a list than the first: `- Agents ignore files …`,
/// `- System prompt: …`.
fn is_of_label(text: &str, hit: &Hit) -> bool {
    let phrase = hit.spelled(text);
    let rest = text.get(hit.end..).unwrap_or_default();
    let Some((before, label)) = phrase.rsplit_once("\n- ").or_else(|| phrase.rsplit_once("\n* ")) else { return false };
    let is_item = before.split_ascii_whitespace().count() > 2 && !before.ends_with([':', ',']);
    let line = sentence_before(text, hit.start).rsplit('\n').next().unwrap_or_default();
    let is_told = begins_sentence(text, hit.start) || has_word(line, &["you", "must", "should", "please"]);
    is_item && !is_told && rest.starts_with(':') && label.starts_with("System ") && !has_word(before, BEFORE)
}

/// Whether a machine sets aside what it was about to do: `the processor discards all previously fetched instructions`,
/// `a validator may ignore the types of previous instructions`.
fn is_of_machine(text: &str, hit: &Hit) -> bool {
    let phrase = hit.spelled(text);
    let is_done = has_word(phrase, FETCHED) || phrase.contains(" of previous") || phrase.contains(" of earlier");
    if !is_done {
        return false;
    }
    let before = sentence_before(text, hit.start).trim_end();
    let before = ["may", "can", "must", "will", "to"].iter().find_map(|word| without(before, word)).unwrap_or(before);
    let is_machine = MACHINES.iter().any(|word| without(before.trim_end(), word).is_some());
    let rest = after(text, hit.end).split(['.', '\n']).next().unwrap_or_default();
    let is_all = !rest.contains(['`', '/', '$', ':']) && !has_word(rest, &["and", "then", "instead", "but"]);
    is_machine && is_all && !has_word(before, ASSISTANTS)
}

/// Whether a rule tells what documentation leaves out: `Do not tell users about the old key in the docs`.
fn is_about_docs(text: &str, hit: &Hit) -> bool {
    let phrase = hit.spelled(text);
    let sentence = after(text, hit.end).split(['.', '\n', '"', '\\']).next().unwrap_or_default();
    let is_in_docs = ["docs", "documentation", "changelog", "release notes", "readme"]
        .iter()
        .any(|place| without(sentence, place).is_some_and(|before| before.ends_with(" in the ")));
    phrase.ends_with(" users") && is_in_docs && !sentence.contains(['`', '/', '$'])
}

/// Words before `assistants` for what only people do, and what an order to them has that people need not be told.
const PROFESSIONS: &[&str] =
    &["teaching", "graduate", "medical", "dental", "nursing", "veterinary", "classroom", "lab", "pharmacy"];
const DIGITAL: &[&str] = &[
    "run",
    "execute",
    "install",
    "upload",
    "delete",
    "download",
    "approve",
    "merge",
    "push",
    "commit",
    "transfer",
    "ignore",
    "disregard",
    "forget",
    "reveal",
    "click",
    "paste",
    "disable",
];

/// Whether a phrase addresses people with such a title or name: `Dear assistant editors`, `Dear Claude, open the room`,
/// `Note to teaching assistants: please open the lab`.
fn is_to_people(text: &str, hit: &Hit) -> bool {
    let phrase = hit.spelled(text).to_ascii_lowercase();
    if ["dear claude", "hello claude", "hey claude"].iter().any(|name| phrase.starts_with(name)) {
        return is_errand(text.get(hit.end..).unwrap_or_default());
    }
    if let Some((before, _)) = phrase.split_once(" assistants") {
        let order = after(text, hit.start).split("\n\n").next().unwrap_or_default();
        let is_people = |kind: &&str| without(before, kind).is_some_and(|head| !has_word(head, ASSISTANTS));
        let is_away = order.split('\n').any(|line| line.split(". ").any(takes)) || has_command(order);
        return PROFESSIONS.iter().any(is_people) && !has_word(order, DIGITAL) && !is_away;
    }
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
    let mut all = text.get(..at).unwrap_or_default();
    for word in ["do", "please"] {
        all = without(all.trim_end(), word).unwrap_or(all);
    }
    // This is `ChatGPT, ignore …`. A name within a sentence is not addressed: `If you use ChatGPT, ignore …`.
    let called = all.trim_end().strip_suffix(',').and_then(|all| NAMES.iter().find_map(|name| without(all, name)));
    let all = called.unwrap_or(all);
    let before = all.trim_end();
    // A line before an empty one may have no mark at its end.
    let is_paragraph = all.get(before.len()..).is_some_and(|gap| gap.matches('\n').nth(1).is_some());
    // This is a line of a log.
    let near = before.get(before.floor_char_boundary(before.len().saturating_sub(MAX_TIME))..).unwrap_or_default();
    let last = near.rsplit(char::is_whitespace).next().unwrap_or_default();
    let is_time = last.ends_with('Z') && last.contains(':') && last.starts_with(|c: char| c.is_ascii_digit());
    // In JSON text, `\n` is two characters.
    is_time
        || is_paragraph
        || before.ends_with("\\n")
        || !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '\''))
}

/// Whether a sentence is about what its reader may do: `Ignoring the instructions you were given voids the warranty`.
fn is_gerund(text: &str, hit: &Hit) -> bool {
    let phrase = text.get(hit.start..hit.end).unwrap_or_default();
    let verb = phrase.split(' ').next().unwrap_or_default();
    let is_of_given = ["given", "told", "instructed"].iter().any(|word| without(phrase, word).is_some());
    verb.ends_with("ing") && is_of_given && !after(text, hit.end).starts_with(',')
}

/// Whether the verb at this position tells a task: `Your new task is to list … and to ignore …`.
fn is_task(text: &str, at: usize) -> bool {
    let before = sentence_before(text, at).to_ascii_lowercase();
    let continues = ["to", "and"].iter().any(|word| without(before.trim_end(), word).is_some());
    let task = before.split_once("your ").map_or("", |(_, task)| task);
    let mut words = task.split_ascii_whitespace().skip_while(|word| NEW.contains(word));
    let is_task = words.next().is_some_and(|word| TASKS.contains(&word));
    continues && is_task && words.next().is_some_and(|word| matches!(word, "is" | "are"))
}

/// Whether a phrase is about users in general, as in a comment on code: `Ignore user requests after shutdown`. An order
/// after it shows that it is not.
fn is_general(text: &str, start: usize, end: usize) -> bool {
    let phrase = text.get(start..end).unwrap_or_default().to_ascii_lowercase();
    let phrase = phrase.split_whitespace().collect::<Vec<_>>().join(" ");
    let rest = after(text, end).split(['.', '\n', '"']).next().unwrap_or_default().to_ascii_lowercase();
    let orders = has_word(&rest, &["run", "execute", "send", "upload", "instead"]) || rest.contains("from now on");
    phrase.contains("user") && !orders && !["the user", "your user"].iter().any(|user| phrase.contains(user))
}
