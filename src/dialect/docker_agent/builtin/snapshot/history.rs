//! The history of a session: the trees to compare with, and what can be undone.

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use cap_tempfile::TempFile;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The most changes of a session that can be undone. The oldest are forgotten first.
const MAX_CHECKPOINTS: usize = 1000;
/// The most calls that are under way at a time. A call that never ends is forgotten when the next turn begins.
const MAX_CALLS: usize = 1000;

/// The trees before and after a turn or a call that changed files.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Pair {
    pub(super) before: String,
    pub(super) after: String,
}

/// A session's part of the shadow repository.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct History {
    /// The tree at the beginning of the turn.
    pub(super) turn: Option<String>,
    /// The tree before each call, by its id.
    calls: BTreeMap<String, String>,
    /// Oldest first.
    pub(super) checkpoints: Vec<Pair>,
    #[serde(skip)]
    file: PathBuf,
}

impl History {
    /// Reads the history of a session.
    pub(super) fn read(shadow: &Path, session: &str) -> io::Result<Self> {
        // The file is named by a hash, since a session's id may have any characters.
        let name: String = blake3::hash(session.as_bytes()).to_hex().chars().take(32).collect();
        let file = shadow.join("sessions").join(format!("{name}.json"));
        let mut history: History = match fs::read(&file) {
            Ok(json) => serde_json::from_slice(&json)?,
            Err(error) if error.kind() == ErrorKind::NotFound => History::default(),
            Err(error) => return Err(error),
        };
        history.file = file;
        Ok(history)
    }

    /// Writes the history. A reader sees either the old history or the new one.
    pub(super) fn write(&self) -> io::Result<()> {
        let (Some(dir), Some(name)) = (self.file.parent(), self.file.file_name()) else {
            return Err(ErrorKind::InvalidInput.into());
        };
        fs::create_dir_all(dir)?;
        let dir = Dir::open_ambient_dir(dir, ambient_authority())?;
        let mut file = TempFile::new(&dir)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.replace(name)
    }

    /// Begins a turn. Calls of the previous turn have ended.
    pub(super) fn begin_turn(&mut self, tree: String) {
        self.turn = Some(tree);
        self.calls.clear();
    }

    /// Remembers the tree before a call.
    pub(super) fn begin_call(&mut self, id: &str, tree: String) {
        if self.calls.len() < MAX_CALLS {
            self.calls.insert(id.to_owned(), tree);
        }
    }

    /// Forgets a call, which has ended. Returns the tree before it.
    pub(super) fn end_call(&mut self, id: &str) -> Option<String> {
        self.calls.remove(id)
    }

    /// Adds a pair of trees that can be undone, if anything changed.
    pub(super) fn push(&mut self, before: Option<String>, after: String) {
        let Some(before) = before.filter(|before| *before != after) else {
            return;
        };
        self.checkpoints.push(Pair { before, after });
        let forgotten = self.checkpoints.len().saturating_sub(MAX_CHECKPOINTS);
        self.checkpoints.drain(..forgotten);
    }
}
