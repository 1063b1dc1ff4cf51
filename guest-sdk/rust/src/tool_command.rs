//! The commands of a tool call.

use crate::facts::FACTS;
use crate::input::in_tool_input;
use crate::{Error, Input, Json, ToolShell, json};
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;
use std::fmt;

/// The members of a tool's input that may contain a command.
const KEYS: [&str; 2] = ["command", "cmd"];

/// The member of a tool's input that contains several command lines. It is the key of each command line of the facts.
const SEVERAL: &str = "commands";

/// The members of the facts that contain command lines.
#[derive(Deserialize)]
struct Lines {
    command: Option<String>,
    argv: Option<Vec<String>>,
    #[serde(default)]
    shells: Vec<ToolShell>,
}

/// A command that a tool will run: `command` or `cmd` of its input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolCommand {
    /// The member of the tool's input that contains the command, or `commands` for a command line of the
    /// [facts](Input::facts), which cannot be replaced in the input.
    pub key: &'static str,
    /// The command itself.
    pub line: CommandLine,
}

/// A command, as a text or as a list of arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum CommandLine {
    /// A text for a shell.
    Text(String),
    /// The arguments of one command, which runs without a shell.
    Arguments(Vec<String>),
}

impl CommandLine {
    /// Returns the command as text for a shell. Arguments are quoted where necessary.
    #[must_use]
    pub fn as_text(&self) -> Cow<'_, str> {
        match self {
            CommandLine::Text(text) => text.into(),
            CommandLine::Arguments(arguments) => {
                let arguments: Vec<_> = arguments.iter().map(|argument| quoted(argument)).collect();
                arguments.join(" ").into()
            }
        }
    }
}

fn quoted(argument: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "%+,-./:=@_".contains(c);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        argument.into()
    } else {
        format!("'{}'", argument.replace('\'', r"'\''")).into()
    }
}

impl<'de> Deserialize<'de> for CommandLine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = CommandLine;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or a list of strings")
            }

            fn visit_str<E>(self, text: &str) -> Result<CommandLine, E> {
                Ok(CommandLine::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<CommandLine, A::Error> {
                let mut arguments = Vec::new();
                while let Some(argument) = list.next_element()? {
                    arguments.push(argument);
                }
                Ok(CommandLine::Arguments(arguments))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

impl From<CommandLine> for Json {
    fn from(line: CommandLine) -> Self {
        match line {
            CommandLine::Text(text) => text.into(),
            CommandLine::Arguments(arguments) => arguments.into(),
        }
    }
}

impl<S> Input<S> {
    /// Returns the command of the tool call as text for a shell, or `None` if its input has neither `command` nor `cmd`,
    /// and the [facts](Self::facts) have no command either.
    ///
    /// A search in this text is easy to get past (`m''kfs`, `sh -c "$X"`). To know what runs, judge the `commands` of the
    /// facts. Use the text where a false allow does no harm.
    ///
    /// ```
    /// use hookbox_sdk::{Action, Error, Input, json};
    ///
    /// fn judge(input: &Input) -> Result<Action, Error> {
    ///     match input.command()? {
    ///         Some(command) if command.contains("mkfs") => Ok(Action::deny("no new file systems")),
    ///         _ => Ok(Action::allow()),
    ///     }
    /// }
    /// assert!(judge(&Input::pre_tool("bash", json!({ "command": "mkfs /dev/sda" })))?.is_deny());
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if [`commands`](Self::commands) does, or if there are several commands. Use `commands` to judge
    /// all of them.
    pub fn command(&self) -> Result<Option<String>, Error> {
        let mut commands = self.commands()?.into_iter();
        match (commands.next(), commands.next()) {
            (Some(first), Some(_)) if first.key == SEVERAL => {
                Err(Error::new("the tool call has several commands; judge them with `commands`"))
            }
            (Some(_), Some(_)) => Err(Error::new("the tool's input has a `command` and a `cmd`")),
            (command, _) => Ok(command.map(|command| command.line.as_text().into_owned())),
        }
    }

    /// Returns the commands of the tool call: `command` and `cmd` of its input. A policy must see both, because only
    /// the tool knows which one it runs. If the [facts](Self::facts) have several command lines, or one that neither
    /// member contains, returns those instead, as commands of the member `commands`, each for a separate shell.
    ///
    /// # Errors
    /// Returns an error if the tool's input is not an object or has a key twice, or if a command is neither a string
    /// nor a list of strings.
    pub fn commands(&self) -> Result<Vec<ToolCommand>, Error> {
        let (lines, members) = (self.certain_lines()?, self.members());
        let is_in_member = |line: &ToolShell| match &members {
            Ok(members) => members.iter().any(|member| member.line.as_text() == line.command),
            Err(_) => true,
        };
        match lines.as_slice() {
            [] => return members,
            [only] if is_in_member(only) => return members,
            _ => {}
        }
        let of_line = |line: ToolShell| match line.argv {
            Some(argv) => CommandLine::Arguments(argv),
            None => CommandLine::Text(line.command),
        };
        Ok(lines.into_iter().map(|line| ToolCommand { key: SEVERAL, line: of_line(line) }).collect())
    }

    /// Returns the certain command lines of the facts. The rest of the facts is not read, because it may be long.
    fn certain_lines(&self) -> Result<Vec<ToolShell>, Error> {
        let Some(facts) = &self.tool else { return Ok(Vec::new()) };
        let Lines { command, argv, mut shells } =
            json::object(facts.as_str()).map_err(|error| Error::from(error).context(FACTS))?;
        if shells.is_empty() {
            shells.extend(command.map(|command| ToolShell { argv, ..ToolShell::text(command) }));
        }
        shells.retain(|shell| shell.certain);
        Ok(shells)
    }

    fn members(&self) -> Result<Vec<ToolCommand>, Error> {
        let Some(tool_input) = &self.tool_input else {
            return Ok(Vec::new());
        };
        let found = tool_input.get_all(KEYS).map_err(in_tool_input)?;
        Ok(found.into_iter().map(|(key, line)| ToolCommand { key, line }).collect())
    }
}
