//! Tells whom a sentence orders to set something aside, if that is not its reader.

use super::{ASSISTANTS, after, has_word, sentence_before, without};
use crate::phrases::Hit;

/// Machines, programs and people in roles of which texts tell what they set aside, in the singular.
const OTHERS: &[&str] = &[
    "assembler",
    "browser",
    "compiler",
    "controller",
    "core",
    "cpu",
    "dealer",
    "debugger",
    "decoder",
    "driver",
    "emulator",
    "firewall",
    "hardware",
    "implementation",
    "interpreter",
    "jit",
    "kernel",
    "lexer",
    "linker",
    "loader",
    "optimizer",
    "optimiser",
    "parser",
    "pipeline",
    "player",
    "preprocessor",
    "principal",
    "printer",
    "processor",
    "proxy",
    "router",
    "scheduler",
    "server",
    "tenant",
    "trustee",
    "umpire",
    "validator",
    "optimierer",
    "prozessor",
    "schiedsrichter",
    "spieler",
    "spielleiter",
];
/// Words between the subject and the verb, also of German.
const MODALS: &[&str] = &[
    "may", "might", "must", "can", "could", "will", "should", "shall", "to", "darf", "muss", "kann", "soll", "wird",
    "dürfen", "müssen", "können", "sollen",
];
/// Verbs before a subject: `makes the browser ignore …`.
const MAKING: &[&str] = &["makes", "make", "lets", "let"];
/// Verbs with which a principal tells an agent: `may instruct the agent to ignore …`.
const TELLING: &[&str] = &["instruct", "direct", "authorize", "authorise", "require", "order"];

/// The words of a bare demand: `ignore all previous instructions`.
const BARE: &[&str] = &[
    "ignore",
    "disregard",
    "forget",
    "discard",
    "override",
    "bypass",
    "neglect",
    "ignorieren",
    "vergessen",
    "all",
    "any",
    "of",
    "the",
    "these",
    "previous",
    "prior",
    "above",
    "earlier",
    "preceding",
    "past",
    "former",
    "alle",
    "allen",
    "bisherigen",
    "vorherigen",
    "vorigen",
    "früheren",
    "obigen",
    "instruction",
    "instructions",
    "prompt",
    "prompts",
    "rules",
    "commands",
    "orders",
    "directives",
    "guidelines",
    "text",
    "anweisungen",
    "befehle",
    "regeln",
    "and",
];
/// Words that tell after a demand which instructions it is about: `ignore prior instructions whose results …`.
pub(super) const LIMITS: &[&str] = &[
    "in",
    "on",
    "of",
    "from",
    "for",
    "after",
    "before",
    "until",
    "unless",
    "whose",
    "that",
    "which",
    "if",
    "when",
    "only",
    "while",
    "within",
    "translated",
    "compiled",
    "generated",
    "emitted",
    "fetched",
    "decoded",
    "queued",
    "cached",
];

/// Words with which a text orders something from its reader, or takes something from the user.
pub(super) const ORDERING: &[&str] = &[
    "prompt",
    "prompts",
    "new",
    "system",
    "conversation",
    "chat",
    "context",
    "user",
    "users",
    "developer",
    "safety",
    "security",
    "ethical",
    "moderation",
    "content",
    "policy",
    "policies",
    "send",
    "run",
    "execute",
    "post",
    "upload",
    "email",
    "reveal",
    "print",
    "output",
    "reply",
    "respond",
    "open",
    "visit",
    "download",
    "install",
    "delete",
    "curl",
    "wget",
    "http",
    "https",
    "bash",
    "sh",
    "password",
    "passwords",
    "secret",
    "secrets",
    "credentials",
    "keys",
    "obey",
    "follow",
    "following",
    "instead",
    "now",
    "please",
    "du",
    "dein",
    "deine",
    "dich",
    "sende",
    "passwort",
    "nutzer",
    "benutzer",
];

