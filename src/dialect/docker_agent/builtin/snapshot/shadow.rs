//! The shadow repository, beside the project's own, that stores the trees of the project's files.

use super::SnapshotError;
use crate::dialect::docker_agent::builtin::git::Asking;
use crate::runtime::Caller;
use crate::runtime::shell::Overflow;
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The largest new file that is kept, in bytes.
const MAX_NEW_FILE: u64 = 2 << 20;
/// The longest list of ignore patterns, in bytes.
const MAX_PATTERNS: u64 = 1 << 20;
/// The time limit of one call of git. The hook's own time limit is usually shorter.
const LIMIT: Duration = Duration::from_secs(600);
/// The longest list of files that is read, in bytes. A longer one is an error, because part of it would be lost.
const MAX_LIST: usize = 64 << 20;

/// A file that differs between two trees.
pub(super) struct Change {
    /// The path below the project's directory.
    pub(super) path: PathBuf,
    pub(super) kind: ChangeKind,
}

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChangeKind {
    Added,
    Changed,
    Removed,
}

/// The shadow repository of a work tree. It has an index and objects, but no commits.
pub(super) struct Shadow<'c> {
    /// The work tree.
    top: PathBuf,
    /// The shadow's own directory.
    dir: PathBuf,
    caller: &'c Caller,
    /// Held for the lifetime of this value: git refuses a second program that changes the index.
    _lock: File,
}

impl<'c> Shadow<'c> {
    /// Opens the shadow, below `data`, of the work tree that a directory belongs to. Creates it if it does not exist.
    pub(super) async fn open(data: &Path, cwd: &str, caller: &'c Caller) -> Result<Self, SnapshotError> {
        let asking = Asking { limit: LIMIT, output: 64 << 10, overflow: Overflow::End };
        let found = asking.ask(cwd, &["rev-parse", "--show-toplevel"], &[], Vec::new(), caller).await;
        let (_, found) = found.filter(|(success, _)| *success).ok_or(SnapshotError::NotARepository)?;
        let top = found.strip_suffix(b"\n").filter(|top| !top.is_empty()).ok_or(SnapshotError::NotARepository)?;
        let name: String = blake3::hash(top).to_hex().chars().take(32).collect();
        let (top, dir) = (PathBuf::from(OsStr::from_bytes(top)), data.join(name));
        fs::create_dir_all(&dir)?;
        let file = File::options().create(true).truncate(false).write(true).open(dir.join("hookbox.lock"))?;
        let lock = tokio::task::spawn_blocking(move || file.lock().map(|()| file));
        let lock = lock.await.map_err(|_| SnapshotError::Git("lock"))??;
        let shadow = Shadow { top, dir, caller, _lock: lock };
        if !shadow.dir.join("HEAD").exists() {
            shadow.git("init", &["--quiet"]).await?;
        }
        shadow.exclude(cwd, asking).await?;
        Ok(shadow)
    }

