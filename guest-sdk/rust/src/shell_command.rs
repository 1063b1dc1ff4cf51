//! A command of a shell text, as the facts have it.

use crate::Access;
use serde::{Deserialize, Serialize};

/// A simple command of a shell text. Members that do not apply are absent or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ShellCommand {
    /// The program's name without its directory. Absent if it is known only when the command runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The program and its arguments.
    pub argv: Vec<ShellWord>,
    /// The command as written, cut after about 200 bytes.
    pub text: String,
    /// The directory that the command runs in, if the text changes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<ShellWord>,
    /// The variables that the command sets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assignments: Vec<ShellAssignment>,
    /// The command's redirections.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub redirects: Vec<ShellRedirect>,
    /// The text of its standard input, if known: a here-document, or the output of `echo`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdin: Option<ShellWord>,
    /// The index of the command that runs this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// How it is run: the name of that command, or `substitution`, `heredoc`, `alias`, `function`,
    /// `variable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// The indices of the commands whose output it reads.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reads_from: Vec<usize>,
    /// The function that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// Whether the shell does not wait for it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub background: bool,
    /// The index of the command line in [`Tool::shells`](crate::Tool::shells) that it is part of, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shell: Option<usize>,
    /// `false` if it is only possible that it runs, since the tool is not known: ask where you would deny or ask about a
    /// command that is certain, and never allow because of it. Those that are certain come first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certain: Option<bool>,
    /// The files that it names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<ShellFile>,
    /// Whether its program has arguments and is not in hookbox's tables, so any of them may be a file that `files` does
    /// not have.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unlisted: bool,
}

impl ShellCommand {
    /// Whether the call surely runs it.
    #[must_use]
    pub const fn is_certain(&self) -> bool {
        !matches!(self.certain, Some(false))
    }
}

/// A word of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ShellWord {
    /// Every character is known.
    Known(String),
    /// Parts are known only when the command runs.
    Partly {
        /// The word as written.
        raw: String,
        /// Its parts, in order.
        #[serde(default)]
        parts: Vec<ShellPart>,
    },
}

impl ShellWord {
    /// The word, if every character is known.
    #[must_use]
    pub fn known(&self) -> Option<&str> {
        match self {
            ShellWord::Known(text) => Some(text),
            ShellWord::Partly { .. } => None,
        }
    }

    /// The word as written, or as far as it is known.
    #[must_use]
    pub fn written(&self) -> &str {
        match self {
            ShellWord::Known(text) | ShellWord::Partly { raw: text, .. } => text,
        }
    }
}

/// A part of a word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ShellPart {
    /// Known text.
    Known(String),
    /// A file name pattern.
    Glob {
        /// The pattern.
        glob: String,
    },
    /// Text that is known only when the command runs.
    Unknown {
        /// Its source text.
        unknown: String,
    },
}

/// A variable that a command sets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ShellAssignment {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: ShellWord,
}

/// A redirection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ShellRedirect {
    /// The descriptor that it replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fd: Option<u32>,
    /// The operator.
    pub op: String,
    /// The file, or the operand in its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<ShellWord>,
    /// What happens to the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access: Option<Access>,
}

/// A file that a command names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ShellFile {
    /// The word that names it.
    pub path: ShellWord,
    /// What happens to it.
    pub access: Access,
}
