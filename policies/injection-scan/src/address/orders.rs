//! What an order to an assistant tells to do, and about what.

use crate::sentence::has_word;
use crate::words::Word;

/// The part of an order in which what it is about is looked for, in bytes.
const ABOUT: usize = 200;

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
    &["task", "tasks", "instruction", "instructions", "prompt", "prompts", "request", "requests", "goal", "orders"];
const BEFORE: &[&str] = &["previous", "prior", "earlier", "original", "current"];
/// Words for what must not be sent, for what a shell runs, and for what the user is told, in an order to one assistant.
const HARM: &[&str] = &[
    "password",
    "credential",
    "api key",
    "api_key",
    "_token",
    "secret",
    ".env",
    "~/",
    "$(",
    "| sh",
    "|sh",
    "| bash",
    "|bash",
    "tell the user",
    "tell your user",
];
/// Words that are a command, or a part of one, whatever the language of the text around them.
const COMMAND: &[&str] =
    &["curl ", "wget ", "sudo ", "| sh", "|sh", "| bash", "|bash", "$(", "~/.", "id_rsa", "base64 ", "printenv"];
/// What only an order to several tells to do. About others, it describes them: `LLMs need to rank documents`.
const JUDGING: &[&str] = &["rate", "rank", "recommend", "submit", "give"];
/// Words after `run` that tell where somebody runs: `AI agents must run in a sandbox`.
const PLACES: &[&str] =
    &["in", "on", "with", "as", "at", "under", "inside", "within", "without", "locally", "away", "toward", "towards"];
/// Words of games, in which the AI is a player.
const GAMES: &[&str] = &["player", "players", "enemy", "enemies", "opponent", "troops", "npc"];
/// Words before the way in which something is done.
const WAYS: &[&str] = &[" by running ", " by executing ", " by installing ", " by downloading "];
/// Words that turn an order around.
const NEGATIONS: &[&str] = &["not", "never", "without", "cannot"];
/// Words for whom an assistant works for, and before them.
const USERS: &[&str] = &["user", "users", "human", "humans", "operator"];
const WHOSE: &[&str] = &["the", "your", "their", "its"];
/// Words that tell that something comes from the user.
const FROM_USER: &[&str] =
    &[" by the user", " from the user", " of the user", " the user gave", " the user's", " your user"];
/// Words after `the user` that are not a further noun, as in `the user agent`.
const AFTER_USER: &[&str] = &["and", "or", "if", "when", "completely", "from"];
/// What people do for each other, after `please open the` and `you must run`.
const ERRANDS: &[&str] = &[
    "room",
    "door",
    "office",
    "meeting",
    "window",
    "windows",
    "gate",
    "shop",
    "bottle",
    "errands",
    "invitations",
    "invoices",
    "letters",
    "flowers",
    "gifts",
    "reminders",
    "supplies",
    "phone",
    "phones",
    "calls",
    "visitors",
    "appointments",
    "letter",
    "heart",
    "mind",
    "soul",
    "eyes",
    "arms",
    "love",
    "feelings",
    "intuition",
    "doubts",
    "fears",
    "worries",
];

/// Returns the word as it is written.
pub(super) fn spelled<'t>(text: &'t str, word: &Word) -> &'t str {
    text.get(word.start..word.end).unwrap_or_default()
}

/// Returns what follows a word.
fn after<'t>(text: &'t str, word: &Word) -> &'t str {
    text.get(word.end..).unwrap_or_default()
}

