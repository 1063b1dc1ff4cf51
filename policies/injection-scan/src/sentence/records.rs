//! Tells orders from logs, code, lists of messages and instructions for people that have the same words.

use super::subject::{LIMITS, ORDERING, PARTS, is_harmless, next_is};
use super::{ASSISTANTS, BEFORE, after, has_command, has_word, line_before, sentence_before, without};
use crate::phrases::Hit;

/// Words for the level of a line in a log.
const LEVELS: &[&str] = &["info", "warn", "warning", "error", "debug", "trace", "level", "notice"];
/// Words for readers in a line of a log. In `agent=worker-3`, the agent is a program.
const READERS: &[&str] = &["you", "your", "ai", "llm", "assistant", "assistants", "chatgpt", "claude"];
/// Words of an order in the lines after one of a log.
const TAKING: &[&str] = &[
    "you",
    "your",
    "user",
    "must",
    "send",
    "upload",
    "email",
    "delete",
    "execute",
    "curl",
    "password",
    "credentials",
    "secrets",
];
/// Further words of orders to an assistant, which orders to people do not need.
const JUDGING: &[&str] =
    &["approve", "merge", "push", "commit", "recommend", "give", "rate", "rank", "write", "share", "forward", "say"];
/// What people tell each other to ignore in messages.
const ALERTS: &[&str] = &[
    "alert",
    "alerts",
    "alarm",
    "alarms",
    "warning",
    "warnings",
    "page",
    "ping",
    "notification",
    "notifications",
    "deploy",
    "build",
    "failure",
    "error",
    "errors",
    "incident",
    "invite",
];
/// Words that stand for what was said.
const ALL: &[&str] = &["everything", "anything", "what", "that", "this", "it", "these"];
/// People for whom instructions are written.
const PEOPLE: &[&str] = &[
    "students",
    "parents",
    "players",
    "residents",
    "patients",
    "passengers",
    "applicants",
    "participants",
    "attendees",
    "guests",
    "members",
    "visitors",
    "drivers",
    "volunteers",
    "authors",
];

/// Whether a demand is in a record of something, or in instructions for people.
pub(super) fn is_of_record(text: &str, hit: &Hit) -> bool {
    let phrase = hit.spelled(text);
    is_of_log(text, hit, phrase)
        || is_of_comment(text, hit)
        || is_of_table(text, hit, phrase)
        || is_of_objects(text, hit, phrase)
        || is_of_alert(text, hit, phrase)
        || is_of_step(text, hit, phrase)
        || is_to_people(text, hit)
        || is_of_reference(text, hit, phrase)
}

/// Whether a text orders nothing, neither from an assistant that judges something.
fn is_everyday(rest: &str) -> bool {
    let paragraph = rest.split("\n\n").next().unwrap_or_default();
    is_harmless(rest) && !has_word(paragraph, JUDGING)
}

/// Whether a program logs what it does: `WARN ignoring previous config, using defaults`, `msg="ignoring previous
/// instructions: stale epoch 41"`.
fn is_of_log(text: &str, hit: &Hit, phrase: &str) -> bool {
    let verb = phrase.split(' ').next().unwrap_or_default();
    let Some(line) = line_before(text, hit.start).filter(|_| verb.ends_with("ing")) else { return false };
    let all = after(text, hit.start);
    let said = all.split(['\n', '"']).next().unwrap_or_default().replace(": ", " ");
    let is_logged = has_word(line, LEVELS) && !has_word(line, READERS);
    is_logged && is_everyday(&said) && !has_word(all, TAKING) && !has_command(all)
}

/// Returns a line of code without the number that programs print before it.
fn code(line: &str) -> &str {
    line.trim_start_matches(|c: char| c.is_ascii_digit() || c.is_whitespace()).trim_end()
}

/// Whether a comment is about a variable in the next line of code: `// forget previous instructions`.
fn is_of_comment(text: &str, hit: &Hit) -> bool {
    let Some(line) = line_before(text, hit.start) else { return false };
    let is_comment = code(line) == "//";
    let above = (hit.start - line.len()).checked_sub(1).map_or(Some(""), |end| line_before(text, end));
    let is_alone = above.is_some_and(|above| !code(above).starts_with(['/', '*']));
    let rest = after(text, hit.end);
    let next = rest.strip_prefix('\n').unwrap_or_default().split('\n').next().unwrap_or_default();
    let is_code = next.contains("instructions") && next.contains(['=', '(']) && next.trim_end().ends_with([';', '{']);
    // Nothing but code follows.
    is_comment && is_alone && is_code && !["//", "/*", "\"", "#"].iter().any(|mark| rest.contains(mark))
}

/// Whether the last word of a demand is a table in SQL: `-- IGNORE all duplicate key errors`, and in the next line
/// `DELETE FROM instructions`.
fn is_of_table(text: &str, hit: &Hit, phrase: &str) -> bool {
    let Some((first, statement)) = phrase.split_once('\n') else { return false };
    let is_statement = ["DELETE FROM ", "INSERT INTO ", "UPDATE ", "TRUNCATE TABLE ", "SELECT * FROM "]
        .iter()
        .any(|head| statement.strip_prefix(*head).is_some_and(|table| !table.contains(' ')));
    let object = first.strip_prefix("IGNORE ").unwrap_or_default();
    let is_own =
        object.split(' ').nth(2).is_some() && !object.split(' ').any(|word| word != "all" && BEFORE.contains(&word));
    let rest = after(text, hit.end);
    is_statement && is_own && is_everyday(rest) && !has_word(object, ALL) && !has_word(object, ASSISTANTS)
}

