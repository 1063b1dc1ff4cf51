//! What a tool call means, in words that are the same for every agent.

use crate::{Error, Input, Json, ShellCommand};
use serde::{Deserialize, Serialize};

/// What a tool does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ToolKind {
    /// Runs a command.
    Shell,
    /// Reads files.
    Read,
    /// Writes whole files.
    Write,
    /// Changes parts of files.
    Edit,
    /// Deletes files.
    Delete,
    /// Looks for files, or for text in files.
    Search,
    /// Reads from the network.
    Fetch,
    /// Belongs to an MCP server.
    Mcp,
    /// Starts or directs another agent.
    Agent,
    /// Anything else, including kinds that this SDK does not know.
    #[default]
    #[serde(other)]
    Other,
}

/// What a tool call does with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Access {
    /// Reads the file.
    Read,
    /// Writes the file, which may exist.
    Write,
    /// Creates the file.
    Create,
    /// Deletes the file.
    Delete,
    /// Lists names below the directory.
    List,
}

impl Access {
    /// Returns the word for this access in an Input.
    #[cfg(feature = "shell")]
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Access::Read => "read",
            Access::Write => "write",
            Access::Create => "create",
            Access::Delete => "delete",
            Access::List => "list",
        }
    }

    /// Whether this changes or removes the file.
    #[must_use]
    pub const fn changes(self) -> bool {
        matches!(self, Access::Write | Access::Create | Access::Delete)
    }
}

/// Where a path leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Place {
    /// hookbox's own config, state or cache.
    Hookbox,
    /// The settings of an agent.
    AgentConfig,
    /// The user's home directory.
    Home,
    /// A directory for temporary files.
    Temp,
    /// The project that the agent works on.
    Project,
    /// Anywhere else, including places that this SDK does not know.
    #[default]
    #[serde(other)]
    Other,
}

/// A path that a tool call names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolPath {
    /// The absolute path, without `.`, `..` and repeated slashes.
    pub path: String,
    /// The path with all links followed, as far as it exists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub real: Option<String>,
    /// The path as written in the tool call.
    #[serde(default)]
    pub as_written: String,
    /// What the tool call does with the path.
    pub access: Access,
    /// Where the path leads.
    #[serde(default)]
    pub place: Place,
    /// Whether this is certainly a path. A tool that hookbox does not know may take any text of its call as a path;
    /// such a text is a path that is not certain. Ask where you would deny or ask about a certain path, and never allow
    /// because of an uncertain one.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub certain: bool,
}

const fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_yes(certain: &bool) -> bool {
    *certain
}

impl ToolPath {
    /// Creates a path that is written as it resolves, and certain, for tests.
    pub fn new(path: impl Into<String>, access: Access, place: Place) -> Self {
        let path = path.into();
        ToolPath { as_written: path.clone(), real: Some(path.clone()), path, access, place, certain: true }
    }
}

/// A command line that a tool call runs in a shell of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ToolShell {
    /// The text that the shell would run.
    pub command: String,
    /// The command line as a list of arguments, if it runs without a shell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub argv: Option<Vec<String>>,
    /// Whether the command line certainly runs. A tool that hookbox does not know may run a text of its call that
    /// begins like a command.
    #[serde(skip_serializing_if = "is_yes")]
    pub certain: bool,
}

impl Default for ToolShell {
    fn default() -> Self {
        ToolShell::text("")
    }
}

impl ToolShell {
    /// Creates a command line from a text for a shell, for tests.
    pub fn text(command: impl Into<String>) -> Self {
        ToolShell { command: command.into(), argv: None, certain: true }
    }
}

/// The facts of a tool call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Tool {
    /// What the tool does.
    pub kind: ToolKind,
    /// The command that a shell would run. If the call has several command lines, each is on its own line here;
    /// `shells` says how they run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The command as a list of arguments, if the tool call has it as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub argv: Option<Vec<String>>,
    /// The command lines, if the call has several, or some that it only may run. Each runs in a shell of its own: judge
    /// each by itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shells: Vec<ToolShell>,
    /// The absolute path of the directory that the tool runs in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The absolute path of the user's home directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub home: Option<String>,
    /// The paths that the tool call names. For a shell tool, only if the hook asks for `facts = ["commands"]`.
    pub paths: Vec<ToolPath>,
    /// The texts that would be written into files.
    pub added_text: Vec<String>,
    /// The URLs that the tool call names.
    pub urls: Vec<String>,
    /// The MCP server whose tool this is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The server's name for the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The simple commands that the command would run, if the hook asks for `facts = ["commands"]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commands: Option<Vec<ShellCommand>>,
    /// What could not be determined, as text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
    /// Whether everything that the tool call does is in these facts. If not, do not treat it as harmless. Without
    /// `commands`, this says nothing about what a shell command does.
    pub complete: bool,
}

