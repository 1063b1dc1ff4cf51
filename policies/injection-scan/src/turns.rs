//! A forged conversation: lines that begin with `Human:` and `Assistant:`, and tool calls as JSON or text.

use crate::words::Word;

/// The two speakers at the beginnings of lines.
const ASKING: [&str; 4] = ["Human", "User", "HUMAN", "USER"];
const ANSWERING: [&str; 3] = ["Assistant", "AI", "ASSISTANT"];
/// The same as tags.
const ASKING_TAGS: [&str; 2] = ["human", "user"];
const ANSWERING_TAGS: [&str; 2] = ["assistant", "ai"];

/// The members of the messages in which models call tools.
const MEMBERS: [&str; 3] = ["tool_calls", "function_call", "functionCall"];
/// The types of these messages.
const TYPES: [&str; 4] = ["tool_use", "function_call", "server_tool_use", "tools/call"];
/// The members that hold the arguments.
const ARGUMENTS: [&str; 4] = ["\"arguments\"", "\"input\"", "\"args\"", "\"params\""];
/// Texts that only occur together in templates of conversations and calls.
const PAIRS: [(&str, &str); 2] = [("### Instruction:", "### Response:"), ("Action:", "\nAction Input:")];
/// The maximum distance between the parts of such a message, in bytes.
const NEAR: usize = 400;
/// The part of a conversation in which both speakers are looked for, in bytes.
const FAR: usize = 2000;
/// The number of places that are examined for one.
const MAX_STARTS: usize = 200;

/// The speakers that have a turn in a text.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    asks: bool,
    answers: bool,
}

impl Turns {
    /// Records the speaker if a word begins a speaker's line, or is a speaker's tag.
    pub(crate) fn add(&mut self, text: &str, word: &Word) {
        let before = text.get(..word.start).unwrap_or_default();
        let said = text.get(word.start..word.end).unwrap_or_default();
        let rest = text.get(word.end..).unwrap_or_default();
        if let Some(before) = before.strip_suffix('<').filter(|_| rest.starts_with('>')) {
            if begins_line(before) {
                self.asks |= ASKING_TAGS.iter().any(|tag| said.eq_ignore_ascii_case(tag));
                self.answers |= ANSWERING_TAGS.iter().any(|tag| said.eq_ignore_ascii_case(tag));
            }
            return;
        }
        // This is `**User**: …`.
        let is_turn = || rest.trim_start_matches(['*', '_']).starts_with(':') && begins_line(before);
        let asks = ASKING.contains(&said);
        if (asks || ANSWERING.contains(&said)) && is_turn() {
            self.asks |= asks;
            self.answers |= !asks;
        }
    }

    pub(crate) fn are_both(&self) -> bool {
        self.asks && self.answers
    }
}

/// Whether a text, which is not JSON itself, has the messages of a conversation as JSON: `[{"role":"user", …`. Code that
/// makes such messages has them inside of others, and documentation has them in blocks of code.
pub(crate) fn has_messages(text: &str) -> bool {
    let is_conversation = |rest: &str| {
        let near = rest.get(..rest.floor_char_boundary(FAR)).unwrap_or_default().replace(['\\', ' '], "");
        let has = |role: &str| near.contains(&format!("role\":\"{role}\""));
        let has_other = ["assistant", "system", "developer"].into_iter().any(has);
        has("user") && has_other && near.matches("\"content\":").nth(1).is_some()
    };
    first_members(text, "role").any(is_conversation)
}

/// Whether a text, which is no JSON itself, has a tool call as JSON with nothing but its name and its arguments:
/// `{"name":"bash","arguments":{…}}`.
fn has_bare_call(text: &str) -> bool {
    let is_call = |rest: &str| {
        let near = rest.get(..rest.floor_char_boundary(NEAR)).unwrap_or_default().replace(['\\', ' '], "");
        let parts: Vec<&str> = near.splitn(8, '"').collect();
        let ["name", ":", _, ",", name, opens, first, ..] = parts.as_slice() else { return false };
        // In the definition of a tool, the parameters are a schema: `"parameters":{"type":"object"`.
        let is_object = opens.starts_with(":{") && *first != "type" || *opens == ":" && first.starts_with('{');
        is_object && ["arguments", "args", "input", "parameters", "params"].contains(name)
    };
    first_members(text, "name").any(is_call)
}

