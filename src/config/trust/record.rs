//! What the user trusts: a config as it stood, and what the files that it names held.

use super::files::{State, is_missing, state_of, still_holds};
use crate::config::file::ConfigFile;
use crate::config::problem::Problem;
use crate::protocol::{Code, os_words};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The version of what is written.
const VERSION: u32 = 1;

/// A config that the user trusts, as it stood then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrustRecord {
    version: u32,
    config: PathBuf,
    trusted_at: String,
    text: String,
    files: Vec<File>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    path: PathBuf,
    /// Absent if there was no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    #[serde(default)]
    size: u64,
}

impl File {
    fn state(&self) -> State {
        match &self.sha256 {
            Some(sha256) => State::Bytes { sha256: sha256.clone(), size: self.size },
            None => State::Missing,
        }
    }
}

/// A file that is not as it was when its config was trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub path: PathBuf,
    /// What became of it.
    pub kind: ChangeKind,
}

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It has other content.
    Changed,
    /// It was not there, or not named.
    New,
    /// It is not there any more.
    Gone,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            ChangeKind::Changed => "has changed",
            ChangeKind::New => "is new",
            ChangeKind::Gone => "is gone",
        };
        write!(f, "`{}` {what}", self.path.display())
    }
}

impl TrustRecord {
    /// A config as it was read, with the files that it names as they are now.
    pub(in crate::config) fn of(file: &ConfigFile, named: &BTreeSet<PathBuf>) -> Result<Self, Box<Problem>> {
        let fault = |path: &Path, why: &dyn fmt::Display| {
            let message = format!("cannot be trusted: `{}`: {why}", path.display());
            Box::new(Problem::about_file(&file.path, Code::Untrusted, message))
        };
        let config = file.path.canonicalize().map_err(|error| fault(&file.path, &os_words(&error)))?;
        let mut files = Vec::new();
        for path in named {
            // What is written down is UTF-8.
            if path.to_str().is_none() {
                return Err(fault(path, &"its name is not UTF-8"));
            }
            let state = state_of(path).map_err(|error| fault(path, &os_words(&error)))?;
            let path = path.clone();
            files.push(match state {
                State::Missing => File { path, sha256: None, size: 0 },
                State::Bytes { sha256, size } => File { path, sha256: Some(sha256), size },
            });
        }
        if config.to_str().is_none() {
            return Err(fault(&config, &"its name is not UTF-8"));
        }
        let trusted_at = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        Ok(TrustRecord { version: VERSION, config, trusted_at, text: file.text.clone(), files })
    }

    /// Whether it is one that this version writes, about this config.
    pub(super) fn is_of(&self, config: &Path) -> bool {
        self.version == VERSION && self.config == config
    }

    /// The config file, without links.
    #[must_use]
    pub fn config(&self) -> &Path {
        &self.config
    }

    /// When it was trusted, in RFC 3339.
    #[must_use]
    pub fn since(&self) -> &str {
        &self.trusted_at
    }

    /// What the config said.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The files that the config named, and the SHA-256 of each that was there.
    pub fn files(&self) -> impl Iterator<Item = (&Path, Option<&str>)> {
        self.files.iter().map(|file| (file.path.as_path(), file.sha256.as_deref()))
    }

    /// The SHA-256 that a file had.
    pub(in crate::config) fn digest_of(&self, path: &Path) -> Option<&str> {
        let path = super::files::settle(path);
        self.files.iter().find(|file| file.path == path)?.sha256.as_deref()
    }

    /// What is not as it was, for a config that says `text` and names these files now. Nothing: it is trusted.
    pub(in crate::config) fn changes(&self, text: &str, named: &BTreeSet<PathBuf>) -> Vec<Change> {
        let mut changes = Vec::new();
        let is_same_text = text == self.text;
        if !is_same_text {
            changes.push(Change { path: self.config.clone(), kind: ChangeKind::Changed });
        }
        let counts = |file: &&File| is_same_text || named.contains(&file.path);
        changes.extend(self.files.iter().filter(counts).filter_map(change));
        let is_known = |path: &&PathBuf| self.files.iter().any(|file| file.path == **path);
        let added = named.iter().filter(|path| !is_known(path));
        changes.extend(added.map(|path| Change { path: path.clone(), kind: ChangeKind::New }));
        changes
    }

    /// What of the config and the files that it named is not as it was, as far as their content tells.
    #[must_use]
    pub fn changes_on_disk(&self) -> Vec<Change> {
        let text = fs::read_to_string(&self.config).unwrap_or_default();
        let named = self.files.iter().map(|file| file.path.clone()).collect();
        self.changes(&text, &named)
    }
}

fn change(file: &File) -> Option<Change> {
    let before = file.state();
    if still_holds(&file.path, &before) {
        return None;
    }
    let is_gone = fs::metadata(&file.path).is_err_and(|error| is_missing(&error));
    let kind = match before {
        State::Missing => ChangeKind::New,
        State::Bytes { .. } if is_gone => ChangeKind::Gone,
        State::Bytes { .. } => ChangeKind::Changed,
    };
    Some(Change { path: file.path.clone(), kind })
}
