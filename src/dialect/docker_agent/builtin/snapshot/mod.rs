//! `snapshot`: remembers the project's files before each turn and call, so that what those changed can be undone.

mod history;
mod shadow;

use crate::protocol::{Event, Input};
use crate::runtime::Caller;
use history::{History, Pair};
use shadow::{Change, ChangeKind, Shadow};
use std::io;
use std::path::PathBuf;

/// The files that the builtin `snapshot` has kept, and the way back to them.
///
/// The files of each Git work tree are kept in a repository of their own below one directory. The project's own
/// repository is never changed. Files that the project's repository ignores are not kept, nor are new files over 2 MiB.
#[derive(Clone, Debug)]
pub struct Snapshots {
    data: PathBuf,
}

/// The files that a turn or a call changed. The paths are relative to the work tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checkpoint {
    /// The files that did not exist before.
    pub added: Vec<PathBuf>,
    /// The files with another content or mode than before.
    pub changed: Vec<PathBuf>,
    /// The files that no longer exist.
    pub removed: Vec<PathBuf>,
}

/// The error for files that cannot be kept or restored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The directory is in no Git work tree, or git does not trust it.
    #[error("not a git repository")]
    NotARepository,
    /// This git command failed, for example because git is not installed.
    #[error("`git {0}` failed")]
    Git(&'static str),
    /// A file cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl Snapshots {
    /// Uses the snapshots that are kept in a directory, which is created when it is needed.
    pub fn new(data: impl Into<PathBuf>) -> Self {
        Snapshots { data: data.into() }
    }

    /// Returns the default snapshots: `snapshot` in hookbox's state directory. `None` without a home directory.
    pub(super) fn of_user() -> Option<Self> {
        let named = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|dir| dir.is_absolute());
        let state = named.or_else(|| Some(std::env::home_dir()?.join(".local/state")))?;
        Some(Snapshots::new(state.join("hookbox/snapshot")))
    }

    /// Lists what can be undone of a session in the work tree of `dir`, oldest first. A change that git has forgotten
    /// is empty.
    ///
    /// # Errors
    /// Returns an error if `dir` is not in a Git work tree, or its snapshots cannot be read.
    pub async fn list(&self, dir: &str, session: &str) -> Result<Vec<Checkpoint>, SnapshotError> {
        let caller = Caller::default();
        let shadow = Shadow::open(&self.data, dir, &caller).await?;
        let mut list = Vec::new();
        for Pair { before, after } in History::read(shadow.dir(), session)?.checkpoints {
            let mut checkpoint = Checkpoint::default();
            for Change { path, kind } in shadow.changes(&before, &after).await.unwrap_or_default() {
                match kind {
                    ChangeKind::Added => checkpoint.added.push(path),
                    ChangeKind::Changed => checkpoint.changed.push(path),
                    ChangeKind::Removed => checkpoint.removed.push(path),
                }
            }
            list.push(checkpoint);
        }
        Ok(list)
    }

    /// Undoes the newest change. Returns the number of files that were restored or removed.
    ///
    /// # Errors
    /// Returns an error if `dir` is not in a Git work tree, or git fails. What was not undone can be tried again.
    pub async fn undo(&self, dir: &str, session: &str) -> Result<usize, SnapshotError> {
        self.undo_while(dir, session, |_, undone| undone == 0).await
    }

    /// Undoes all changes but the oldest `keep`, the newest first. Returns the number of files.
    ///
    /// # Errors
    /// Returns an error if `dir` is not in a Git work tree, or git fails. What was not undone can be tried again.
    pub async fn reset(&self, dir: &str, session: &str, keep: usize) -> Result<usize, SnapshotError> {
        self.undo_while(dir, session, |left, _| left > keep).await
    }

    /// Undoes changes while `goes_on` says so, given how many changes are left and how many were undone.
    async fn undo_while(
        &self,
        dir: &str,
        session: &str,
        goes_on: impl Fn(usize, usize) -> bool,
    ) -> Result<usize, SnapshotError> {
        let caller = Caller::default();
        let shadow = Shadow::open(&self.data, dir, &caller).await?;
        let mut history = History::read(shadow.dir(), session)?;
        let (mut files, mut undone) = (0, 0);
        while goes_on(history.checkpoints.len(), undone) {
            let Some(Pair { before, after }) = history.checkpoints.last() else { break };
            files += shadow.restore(before, &shadow.changes(before, after).await?).await?;
            undone += 1;
            history.checkpoints.pop();
            history.write()?;
        }
        Ok(files)
    }

    /// Keeps the files as an event requires.
    pub(super) async fn note(&self, input: &Input, caller: &Caller) -> Result<(), SnapshotError> {
        let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let (Some(dir), Some(session)) = (given(&input.pwd), given(&input.session_id)) else {
            return Ok(());
        };
        let id = input.tool_use_id.as_deref().unwrap_or_default();
        let shadow = match Shadow::open(&self.data, &dir, caller).await {
            Err(SnapshotError::NotARepository) => return Ok(()),
            opened => opened?,
        };
        let mut history = History::read(shadow.dir(), &session)?;
        match input.event {
            Event::SessionStart => return shadow.tree().await.map(drop),
            Event::SessionEnd => return shadow.collect_garbage().await,
            Event::TurnStart => history.begin_turn(shadow.tree().await?),
            Event::PreTool => history.begin_call(id, shadow.tree().await?),
            Event::TurnEnd => {
                let before = history.turn.take();
                history.push(before, shadow.tree().await?);
            }
            Event::PostTool => {
                let before = history.end_call(id);
                history.push(before, shadow.tree().await?);
            }
            _ => return Ok(()),
        }
        Ok(history.write()?)
    }
}