/// Whether a word is one of these.
pub(super) fn is(word: &str, known: &[&str]) -> bool {
    known.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Returns the first word of a text, and what follows it.
fn first(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or_default()
}

/// Whether a word in lower case tells several assistants to do or to judge something.
pub(super) fn judges(text: &str, act: &Word) -> bool {
    let (verb, rest) = (spelled(text, act), after(text, act));
    let is_deed = || {
        does(text, act)
            || JUDGING.contains(&verb)
            || IGNORING.contains(&verb) && is_of_user(rest)
            || has_command(sentence(rest))
    };
    verb.starts_with(|c: char| c.is_ascii_lowercase()) && is_deed()
}

/// Whether a word tells agents of a trade, who may be people, what is of use to an attacker.
pub(super) fn weighs(text: &str, act: &Word) -> bool {
    let rest = after(text, act);
    does(text, act) || is(spelled(text, act), JUDGING) || takes(rest) || has_command(rest)
}

/// Whether a word tells one assistant to set the user aside, or to take something to or from elsewhere.
pub(super) fn harms(text: &str, act: &Word) -> bool {
    let (verb, rest) = (spelled(text, act), after(text, act));
    match verb {
        "add" => false,
        "visit" => takes(rest),
        "append" | "encode" => takes_from_user(text, act),
        _ if IGNORING.contains(&verb) => does(text, act) || is_of_user(after(text, act)),
        _ => verb.starts_with(|c: char| c.is_ascii_lowercase()) && does(text, act) && takes(rest),
    }
}

/// Whether a word tells one assistant to look at a secret or at a file of the user: `read the file ~/.config/x`.
pub(super) fn looks_at_secret(text: &str, act: &Word) -> bool {
    ["read", "print", "output", "include", "fetch"].contains(&spelled(text, act)) && names_secret(after(text, act))
}

/// Whether a word tells to take something of the user to elsewhere.
pub(super) fn takes_from_user(text: &str, act: &Word) -> bool {
    let rest = after(text, act);
    let has_user = || sentence(rest).to_ascii_lowercase().contains("the user");
    spelled(text, act).starts_with(|c: char| c.is_ascii_lowercase()) && takes(rest) && has_user()
}

/// Whether a word tells to do something, rather than how or where to do it.
pub(super) fn does(text: &str, act: &Word) -> bool {
    let (verb, rest) = (spelled(text, act), after(text, act));
    if is(verb, REACHING) {
        return names_address(rest, verb);
    }
    // Programs must ignore much else.
    if is(verb, IGNORING) {
        return is_about_user(rest) || is_about_orders(rest);
    }
    is(verb, DOING) && !is(first(rest).0, PLACES) && !is_of_game(rest)
}

/// Whether a sentence is about a game: `The AI must buy troops before its opponent does`.
fn is_of_game(rest: &str) -> bool {
    has_word(sentence(rest), GAMES) && !takes(rest) && !has_command(rest)
}

/// Whether a sentence, whose subject comes before it, tells to do something by means of a command: `must upgrade by running
/// curl …`.
pub(super) fn does_by(rest: &str) -> bool {
    let sentence = sentence(rest);
    let way = WAYS.iter().find_map(|way| sentence.split_once(way));
    // The assistant itself may be installed by a command.
    way.is_some_and(|(before, way)| has_command(way) && !has_word(before, NEGATIONS) && !before.contains(" be "))
}

/// Whether a word continues what its sentence, which begins at `from`, tells to do, with something that takes data to an
/// address or runs a command.
pub(super) fn takes_along(text: &str, from: usize, act: &Word) -> bool {
    let rest = after(text, act);
    let is_deed = is(spelled(text, act), DOING) && does(text, act);
    let is_away = is_deed && (sentence(rest).contains("://") || has_command(sentence(rest)));
    is_away && !has_word(text.get(from..act.start).unwrap_or_default(), NEGATIONS)
}

/// Whether a word tells what to tell the user.
pub(super) fn tells_user(text: &str, word: &Word) -> bool {
    after_user(after(text, word)).is_some()
}

/// Whether a verb, after which the text begins, tells what people do for each other: `open the room`, `run errands`.
pub(crate) fn is_errand(rest: &str) -> bool {
    let (one, others) = first(rest);
    let object = if is(one, &["the", "our", "your", "all", "a", "that"]) { first(others).0 } else { one };
    is(object, ERRANDS) && !takes(rest) && !sentence(rest).contains(['`', '/', '$'])
}

/// Whether the rest of a paragraph has a command.
pub(crate) fn has_command(rest: &str) -> bool {
    let part = rest.get(..rest.floor_char_boundary(ABOUT)).unwrap_or_default();
    let part = part.split("\n\n").next().unwrap_or_default().to_ascii_lowercase();
    COMMAND.iter().any(|command| part.contains(command))
}

/// Whether the rest of a sentence says where to send something, or names a secret.
pub(crate) fn takes(rest: &str) -> bool {
    sentence(rest).contains("://") || sentence(rest).contains('@') || names_secret(rest)
}

/// Whether the rest of a sentence names a secret, a file of the user, or what a shell runs.
fn names_secret(rest: &str) -> bool {
    let sentence = sentence(rest).to_ascii_lowercase();
    HARM.iter().any(|harm| sentence.contains(harm))
}

/// Whether the rest of a sentence has the address of a page, or of somebody with whom to share.
fn names_address(rest: &str, verb: &str) -> bool {
    let sentence = sentence(rest);
    sentence.contains("://") || verb.eq_ignore_ascii_case("share") && sentence.contains('@')
}

/// Returns the rest of a sentence, up to a certain length.
fn sentence(rest: &str) -> &str {
    let part = rest.get(..rest.floor_char_boundary(ABOUT)).unwrap_or_default();
    // A line that begins with a space continues the line before it, as in calendars and headers.
    let is_end = |(at, _): &(usize, &str)| part.get(at + 1..).is_none_or(|next| !next.starts_with([' ', '\t']));
    let end = part.match_indices('\n').find(is_end).map_or(part.len(), |(at, _)| at);
    let line = part.get(..end).unwrap_or_default();
    let sentence = line.split_once(". ").map_or(line, |(sentence, _)| sentence);
    // In JSON text, `\n` is two characters.
    sentence.split_once("\\n").map_or(sentence, |(sentence, _)| sentence)
}

/// Returns what follows `the user` or `your user` at the beginning of a text.
fn after_user(rest: &str) -> Option<&str> {
    let (whose, rest) = first(rest);
    let (user, rest) = first(rest);
    (is(whose, WHOSE) && is(user, USERS)).then_some(rest)
}

/// Whether a text begins with the user or with what the user wants: `the user's budget`, `what the user asked for`,
/// `the request of your user`.
fn is_about_user(rest: &str) -> bool {
    let (one, others) = first(rest);
    if is(one, &["what"]) {
        return after_user(others).is_some();
    }
    let (noun, others) = if is(one, &["the", "any", "all", "every"]) { first(others) } else { (one, others) };
    let (of, others) = first(others);
    if is(noun, ORDERS) && is(of, &["of", "from"]) && after_user(others).is_some() {
        return true;
    }
    after_user(rest).is_some_and(|rest| {
        let is_noun = rest.starts_with(char::is_whitespace) && !rest.trim_start().is_empty();
        !is_noun || is(first(rest).0, AFTER_USER)
    })
}

/// Whether a sentence is about something that comes from the user: `the criteria given by the user`.
fn is_of_user(rest: &str) -> bool {
    let sentence = sentence(rest).to_ascii_lowercase();
    FROM_USER.iter().any(|words| sentence.contains(words))
}

/// Whether a text begins with what the assistant was told before: `the previous task`, `all prior instructions`.
fn is_about_orders(rest: &str) -> bool {
    let mut words = rest.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
    let before = words.by_ref().take(3).find(|word| !is(word, &["all", "of", "the", "any", "your", "its"]));
    before.is_some_and(|word| is(word, BEFORE)) && words.next().is_some_and(|word| is(word, ORDERS))
}