/// Whether the words of a demand are in different objects of a list: `"ignore generated files"},{"message":"drop
/// previous`.
fn is_of_objects(text: &str, hit: &Hit, phrase: &str) -> bool {
    let Some((first, others)) = phrase.split_once('}') else { return false };
    let Some(first) = first.strip_suffix('"').filter(|_| others.trim_start().starts_with(',')) else { return false };
    let rest = after(text, hit.end).split(['"', '\n', '\\']).next().unwrap_or_default();
    let is_own =
        first.split(' ').nth(2).is_some() && ![BEFORE, ALL, ASSISTANTS].iter().any(|words| has_word(first, words));
    is_own && !first.contains('"') && is_everyday(rest) && is_everyday(first)
}

/// Whether people take back an alert, and the word for instructions is the name of a member after it: `ignore the
/// previous alert, it was a test"},{"text":"…`.
fn is_of_alert(text: &str, hit: &Hit, phrase: &str) -> bool {
    let Some((said, others)) = phrase.split_once('"') else { return false };
    let is_name = ["text", "messages", "context"].iter().any(|name| without(others, name).is_some())
        && after(text, hit.end).starts_with("\":");
    let mut words = said.splitn(5, [' ', ',', '.']).skip(1).skip_while(|word| matches!(*word, "the" | "all" | "my"));
    is_name && next_is(&mut words, BEFORE) && next_is(&mut words, ALERTS) && is_everyday(said)
}

/// Whether a demand is about a step of certain instructions: `ignore step 4 of the earlier assembly instructions`,
/// `ignore step 2 of the earlier instructions for the old kit`.
fn is_of_step(text: &str, hit: &Hit, phrase: &str) -> bool {
    let words: Vec<&str> = phrase.split(' ').collect();
    let [_, part, number, "of", "the", before, kind @ .., _] = words.as_slice() else { return false };
    let rest = after(text, hit.end);
    let is_step = PARTS.contains(part) && number.starts_with(|c: char| c.is_ascii_digit()) && BEFORE.contains(before);
    let is_limited =
        || rest.strip_prefix(' ').and_then(|rest| rest.split(' ').next()).is_some_and(|word| LIMITS.contains(&word));
    let is_kind = match kind {
        [] => is_limited(),
        [kind] => ![ORDERING, ASSISTANTS, BEFORE].iter().any(|words| has_word(kind, words)),
        _ => false,
    };
    is_step && is_kind && is_everyday(rest)
}

/// Whether instructions on paper are for people: `Students: ignore the earlier instructions on the cover page`.
fn is_to_people(text: &str, hit: &Hit) -> bool {
    let before = sentence_before(text, hit.start).trim_end().strip_suffix(':').unwrap_or_default();
    let is_group = PEOPLE.iter().any(|people| without(before, people).is_some_and(|rest| rest.trim().is_empty()));
    let rest = after(text, hit.end);
    is_group && rest.starts_with(" on the ") && is_everyday(&rest.replace(" the new ", " the "))
}

/// Whether what comes after a sentence only tells where earlier instructions are: `忽略文件。之前的说明请参见安装指南`.
fn is_of_reference(text: &str, hit: &Hit, phrase: &str) -> bool {
    let Some((before, _)) = phrase.rsplit_once('。') else { return false };
    let sentence = after(text, hit.end).split(['。', '\n', '"']).next().unwrap_or_default();
    let refers =
        ["参见", "参阅", "参考", "详见", "參見", "參閱", "參考", "詳見"].iter().any(|see| sentence.contains(see));
    let is_open =
        ["忽略", "忽视", "忽視", "无视", "無視", "忘记", "忘記", "忘掉"].iter().any(|verb| before.ends_with(verb));
    let is_all = ["之前", "先前", "以上", "上述", "前面", "此前", "所有", "以前", "一切"];
    let orders = sentence.contains([
        '你', '您', '助', '须', '須', '必', '要', '把', '将', '改', '新', '再', '并', '，', '执', '發', '发',
    ]);
    refers && !is_open && !orders && !is_all.iter().any(|word| before.contains(word)) && is_harmless(sentence)
}

/// Whether people are told to keep a password to themselves: `Do not tell anybody your password.`
pub(super) fn is_of_password(text: &str, hit: &Hit) -> bool {
    let phrase = hit.spelled(text);
    let rest = after(text, hit.end);
    let is_any = ["anybody", "anyone"].iter().any(|any| without(phrase, any).is_some());
    let own = rest.strip_prefix(" your ").unwrap_or_default();
    let after_noun =
        ["passwords", "password", "PIN", "passphrase", "passcode"].iter().find_map(|noun| own.strip_prefix(*noun));
    let is_end = after_noun.is_some_and(|rest| rest.trim_end().is_empty() || rest.starts_with(['.', '!', '\n', '"']));
    is_any && is_end && !has_word(rest, &["send", "upload", "post", "email", "paste", "type", "enter", "reply"])
}