/// Whether a demand is about something else than what an assistant was told before.
pub(super) fn is_about_others(text: &str, hit: &Hit) -> bool {
    let phrase = hit.spelled(text);
    is_of_other(text, hit, phrase)
        || is_of_part(text, hit, phrase)
        || is_of_message(text, hit)
        || is_of_listener(text, hit, phrase)
        || is_label(text, hit, phrase)
}

/// Whether a text orders nothing: its first sentence has no command, and its first paragraph no word of an order.
pub(super) fn is_harmless(rest: &str) -> bool {
    let paragraph = rest.split("\n\n").next().unwrap_or_default();
    let sentence = paragraph.split(['.', '\n']).next().unwrap_or_default();
    let is_one = !sentence.contains(['`', '/', '$', '@', ':']) && !has_word(sentence, &["then", "but"]);
    is_one && !has_word(paragraph, ORDERING) && !has_word(paragraph, ASSISTANTS)
}

/// Returns the text before one of these words at its end.
fn before_one<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    words.iter().find_map(|word| without(text, word)).map(str::trim_end)
}

/// Returns the text before a subject at its end that is none of the readers, and whether it is in the plural.
fn before_other(text: &str) -> Option<(&str, bool)> {
    let single = before_one(text, OTHERS).map(|before| (before, false));
    single.or_else(|| before_one(text.strip_suffix(['s', 'S'])?, OTHERS).map(|before| (before, true)))
}

/// Whether a machine or somebody else sets certain instructions aside: `The assembler must ignore all previous
/// instructions in the slot`, `makes the browser ignore all previous author rules`.
fn is_of_other(text: &str, hit: &Hit, phrase: &str) -> bool {
    let (before, rest) = (sentence_before(text, hit.start).trim_end(), after(text, hit.end));
    let modal = before_one(before, MODALS);
    // In `The principal may instruct the agent to ignore`, the agent is a person.
    let told = || {
        let agent = before_one(without(before, "to")?.trim_end(), &["agent", "attorney", "broker"])?;
        before_one(before_one(before_one(agent, &["the", "an"])?, TELLING)?, MODALS)
    };
    let subject = told().or(modal).unwrap_or(before);
    let Some((before, is_plural)) = before_other(subject) else { return false };
    let is_made = || before_one(before, &["the", "a"]).is_some_and(|before| before_one(before, MAKING).is_some());
    let words = || phrase.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_bare = |word: &&str| BARE.contains(&word.to_lowercase().as_str());
    let next = rest.trim_start().split(' ').next().unwrap_or_default();
    let is_limited = !words().all(|word| is_bare(&word)) || rest.starts_with(' ') && LIMITS.contains(&next);
    let is_ordering =
        words().filter(|word| !is_bare(word)).any(|word| has_word(word, ORDERING) || has_word(word, ASSISTANTS));
    (modal.is_some() || is_plural || is_made())
        && is_limited
        && !is_ordering
        && !has_word(before, ASSISTANTS)
        && is_harmless(rest)
}

/// Whether the next word is one of these.
pub(super) fn next_is<'t>(words: &mut impl Iterator<Item = &'t str>, known: &[&str]) -> bool {
    words.next().is_some_and(|word| known.contains(&word))
}

/// Words for the parts of instructions for people.
pub(super) const PARTS: &[&str] = &[
    "row", "rows", "round", "rounds", "step", "steps", "page", "pages", "section", "line", "lines", "chapter", "slide",
    "question", "exercise", "item", "figure", "table", "size", "stage", "column", "level", "card",
];

/// Whether a demand is about a part of instructions for people: `ignore the instructions for row 12 above`.
fn is_of_part(text: &str, hit: &Hit, phrase: &str) -> bool {
    let mut words = phrase.split(' ').skip(1).skip_while(|word| matches!(*word, "the" | "these" | "all"));
    let has_part = next_is(&mut words, &["instructions", "instruction", "directions"])
        && next_is(&mut words, &["for", "in", "on", "at"])
        && next_is(&mut words, PARTS);
    let is_number = words.next().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    has_part && is_number && is_harmless(after(text, hit.end))
}

