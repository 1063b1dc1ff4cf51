//! What the user trusts: a config's text, and the content of the files that it names.

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

/// The version of the record's format.
const VERSION: u32 = 1;

/// A config that the user trusts, with its content at that time.
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
    /// Absent if the file did not exist.
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

/// A file that has changed since its config was trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The file.
    pub path: PathBuf,
    /// How it changed.
    pub kind: ChangeKind,
}

/// How a file changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeKind {
    /// The content is different.
    Changed,
    /// The file did not exist before, or was not named.
    New,
    /// The file no longer exists.
    Removed,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            ChangeKind::Changed => "has changed",
            ChangeKind::New => "is new",
            ChangeKind::Removed => "is gone",
        };
        write!(f, "`{}` {what}", self.path.display())
    }
}

impl TrustRecord {
    /// Records a config as it was read, and the current content of the files that it names.
    pub(in crate::config) fn for_file(file: &ConfigFile, named: &BTreeSet<PathBuf>) -> Result<Self, Box<Problem>> {
        let fault = |path: &Path, why: &dyn fmt::Display| {
            let message = format!("cannot be trusted: `{}`: {why}", path.display());
            Box::new(Problem::about_file(&file.path, Code::Untrusted, message))
        };
        let config = file.path.canonicalize().map_err(|error| fault(&file.path, &os_words(&error)))?;
        let mut files = Vec::new();
        for path in named {
            // The record is stored as UTF-8.
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

    /// Returns whether the record has this version's format and is about this config.
    pub(super) fn is_of(&self, config: &Path) -> bool {
        self.version == VERSION && self.config == config
    }

    /// Returns the path of the config file, without links.
    #[must_use]
    pub fn config(&self) -> &Path {
        &self.config
    }

    /// Returns the time when the config was trusted, in RFC 3339.
    #[must_use]
    pub fn since(&self) -> &str {
        &self.trusted_at
    }

    /// Returns the text of the config.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the files that the config named, with the SHA-256 of each that existed.
    pub fn files(&self) -> impl Iterator<Item = (&Path, Option<&str>)> {
        self.files.iter().map(|file| (file.path.as_path(), file.sha256.as_deref()))
    }

    /// Returns the SHA-256 that a file had when the config was trusted.
    pub(in crate::config) fn digest_of(&self, path: &Path) -> Option<&str> {
        let path = super::files::settle(path);
        self.files.iter().find(|file| file.path == path)?.sha256.as_deref()
    }

    /// Returns what has changed, for a config whose text is now `text` and that names these files. If the list is
    /// empty, the config is trusted.
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

    /// Returns the changes to the config and the files that it named, judged only by their content.
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
        State::Bytes { .. } if is_gone => ChangeKind::Removed,
        State::Bytes { .. } => ChangeKind::Changed,
    };
    Some(Change { path: file.path.clone(), kind })
}
