//! Problems in a config: what is wrong, where, and what to do about it.

use crate::protocol::Code;
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};

/// Whether a problem keeps a hook from being used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// A hook or a file is not used as written.
    Error,
    /// Everything is used, but something deserves a look.
    Warning,
}

/// A location in a config file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Location {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The number of characters that it covers, at least 1.
    #[serde(skip)]
    pub width: usize,
    /// The line's text.
    #[serde(skip)]
    pub text: String,
}

/// One problem with a config.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Problem {
    /// Whether the problem keeps a hook from being used.
    pub severity: Severity,
    /// The stable code.
    pub code: Code,
    /// The file.
    pub file: PathBuf,
    /// The location in the file, if the problem is about a part of it.
    #[serde(flatten)]
    pub location: Option<Location>,
    /// The hook that the problem is about, if any.
    pub hook: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl Problem {
    /// Creates an error about a whole file.
    pub fn about_file(file: &Path, code: Code, message: impl Into<String>) -> Self {
        Problem {
            severity: Severity::Error,
            code,
            file: file.to_owned(),
            location: None,
            hook: None,
            message: message.into(),
            help: None,
        }
    }

    /// Returns the subject for an Outcome's warnings: the hook, or else the file.
    #[must_use]
    pub fn subject(&self) -> String {
        match &self.hook {
            Some(hook) => hook.clone(),
            None => self.file.display().to_string(),
        }
    }
}

impl fmt::Display for Problem {
    /// Writes one line: file, line and column, what is wrong, what to do.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(Location { line, column, .. }) = &self.location {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}
