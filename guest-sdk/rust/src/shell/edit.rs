//! Edits to a command that keep the rest of it as it was typed.

use crate::CommandLine;
use std::ops::Range;

/// Separates arguments when they are edited as one text; no argument can contain it.
pub(super) const SEPARATOR: char = '\0';

/// An edit to a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The range to replace: the [span](super::Word::span) of a word, or a part of it.
    pub at: Range<usize>,
    /// The replacement words, as a shell reads them. If the first is empty, the others follow the preceding text as new
    /// words.
    pub with: Vec<String>,
}

impl CommandLine {
    /// Returns the command with these edits, or `None` if one of them does not fit, for example if two overlap.
    ///
    /// ```
    /// use hookbox_sdk::{CommandLine, shell::Edit};
    ///
    /// let line = CommandLine::Text("cd x  &&  git push -f origin y".to_owned());
    /// let word = line.parse().known_commands()[1].arguments()[1].span().unwrap();
    /// let edited = line.edited(vec![Edit { at: word, with: vec!["--force-with-lease".to_owned()] }]);
    /// assert_eq!(edited, Some(CommandLine::Text("cd x  &&  git push --force-with-lease origin y".to_owned())));
    /// ```
    #[must_use]
    pub fn edited(&self, mut edits: Vec<Edit>) -> Option<Self> {
        let (text, separator) = match self {
            CommandLine::Text(text) => (text.clone(), " ".to_owned()),
            CommandLine::Arguments(arguments) => (joined(arguments)?, SEPARATOR.to_string()),
        };
        edits.sort_by_key(|edit| edit.at.start);
        let mut edited = String::new();
        let mut end = 0;
        for edit in edits {
            edited.push_str(text.get(end..edit.at.start)?);
            edited.push_str(&edit.with.join(&separator));
            end = edit.at.end;
        }
        edited.push_str(text.get(end..)?);
        Some(match self {
            CommandLine::Text(_) => CommandLine::Text(edited),
            CommandLine::Arguments(_) => CommandLine::Arguments(edited.split(SEPARATOR).map(str::to_owned).collect()),
        })
    }
}

/// Joins the arguments into one text. Returns `None` if the text could not be split again.
pub(super) fn joined(arguments: &[String]) -> Option<String> {
    let is_clean = !arguments.iter().any(|argument| argument.contains(SEPARATOR));
    is_clean.then(|| arguments.join(&SEPARATOR.to_string()))
}
