//! A forged conversation: lines that begin with `Human:` and `Assistant:`, and tool calls as JSON.

use crate::words::Word;

/// Beginnings of the lines of the two speakers.
const ASKING: [&str; 2] = ["Human:", "User:"];
const ANSWERING: [&str; 2] = ["Assistant:", "AI:"];

/// The members of the messages in which models call tools.
const MEMBERS: [&str; 2] = ["\"tool_calls\"", "\"function_call\""];
/// The types of these messages.
const TYPES: [&str; 3] = ["\"tool_use\"", "\"function_call\"", "\"server_tool_use\""];
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

/// Whether a text has a tool call as models write it in JSON, with its name and its arguments.
pub(crate) fn has_call(text: &str) -> bool {
    let is_object = |at: usize, name: &str| {
        let rest = text.get(at + name.len()..).unwrap_or_default().trim_start();
        rest.strip_prefix(':').is_some_and(|value| value.trim_start().starts_with(['[', '{']))
    };
    let has_near = |at: usize, name: &str| {
        let mut end = text.len().min(at + NEAR);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.get(at..end).is_some_and(|near| near.contains(name))
    };
    let is_call = |at: usize| has_near(at, "\"name\"") && (has_near(at, "\"arguments\"") || has_near(at, "\"input\""));
    // All of these messages contain one of these texts, and hardly any other text does.
    if !text.contains("tool_") && !text.contains("function_call") {
        return false;
    }
    let member = |name: &str| text.match_indices(name).any(|(at, _)| is_object(at, name) && is_call(at));
    let typed = |name: &str| text.match_indices(name).any(|(at, _)| is_call(at));
    MEMBERS.iter().any(|name| member(name)) || TYPES.iter().any(|name| typed(name)) || text.contains("```tool_code")
}