/// Returns the text from each of the first members with this name of objects that begin a line, outside of blocks of
/// code.
fn first_members<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = &'t str> {
    let is_json = text.trim_start().starts_with(['[', '{']);
    let parts = text.split("```").step_by(2);
    let names =
        parts.flat_map(move |part| part.match_indices(name).filter_map(move |(at, _)| part.split_at_checked(at)));
    names.filter(move |(before, _)| begins_object(before, is_json)).take(MAX_STARTS).map(|(_, rest)| rest)
}

/// Whether a line of a text, which may be JSON, ends with nothing but the beginning of an object, or of the messages in
/// it: `{"messages":[{"`.
fn begins_object(before: &str, is_json: bool) -> bool {
    const MARKS: [char; 5] = ['[', '{', '"', '\\', ' '];
    let inner = before.trim_end_matches(MARKS);
    let outer = || {
        let key = inner.strip_suffix(':')?.trim_end_matches(['"', '\\']).strip_suffix("messages")?;
        let line = key.trim_end_matches(MARKS);
        key.get(line.len()..)?.contains('{').then_some(line)
    };
    let line = outer().unwrap_or(inner);
    let mark = before.get(line.len()..).unwrap_or_default();
    // In JSON text, `\n` is two characters.
    let is_line = line.ends_with("\\n") || line.ends_with('\n') && !is_json;
    let is_apart = line.ends_with("\n\n") || line.ends_with("\\n\\n");
    let above = line.trim_end_matches("\\n").trim_end();
    let is_code = !is_apart && above.ends_with(['[', '(', ',', '=', '{', ':']) || mark.starts_with("    ");
    is_line && !is_code && mark.contains('{') && mark.ends_with('"')
}

/// Whether a line begins after a text, apart from the marks of a heading, a quotation and bold letters, and the number
/// that programs print before a line.
fn begins_line(before: &str) -> bool {
    // In JSON text, `\n` is two characters.
    let is_start = |before: &str| before.is_empty() || before.ends_with(['\n', '"']) || before.ends_with("\\n");
    let before = before.trim_end_matches(['*', '_']);
    let before = before.strip_suffix("# ").map_or(before, |before| before.trim_end_matches('#'));
    let before = before.trim_end_matches("> ");
    let number = before.strip_suffix("\\t").or_else(|| before.strip_suffix(['\t', '→', ':'])).unwrap_or_default();
    let start = number.trim_end_matches(|c: char| c.is_ascii_digit());
    is_start(before) || start.len() < number.len() && is_start(start.trim_end_matches(' '))
}

/// Whether a text has a tool call as models write it, with its name and its arguments, or a template for it. It may be in
/// a string of JSON, and its quotes escaped, to any depth.
pub(crate) fn has_call(text: &str) -> bool {
    // Returns the text after each occurrence of a name in quotes, without backslashes. It begins with a quote.
    let after = |name: &'static str| {
        text.match_indices(name).filter_map(move |(at, _)| {
            let end = at + name.len();
            let is_quoted =
                text.get(..at)?.ends_with('"') && text.get(end..)?.trim_start_matches('\\').starts_with('"');
            let near = text.get(end..text.floor_char_boundary(text.len().min(end + NEAR)));
            near.filter(|_| is_quoted).map(|near| near.replace('\\', ""))
        })
    };
    let opens = |rest: &str, marks: &[char]| {
        let value = rest.strip_prefix('"').and_then(|rest| rest.trim_start().strip_prefix(':'));
        value.is_some_and(|value| value.trim_start().starts_with(marks))
    };
    let is_call = |near: &str| near.contains("\"name\"") && ARGUMENTS.iter().any(|name| near.contains(name));
    // This is `{"tool": "x", "args": {…}}`. A list of arguments is that of a program.
    let has_object = |near: String| {
        let found = |name: &&str| near.split_once(*name).is_some_and(|(_, rest)| opens(rest, &['{']));
        ["\"args", "\"arguments"].iter().any(found)
    };
    MEMBERS.into_iter().any(|name| after(name).any(|near| opens(&near, &['[', '{']) && is_call(&near)))
        || TYPES.into_iter().any(|name| after(name).any(|near| is_call(&near)))
        || after("tool").any(has_object)
        || after("action_input").next().is_some() && after("action").next().is_some()
        || PAIRS.iter().any(|(one, other)| text.contains(other) && text.contains(one))
        || text.contains("```tool_code")
        || has_bare_call(text)
}
