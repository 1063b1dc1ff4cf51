//! The commands of a shell text, in the form that the facts have.

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
    /// How this command is run: the name of the command that runs it, or `substitution`, `heredoc`, `alias`,
    /// `function`, `variable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// The indices of the commands whose output this command reads.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reads_from: Vec<usize>,
    /// The function that this command belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// Whether the shell does not wait for this command.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub background: bool,
    /// The index of this command's command line in [`Tool::shells`](crate::Tool::shells), if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shell: Option<usize>,
    /// `false` if this command only possibly runs, because the tool is not known. Ask where you would deny or ask about
    /// a certain command, and never allow because of an uncertain one. Certain commands come first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certain: Option<bool>,
    /// The files that this command names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<ShellFile>,
    /// Whether the program has arguments and is not in hookbox's tables, so any argument may be a file that `files`
    /// does not have.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unlisted: bool,
}

impl ShellCommand {
    /// Whether the call certainly runs this command.
    #[must_use]
    pub const fn is_certain(&self) -> bool {
        !matches!(self.certain, Some(false))
    }
}

/// A word of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum ShellWord {
    /// Every character is known.
    Known(String),
    /// Parts are known only when the command runs.
    Partly {
        /// The word as written.
        raw: String,
        /// The parts of the word, in order.
        parts: Vec<ShellPart>,
    },
}

impl ShellWord {
    /// Returns the word, if every character is known.
    #[must_use]
    pub fn known(&self) -> Option<&str> {
        match self {
            ShellWord::Known(text) => Some(text),
            ShellWord::Partly { .. } => None,
        }
    }

    /// Returns the word if every character is known, or else the word as written.
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
        /// The source text of this part.
        unknown: String,
    },
}

/// A variable that a command sets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ShellAssignment {
    /// The variable's name.
    pub name: String,
    /// The variable's value.
    pub value: ShellWord,
}

/// A redirection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ShellRedirect {
    /// The file descriptor that is redirected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fd: Option<u32>,
    /// The operator.
    pub op: String,
    /// The file, or the operand that the operator has in its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<ShellWord>,
    /// What the redirection does with the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access: Option<Access>,
}

/// A file that a command names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ShellFile {
    /// The word that names the file.
    pub path: ShellWord,
    /// What the command does with the file.
    pub access: Access,
}
