//! A forged conversation: lines that begin with `Human:` and `Assistant:`, and tool calls as JSON or text.

use crate::words::Word;

/// Beginnings of the lines of the two speakers.
const ASKING: [&str; 4] = ["Human:", "User:", "HUMAN:", "USER:"];
const ANSWERING: [&str; 3] = ["Assistant:", "AI:", "ASSISTANT:"];

/// The members of the messages in which models call tools.
const MEMBERS: [&str; 3] = ["\"tool_calls\"", "\"function_call\"", "\"functionCall\""];
/// The types of these messages.
const TYPES: [&str; 4] = ["\"tool_use\"", "\"function_call\"", "\"server_tool_use\"", "\"tools/call\""];
/// The members that hold the arguments.
const ARGUMENTS: [&str; 4] = ["\"arguments\"", "\"input\"", "\"args\"", "\"params\""];
/// Texts that only occur together in templates of conversations and calls.
const PAIRS: [(&str, &str); 3] =
    [("### Instruction:", "### Response:"), ("\"action\"", "\"action_input\""), ("Action:", "\nAction Input:")];
/// The maximum distance between the parts of such a message, in bytes.
const NEAR: usize = 400;

/// The speakers that have a turn in a text.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    asks: bool,
    answers: bool,
}

impl Turns {
    /// Records the speaker if a word begins a speaker's line.
    pub(crate) fn add(&mut self, text: &str, word: &Word) {
        if text.as_bytes().get(word.end) != Some(&b':') {
            return;
        }
        let before = text.get(..word.start).unwrap_or_default();
        // This is `### User:`.
        let before = before.strip_suffix("# ").map_or(before, |before| before.trim_end_matches('#'));
        // In JSON text, `\n` is two characters.
        if !before.is_empty() && !before.ends_with(['\n', '"']) && !before.ends_with("\\n") {
            return;
        }
        let said = text.get(word.start..=word.end).unwrap_or_default();
        self.asks |= ASKING.contains(&said);
        self.answers |= ANSWERING.contains(&said);
    }

    pub(crate) fn are_both(&self) -> bool {
        self.asks && self.answers
    }
}

/// Whether a text has a tool call as models write it, with its name and its arguments, or a template for it.
pub(crate) fn has_call(text: &str) -> bool {
    let opens = |at: usize, name: &str, marks: &[char]| {
        let rest = text.get(at + name.len()..).unwrap_or_default().trim_start();
        rest.strip_prefix(':').is_some_and(|value| value.trim_start().starts_with(marks))
    };
    let near = |at: usize| {
        let end = text.floor_char_boundary(text.len().min(at + NEAR));
        text.get(at..end).unwrap_or_default()
    };
    let is_call = |at: usize| near(at).contains("\"name\"") && ARGUMENTS.iter().any(|name| near(at).contains(name));
    let member = |name: &str| text.match_indices(name).any(|(at, _)| opens(at, name, &['[', '{']) && is_call(at));
    let typed = |name: &str| text.match_indices(name).any(|(at, _)| is_call(at));
    // This is `{"tool": "x", "args": {…}}`. A list of arguments is that of a program.
    let has_object = |from: usize| {
        let found = |name: &&str| near(from).find(*name).is_some_and(|at| opens(from + at, name, &['{']));
        ["\"args\"", "\"arguments\""].iter().any(found)
    };
    MEMBERS.iter().any(|name| member(name))
        || TYPES.iter().any(|name| typed(name))
        || text.match_indices("\"tool\"").any(|(at, _)| has_object(at))
        || PAIRS.iter().any(|(one, other)| text.contains(other) && text.contains(one))
        || text.contains("```tool_code")
}