impl Tool {
    /// Creates complete facts that only name the kind, for tests.
    #[must_use]
    pub fn new(kind: ToolKind) -> Self {
        Tool { kind, complete: true, ..Tool::default() }
    }

    /// Takes out the commands that the call only may run, and returns them as the facts of a shell tool that runs them.
    /// Returns `None` if there are none. Judge both facts, and ask where the returned ones would be denied or asked
    /// about.
    ///
    /// ```
    /// use hookbox_sdk::{Json, Tool, ToolKind};
    ///
    /// let facts = r#"{"kind":"mcp","commands":[{"name":"rm","argv":["rm","x"],"certain":false}]}"#;
    /// let mut tool: Tool = Json::parse(facts)?.to()?;
    /// let possible = tool.take_possible().unwrap();
    /// assert_eq!((possible.kind, possible.commands.unwrap().len()), (ToolKind::Shell, 1));
    /// assert!(tool.commands.is_none());
    /// # Ok::<(), hookbox_sdk::Error>(())
    /// ```
    pub fn take_possible(&mut self) -> Option<Tool> {
        let commands = self.commands.as_mut()?;
        let first = commands.iter().position(|command| !command.is_certain())?;
        let mut possible = commands.split_off(first);
        for command in &mut possible {
            command.certain = None;
            command.parent = command.parent.and_then(|at| at.checked_sub(first));
            command.reads_from = command.reads_from.iter().filter_map(|at| at.checked_sub(first)).collect();
        }
        let certain = self.shells.iter().filter(|shell| shell.certain).count();
        let shells = self.shells.split_off(certain);
        for command in &mut possible {
            command.shell = command.shell.and_then(|at| at.checked_sub(certain));
        }
        if certain == 1 {
            self.shells.clear();
            commands.iter_mut().for_each(|command| command.shell = None);
        }
        if self.command.is_none() {
            self.commands = None;
        }
        let texts: Vec<&str> = shells.iter().map(|shell| shell.command.as_str()).collect();
        let is_named = |path: &&ToolPath| {
            let mut files = possible.iter().flat_map(|command| &command.files);
            !path.certain && files.any(|file| file.path.written() == path.as_written && file.access == path.access)
        };
        Some(Tool {
            command: Some(texts.join("\n")),
            cwd: self.cwd.clone(),
            home: self.home.clone(),
            paths: self.paths.iter().filter(is_named).map(|path| ToolPath { certain: true, ..path.clone() }).collect(),
            shells: shells.into_iter().map(|shell| ToolShell { certain: true, ..shell }).collect(),
            commands: Some(possible),
            ..Tool::new(ToolKind::Shell)
        })
    }
}

/// The context of an error about the facts.
pub(crate) const FACTS: &str = "the facts of the tool call";

impl<S> Input<S> {
    /// Returns the same Input with these facts, for tests.
    #[must_use]
    pub fn with_facts(self, facts: &Tool) -> Self {
        Input { tool: Json::from_value(facts).ok(), ..self }
    }

    /// Returns the facts of the tool call, in words that are the same for every agent.
    ///
    /// # Errors
    /// Returns an error if the facts cannot be read, or if the Input has none: the event has no tool, or hookbox is
    /// older than these facts. Propagate the error, so nothing passes unexamined.
    ///
    /// ```
    /// use hookbox_sdk::{Action, Error, Input, Place};
    ///
    /// fn judge(input: &Input) -> Result<Action, Error> {
    ///     let tool = input.facts()?;
    ///     let is_guarded = |place| matches!(place, Place::Hookbox | Place::AgentConfig);
    ///     match tool.paths.iter().find(|path| path.access.changes() && is_guarded(path.place)) {
    ///         Some(path) if !path.certain => Ok(Action::ask(format!("is `{}` a path?", path.as_written))),
    ///         Some(path) => Ok(Action::deny(format!("{} says what agents may do", path.path))),
    ///         None => Ok(Action::allow()),
    ///     }
    /// }
    /// ```
    pub fn facts(&self) -> Result<Tool, Error> {
        let facts = self.tool.as_ref().ok_or_else(|| Error::new("the Input has no facts about a tool call"))?;
        // Serde would also accept a list, and read it as the members in order.
        if !facts.is_object() {
            return Err(Error::new("the facts of the tool call are not an object"));
        }
        facts.to().map_err(|error| error.context(FACTS))
    }
}