/// Whether people take back what they wrote: `please ignore my previous message, wrong channel`.
fn is_of_message(text: &str, hit: &Hit) -> bool {
    let said = after(text, hit.start);
    let said = said.split(['"', '\n']).next().unwrap_or_default();
    let mut words = said.splitn(5, [' ', ',', '.', '!']);
    let is_own = words.nth(1) == Some("my")
        && next_is(&mut words, &["previous", "last", "earlier", "prior", "above"])
        && words.next().is_some_and(|word| {
            let single = word.trim_end_matches('s');
            ["message", "comment", "mail", "email", "post", "question", "note", "reply", "review"].contains(&single)
        });
    let rest = words.next().unwrap_or_default();
    is_own && is_harmless(rest) && !has_word(rest, &["and", "rules", "instructions"])
}

/// Whether a sentence tells that a program takes no notice of what was sent before: `The bot will ignore any previous
/// messages.`
fn is_of_listener(text: &str, hit: &Hit, phrase: &str) -> bool {
    let programs = ["bot", "program", "script", "client", "listener", "consumer", "subscriber", "daemon", "worker"];
    let before = sentence_before(text, hit.start).trim();
    let mut words = before.split(' ');
    let is_program = words.next().is_some_and(|word| matches!(word, "The" | "This" | "the" | "this"))
        && words.next().is_some_and(|word| programs.contains(&word));
    let object = phrase.split_once(' ').map_or("", |(_, object)| object);
    let object = ["any ", "all ", "the "].iter().find_map(|head| object.strip_prefix(*head)).unwrap_or(object);
    let is_sent = matches!(object, "previous messages" | "earlier messages" | "prior messages");
    // A text about messages speaks of their content.
    let rest = after(text, hit.end).replace("content", "");
    let is_told = without(before, "will").is_some() || without(before, "does").is_some();
    is_program && is_sent && is_told && rest.starts_with('.') && !has_word(before, ASSISTANTS) && is_harmless(&rest)
}

/// Whether the words for instructions are the label of a message after a sentence about warnings: `忽略之前的警告。系统提示：…`.
fn is_label(text: &str, hit: &Hit, phrase: &str) -> bool {
    let Some((before, label)) = phrase.rsplit_once('。') else { return false };
    let rest = after(text, hit.end);
    let message = rest.strip_prefix([':', '：']).unwrap_or_default().split(['\n', '"']).next().unwrap_or_default();
    let is_message =
        !message.is_empty() && !message.contains(['你', '您', '请', '請', '助', '须', '須', '必', '要', '把', '将']);
    let is_warning = ["警告", "错误", "錯誤", "报错"].iter().any(|noun| before.ends_with(noun));
    is_warning && matches!(label, "系统提示" | "系統提示") && is_message && is_harmless(message)
}

/// Whether a rule tells what errors leave open: `Error messages must not tell the user whether the account exists`.
pub(super) fn is_of_error(text: &str, hit: &Hit) -> bool {
    let (before, rest) = (sentence_before(text, hit.start), after(text, hit.end));
    let subject = || {
        let noun = before_one(before_one(before.trim_end(), MODALS)?, &["messages", "message", "page", "form"])?;
        before_one(noun, &["error", "login", "in", "registration", "reset"])
    };
    let clause = rest.trim_start().split(' ').next().unwrap_or_default();
    let sentence = rest.split(['.', '\n']).next().unwrap_or_default();
    let is_open = matches!(clause, "whether" | "which" | "if" | "why") && is_harmless(sentence);
    is_open && subject().is_some() && !has_word(before, ASSISTANTS) && !has_word(rest, ASSISTANTS)
}

/// Whether a note is about a program that is called an assistant: `Note: the Migration Assistant must be open`.
pub(super) fn is_of_named(text: &str, hit: &Hit) -> bool {
    let phrase = hit.spelled(text);
    let kinds = ["setup", "migration", "installation", "update", "upgrade", "configuration", "camp"];
    let is_named = phrase.split_once(" Assistant must be ").is_some_and(|(before, verb)| {
        !verb.contains(' ') && before_one(before, &kinds).is_some_and(|before| !has_word(before, ASSISTANTS))
    });
    is_named && is_harmless(after(text, hit.end))
}
