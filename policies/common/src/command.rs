//! A simple command of a tool call.

use crate::Word;
use hookbox_sdk::ShellCommand;

/// The longest command that a reason quotes, in characters.
const MAX_QUOTE: usize = 80;

/// A simple command: the program, its arguments, and its facts.
#[derive(Clone, Debug)]
pub struct Command<'a> {
    /// The program's name without its directory; empty if it is not known.
    pub name: &'a str,
    /// The program and its arguments.
    pub words: Vec<Word>,
    /// All facts about it.
    pub facts: &'a ShellCommand,
}

impl<'a> Command<'a> {
    /// Creates a command from its facts, with its words as texts.
    #[must_use]
    pub fn new(facts: &'a ShellCommand) -> Self {
        let name = facts.name.as_deref().unwrap_or_default();
        Command { name, words: facts.argv.iter().map(Word::from).collect(), facts }
    }

    /// Returns the words after the program.
    #[must_use]
    pub fn args(&self) -> &[Word] {
        self.words.get(1..).unwrap_or_default()
    }

    /// Returns the command as written, on one line, shortened and in backquotes, for use in reasons.
    #[must_use]
    pub fn quote(&self) -> String {
        let words = self.words.iter().flat_map(|word| word.raw().split_whitespace());
        let line: Vec<&str> = match self.facts.text.trim() {
            // A PowerShell command has words, but no text.
            "" => words.collect(),
            text => text.split_whitespace().collect(),
        };
        let line = line.join(" ");
        match line.char_indices().nth(MAX_QUOTE) {
            Some((end, _)) => format!("`{}…`", line.get(..end).unwrap_or_default()),
            None => format!("`{line}`"),
        }
    }
}
