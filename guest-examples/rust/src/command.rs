//! The command of a tool call, as a text or as a list of arguments.

use crate::judge;
use crate::shell::Word;
use crate::verdict::{Decision, Edit};
use serde_json::Value;

/// Stands between the arguments when they are edited as one text, since no
/// argument can hold it.
const SEPARATOR: char = '\0';

/// A command that can be judged and edited.
#[derive(Debug, PartialEq)]
pub enum Command {
    /// A text for a shell.
    Text(String),
    /// The arguments of one command, joined by [`SEPARATOR`].
    Arguments(String),
}

impl Command {
    /// Reads the value of `command` or `cmd`.
    ///
    /// # Errors
    ///
    /// Says what is wrong when the value is neither a string nor a list of
    /// strings.
    pub fn new(value: &Value) -> Result<Self, String> {
        match value {
            Value::String(text) => Ok(Self::Text(text.clone())),
            Value::Array(arguments) => {
                let argument = |value: &Value| match value.as_str() {
                    Some(text) if !text.contains(SEPARATOR) => Ok(text.to_owned()),
                    _ => Err("an argument of the command is no string without NUL".to_owned()),
                };
                let arguments: Result<Vec<_>, _> = arguments.iter().map(argument).collect();
                Ok(Self::Arguments(arguments?.join(&SEPARATOR.to_string())))
            }
            _ => Err("the command is neither a string nor a list of strings".to_owned()),
        }
    }

    /// The value of `command` or `cmd`.
    #[must_use]
    pub fn into_value(self) -> Value {
        match self {
            Self::Text(text) => Value::String(text),
            Self::Arguments(joined) => joined.split(SEPARATOR).map(Value::from).collect(),
        }
    }

    /// Judges the command.
    #[must_use]
    pub fn judge(&self, branches: &[String]) -> Decision {
        match self {
            Self::Text(text) => judge::script(text, branches),
            Self::Arguments(joined) => {
                let mut start = 0;
                let word = |text: &str| {
                    let at = start..start + text.len();
                    start = at.end + SEPARATOR.len_utf8();
                    Word::literal(text, Some(at))
                };
                judge::arguments(joined.split(SEPARATOR).map(word).collect(), branches)
            }
        }
    }

    /// Applies the edits, or returns `None` if one of them does not fit.
    #[must_use]
    pub fn edited(&self, mut edits: Vec<Edit>) -> Option<Self> {
        let (Self::Text(text) | Self::Arguments(text)) = self;
        let separator = match self {
            Self::Text(_) => " ".to_owned(),
            Self::Arguments(_) => SEPARATOR.to_string(),
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
            Self::Text(_) => Self::Text(edited),
            Self::Arguments(_) => Self::Arguments(edited),
        })
    }
}