    /// Returns the directory in which the history of sessions is kept.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Makes the shadow ignore what the project's own repository ignores without a `.gitignore`, and the shadow itself.
    async fn exclude(&self, cwd: &str, asking: Asking) -> Result<(), SnapshotError> {
        let args = ["rev-parse", "--path-format=absolute", "--git-path", "info/exclude"];
        let asked = asking.ask(cwd, &args, &[], Vec::new(), self.caller).await;
        let path = asked.filter(|(success, _)| *success).map(|(_, path)| path).unwrap_or_default();
        let path = Path::new(OsStr::from_bytes(path.strip_suffix(b"\n").unwrap_or(&path)));
        // Reading a pipe in place of the file would never end.
        let mut patterns = match fs::metadata(path) {
            Ok(meta) if !meta.is_file() || meta.len() > MAX_PATTERNS => {
                return Err(io::Error::new(ErrorKind::InvalidData, "`info/exclude` is not a file, or too large").into());
            }
            Ok(_) => fs::read(path)?,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        if let Some(data) = self.dir.parent().and_then(|data| data.strip_prefix(&self.top).ok()) {
            patterns.extend_from_slice(b"\n/");
            patterns.extend_from_slice(data.as_os_str().as_bytes());
            patterns.push(b'\n');
        }
        fs::create_dir_all(self.dir.join("info"))?;
        Ok(fs::write(self.dir.join("info/exclude"), patterns)?)
    }

    /// Stores the files as they are now, and returns the name of their tree.
    pub(super) async fn tree(&self) -> Result<String, SnapshotError> {
        self.git("add", &["--update"]).await?;
        let new = self.git("ls-files", &["--others", "--exclude-standard", "-z"]).await?;
        let mut wanted = Vec::new();
        for path in new.split(|&byte| byte == 0) {
            // A path that is a directory is another repository.
            let is_kept = !path.is_empty() && !path.ends_with(b"/") && self.size(path) <= MAX_NEW_FILE;
            if is_kept {
                wanted.extend_from_slice(path);
                wanted.push(0);
            }
        }
        if !wanted.is_empty() {
            self.git_with("add", &["--pathspec-from-file=-", "--pathspec-file-nul"], wanted).await?;
        }
        let tree = self.git("write-tree", &[]).await?;
        String::from_utf8(tree.trim_ascii().to_vec()).map_err(|_| SnapshotError::Git("write-tree"))
    }

    /// Returns the size of a file, in bytes: 0 if it cannot be looked at.
    fn size(&self, path: &[u8]) -> u64 {
        fs::symlink_metadata(self.top.join(OsStr::from_bytes(path))).map_or(0, |meta| meta.len())
    }

    /// Returns the files that differ between two trees. A name that is not a tree is an error.
    pub(super) async fn changes(&self, before: &str, after: &str) -> Result<Vec<Change>, SnapshotError> {
        let args = ["-r", "-z", "--no-renames", "--name-status", "--end-of-options", before, after];
        let list = self.git("diff-tree", &args).await?;
        let mut parts = list.split(|&byte| byte == 0);
        let mut changes = Vec::new();
        while let (Some(status), Some(path)) = (parts.next(), parts.next()) {
            let kind = match status {
                b"A" => ChangeKind::Added,
                b"D" => ChangeKind::Removed,
                _ => ChangeKind::Changed,
            };
            changes.push(Change { path: PathBuf::from(OsStr::from_bytes(path)), kind });
        }
        Ok(changes)
    }

    /// Restores the files that changed since a tree to their content in it. Returns how many there are.
    pub(super) async fn restore(&self, tree: &str, changes: &[Change]) -> Result<usize, SnapshotError> {
        // A `Dir` keeps paths below the work tree, even where a link has taken the place of a directory.
        let top = Dir::open_ambient_dir(&self.top, ambient_authority())?;
        for change in changes.iter().filter(|change| change.kind == ChangeKind::Added) {
            match top.remove_file(&change.path) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
                _ => {}
            }
        }
        let mut known = Vec::new();
        for change in changes.iter().filter(|change| change.kind != ChangeKind::Added) {
            known.extend_from_slice(change.path.as_os_str().as_bytes());
            known.push(0);
        }
        if !known.is_empty() {
            let args = ["--quiet", "--pathspec-from-file=-", "--pathspec-file-nul", tree];
            self.git_with("checkout", &args, known).await?;
        }
        Ok(changes.len())
    }

    /// Removes objects that no index has needed for seven days.
    pub(super) async fn collect_garbage(&self) -> Result<(), SnapshotError> {
        self.git("gc", &["--quiet", "--prune=7.days.ago"]).await.map(drop)
    }

    async fn git(&self, command: &'static str, args: &[&str]) -> Result<Vec<u8>, SnapshotError> {
        self.git_with(command, args, Vec::new()).await
    }

    async fn git_with(&self, command: &'static str, args: &[&str], stdin: Vec<u8>) -> Result<Vec<u8>, SnapshotError> {
        let asking = Asking { limit: LIMIT, output: MAX_LIST, overflow: Overflow::End };
        let variables: [(&str, OsString); 3] = [
            ("GIT_DIR", self.dir.clone().into()),
            ("GIT_WORK_TREE", self.top.clone().into()),
            ("GIT_LITERAL_PATHSPECS", "1".into()),
        ];
        let top = self.top.to_str().ok_or(SnapshotError::Git(command))?;
        let args: Vec<&str> = [command].into_iter().chain(args.iter().copied()).collect();
        let asked = asking.ask(top, &args, &variables, stdin, self.caller).await;
        let (_, output) = asked.filter(|(success, _)| *success).ok_or(SnapshotError::Git(command))?;
        Ok(output)
    }
}
