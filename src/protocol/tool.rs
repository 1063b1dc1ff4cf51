//! The facts of a tool call, in words that are the same for every agent.

use super::{Json, ObjectWriter};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::fmt;

macro_rules! words {
    ($(#[$meta:meta])* $type:ident { $($(#[doc = $doc:literal])+ $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
        #[non_exhaustive]
        pub enum $type {
            $($(#[doc = $doc])+ #[serde(rename = $word)] $variant,)+
        }

        impl $type {
            /// Every value with its word.
            pub const WORDS: &[(&'static str, $type)] = &[$(($word, $type::$variant)),+];

            /// Returns the word that an Input uses for this value.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($type::$variant => $word,)+
                }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

words! {
    /// The kind of a tool: what it does.
    ToolKind {
        /// Runs a command.
        Shell = "shell",
        /// Reads files.
        Read = "read",
        /// Writes whole files.
        Write = "write",
        /// Changes parts of files.
        Edit = "edit",
        /// Deletes files.
        Delete = "delete",
        /// Looks for files, or for text in files.
        Search = "search",
        /// Reads from the network.
        Fetch = "fetch",
        /// Belongs to an MCP server.
        Mcp = "mcp",
        /// Starts or directs another agent.
        Agent = "agent",
        /// Does anything else. The meaning of its arguments is unknown.
        Other = "other",
    }
}

words! {
    /// The way in which a tool call uses a path.
    Access {
        /// Reads the file.
        Read = "read",
        /// Writes the file, which may already exist.
        Write = "write",
        /// Creates the file.
        Create = "create",
        /// Deletes the file.
        Delete = "delete",
        /// Lists the names below the directory.
        List = "list",
    }
}

words! {
    /// The place that a path leads to. If the path and its target after following links are in different places, this
    /// is the one that is listed first here.
    Place {
        /// hookbox's own config, state or cache.
        Hookbox = "hookbox",
        /// The settings of an agent, which say what it may do.
        AgentConfig = "agent-config",
        /// Anywhere else on the system.
        Other = "other",
        /// The user's home directory.
        Home = "home",
        /// A directory for temporary files.
        Temp = "temp",
        /// The project that the agent works on.
        Project = "project",
    }
}

/// A path that a tool call names.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct ToolPath {
    /// The absolute path, without `.`, `..` and repeated slashes. It is relative only if the working directory is
    /// unknown.
    pub path: String,
    /// The path with all links followed, as far as it exists. Absent if that could not be determined.
    pub real: Option<String>,
    /// The path as written in the tool call.
    #[serde(default)]
    pub as_written: String,
    /// What the tool call does with the path.
    pub access: Access,
    /// Where the path leads.
    #[serde(default = "elsewhere")]
    pub place: Place,
    /// Whether the text is certainly a path. A tool that hookbox does not know may use any text in its call as a path,
    /// so such a text is an uncertain path. A policy asks about an uncertain path where it would deny or ask about a
    /// certain one.
    #[serde(default = "yes")]
    pub certain: bool,
}

/// A command line that a tool call runs in a shell of its own: its variables, working directory and open quotes do not
/// affect the next command line.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct ToolShell {
    /// The text that the shell would run. For a list of arguments, they are quoted and joined.
    pub command: String,
    /// The command line as a list of arguments, if it runs without a shell.
    #[serde(default)]
    pub argv: Option<Vec<String>>,
    /// Whether the command line certainly runs. A tool that hookbox does not know may run any text in its call, so a
    /// text that begins like a command is an uncertain command line. A policy asks about an uncertain command line
    /// where it would deny or ask about a certain one.
    #[serde(default = "yes")]
    pub certain: bool,
}

/// The facts of a tool call: what it does, in words that are the same for every agent.
///
/// hookbox determines the facts once for each event, and again when a hook rewrites the tool's input. A host that knows
/// its own tools better may send them in the Input instead.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct Tool {
    /// What the tool does.
    pub kind: ToolKind,
    /// The command that a shell would run. For a list of arguments, they are quoted and joined. Several command lines
    /// are joined as separate lines here; `shells` has what each shell runs.
    #[serde(default)]
    pub command: Option<String>,
    /// The command as a list of arguments, if the tool call has it as one.
    #[serde(default)]
    pub argv: Option<Vec<String>>,
    /// The command lines, if the tool call has several, or has some that it may run. A policy must judge each one
    /// separately.
    #[serde(default)]
    pub shells: Vec<ToolShell>,
    /// The absolute path of the directory that the tool runs in.
    #[serde(default)]
    pub cwd: Option<String>,
    /// The absolute path of the user's home directory.
    #[serde(default)]
    pub home: Option<String>,
    /// The paths that the tool call certainly names, in order, followed by those that it may name.
    #[serde(default)]
    pub paths: Vec<ToolPath>,
    /// The texts that the tool call would write into files.
    #[serde(default)]
    pub added_text: Vec<String>,
    /// The URLs that the tool call names.
    #[serde(default)]
    pub urls: Vec<String>,
    /// The MCP server whose tool this is.
    #[serde(default)]
    pub server: Option<String>,
    /// The server's name for the tool.
    #[serde(default)]
    pub tool: Option<String>,
    /// The simple commands that the command would run, as a list. It is present only if a hook of the event wants the
    /// commands, and in a component's Input only if that hook wants them.
    #[serde(default, deserialize_with = "list")]
    pub commands: Option<Json>,
    /// Descriptions of what could not be determined.
    #[serde(default)]
    pub unknown: Vec<String>,
    /// Whether everything that the tool call does is in these facts. If not, a policy must not treat it as harmless.
    #[serde(default)]
    pub complete: bool,
}

impl Tool {
    /// Creates complete facts that name only the kind.
    #[must_use]
    pub const fn new(kind: ToolKind) -> Self {
        Tool {
            kind,
            command: None,
            argv: None,
            shells: Vec::new(),
            cwd: None,
            home: None,
            paths: Vec::new(),
            added_text: Vec::new(),
            urls: Vec::new(),
            server: None,
            tool: None,
            commands: None,
            unknown: Vec::new(),
            complete: true,
        }
    }

    /// Notes something that could not be determined, unless it was noted before. The facts are then incomplete.
    pub fn note_unknown(&mut self, what: impl Into<String>) {
        self.complete = false;
        let what = what.into();
        if !self.unknown.contains(&what) {
            self.unknown.push(what);
        }
    }

    /// Returns the facts as a JSON object.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = ObjectWriter::with_capacity(self.size());
        self.write(&mut out, true);
        out.finish()
    }

    /// Estimates the length of the facts' JSON in bytes.
    pub(super) fn size(&self) -> usize {
        let text: usize = self.added_text.iter().map(String::len).sum();
        let command = self.command.as_ref().map_or(0, String::len);
        // A line of text contains an escape or two.
        let long = text + command;
        256 + long + long / 32
    }

    /// Writes the members of the facts, with or without the commands.
    pub(super) fn write(&self, out: &mut ObjectWriter, commands: bool) {
        out.text("kind", self.kind.as_str()).optional_text("command", self.command.as_deref());
        if let Some(argv) = &self.argv {
            out.texts("argv", argv);
        }
        if !self.shells.is_empty() {
            out.list("shells", self.shells.iter().map(ToolShell::to_json));
        }
        out.optional_text("cwd", self.cwd.as_deref()).optional_text("home", self.home.as_deref());
        out.list("paths", self.paths.iter().map(ToolPath::to_json));
        out.texts("added_text", &self.added_text).texts("urls", &self.urls);
        out.optional_text("server", self.server.as_deref()).optional_text("tool", self.tool.as_deref());
        if let Some(commands) = self.commands.as_ref().filter(|_| commands) {
            out.raw("commands", commands.as_str());
        }
        if !self.unknown.is_empty() {
            out.texts("unknown", &self.unknown);
        }
        out.flag("complete", self.complete);
    }
}

impl ToolShell {
    /// Creates a command line that certainly runs, from a text for a shell.
    pub fn text(command: impl Into<String>) -> Self {
        ToolShell { command: command.into(), argv: None, certain: true }
    }

    fn to_json(&self) -> String {
        let mut out = ObjectWriter::with_capacity(32 + self.command.len());
        out.text("command", &self.command);
        if let Some(argv) = &self.argv {
            out.texts("argv", argv);
        }
        if !self.certain {
            out.flag("certain", false);
        }
        out.finish()
    }
}

impl ToolPath {
    /// Creates a certain path in [`Place::Other`] that the tool call wrote in this form.
    pub fn new(path: impl Into<String>, access: Access) -> Self {
        let path = path.into();
        ToolPath { as_written: path.clone(), path, real: None, access, place: Place::Other, certain: true }
    }

    fn to_json(&self) -> String {
        let mut out = ObjectWriter::with_capacity(64 + 3 * self.path.len());
        out.text("path", &self.path).optional_text("real", self.real.as_deref()).text("as_written", &self.as_written);
        out.text("access", self.access.as_str()).text("place", self.place.as_str());
        if !self.certain {
            out.flag("certain", false);
        }
        out.finish()
    }
}

/// The facts that hookbox determined. They follow from the rest of an Input, so any two values compare as equal.
#[derive(Clone, Debug, Eq)]
pub(super) struct Found(pub(super) Option<Box<Tool>>);

impl PartialEq for Found {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

const fn yes() -> bool {
    true
}

const fn elsewhere() -> Place {
    Place::Other
}

fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    let raw: Option<Box<RawValue>> = Deserialize::deserialize(deserializer)?;
    match raw {
        Some(raw) if !raw.get().starts_with('[') => Err(serde::de::Error::custom("`commands` must be a list")),
        raw => Ok(raw.map(|raw| Json::checked(&raw))),
    }
}
