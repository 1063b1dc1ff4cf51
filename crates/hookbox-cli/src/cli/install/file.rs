//! A settings file: its content, its content before hookbox, and its new content.

use super::base::{Base, Owner};
use anyhow::{Context, bail};
use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The suffix of the original file.
const BACKUP: &str = ".before-hookbox";

/// What the names of unfinished files begin and end with.
const UNFINISHED: (&str, &str) = (".hookbox-", ".tmp");

/// What those of earlier versions begin with, and how long they are.
const EARLIER: (&str, usize) = (".tmp", 10);

/// The largest settings file, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// A file before the change.
pub(in crate::cli) struct Before {
    path: PathBuf,
    text: Option<String>,
}

impl Before {
    /// Reads a file, or notes that it does not exist. A link is followed, so its target changes.
    ///
    /// # Errors
    /// It cannot be read, or is not text.
    pub(in crate::cli) fn read(path: &Path) -> anyhow::Result<Self> {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if !real.exists() && real.is_symlink() {
            bail!("`{}` is a link to a file that is not there", path.display());
        }
        let meta = match fs::metadata(&real) {
            Ok(meta) => meta,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Before { path: real, text: None }),
            Err(error) => return Err(error).with_context(|| format!("`{}` cannot be read", path.display())),
        };
        if !meta.is_file() || meta.len() > MAX_BYTES {
            bail!("`{}` is not a settings file", path.display());
        }
        let text = fs::read_to_string(&real).with_context(|| format!("`{}` cannot be read", path.display()))?;
        Ok(Before { path: real, text: Some(text) })
    }

    pub(super) const fn exists(&self) -> bool {
        self.text.is_some()
    }

    /// Checks that the file is still as it was read.
    ///
    /// # Errors
    /// It is not, or cannot be read.
    fn check_unchanged(&self) -> anyhow::Result<()> {
        let now = Before::read(&self.path)?;
        if (&now.path, &now.text) != (&self.path, &self.text) {
            bail!("`{}` was changed in the meantime, so nothing was written: start again", self.path.display());
        }
        Ok(())
    }

    pub(in crate::cli) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }
}

/// The file as it was before hookbox was installed, if it existed.
///
/// # Errors
/// It cannot be read.
pub(super) fn backup(path: &Path) -> anyhow::Result<Option<String>> {
    Ok(Before::read(&beside(&path.canonicalize().unwrap_or_else(|_| path.to_owned())))?.text)
}

/// Whether hookbox created the file: there is no original.
pub(super) fn is_made(path: &Path) -> bool {
    !beside(&path.canonicalize().unwrap_or_else(|_| path.to_owned())).exists()
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(BACKUP);
    PathBuf::from(name)
}

/// The change to a file.
pub(in crate::cli) struct Change {
    before: Before,
    /// `None`: the file is removed.
    after: Option<String>,
    is_program: bool,
    /// Whether the old file is kept beside the new one.
    keeps_old: bool,
}

impl Change {
    pub(in crate::cli) const fn new(before: Before, after: Option<String>, is_program: bool) -> Self {
        Change { before, after, is_program, keeps_old: false }
    }

    /// The same change, keeping the old file beside the new one.
    pub(super) fn keeping_old(self, keeps_old: bool) -> Self {
        Change { keeps_old, ..self }
    }

    /// Whether anything changes.
    pub(super) fn is_one(&self) -> bool {
        self.before.text != self.after
    }

    pub(super) fn path(&self) -> &Path {
        &self.before.path
    }

    pub(super) const fn verb(&self) -> &'static str {
        match (&self.before.text, &self.after) {
            (None, _) => "new:    ",
            (_, None) => "removed:",
            _ => "changed:",
        }
    }

    pub(super) fn old(&self) -> &str {
        self.before.text()
    }

    pub(super) fn new_text(&self) -> &str {
        self.after.as_deref().unwrap_or_default()
    }

    /// Checks that the file is still the one that was shown.
    ///
    /// # Errors
    /// It is not, or cannot be read.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        self.before.check_unchanged()
    }

    /// Makes the change. The file is written under another name and renamed, so it is always complete. It keeps its mode
    /// and its owner; a new one belongs to the owner of its directory.
    ///
    /// # Errors
    /// The system refuses. The old file is then still in place.
    pub(super) fn make(&self, base: &Base) -> io::Result<()> {
        let path = self.path();
        let Some(after) = &self.after else { return fs::remove_file(path) };
        let dir = path.parent().unwrap_or(Path::new("/"));
        base.make_dir(dir)?;
        let (mode, owner) = match fs::metadata(path) {
            Ok(meta) => (meta.permissions().mode() & 0o777, Owner::of(&meta)),
            Err(_) => (if self.is_program { 0o755 } else { 0o644 }, Owner::of(&fs::metadata(dir)?)),
        };
        let backup = beside(path);
        if let Some(before) = self.before.text.as_ref().filter(|_| self.keeps_old && !backup.exists()) {
            write(dir, &backup, before, mode, owner)?;
        }
        write(dir, path, after, mode, owner)
    }

    /// Removes the unfinished files that a process left behind which was killed while it wrote this one. Nobody else may be
    /// writing it. What cannot be removed does no harm.
    pub(super) fn sweep(&self) {
        let entries = self.path().parent().and_then(|dir| fs::read_dir(dir).ok());
        for entry in entries.into_iter().flatten().flatten() {
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            if is_file && entry.file_name().to_str().is_some_and(|name| is_unfinished(name, &entry.path())) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Removes the kept file once it is restored, or hookbox is gone from the new one.
    pub(super) fn forget_backup(&self) {
        // If this fails, the file merely stays.
        let _ = fs::remove_file(beside(self.path()));
    }
}

/// Whether a file is an unfinished one. Those of earlier versions have a name that other programs use, too.
fn is_unfinished(name: &str, path: &Path) -> bool {
    let (begin, end) = UNFINISHED;
    let (earlier, length) = EARLIER;
    let is_small = || fs::metadata(path).is_ok_and(|meta| meta.len() <= MAX_BYTES);
    let names_us = || is_small() && fs::read_to_string(path).is_ok_and(|text| text.contains("hookbox"));
    name.starts_with(begin) && name.ends_with(end) || name.len() == length && name.starts_with(earlier) && names_us()
}

fn write(dir: &Path, path: &Path, text: &str, mode: u32, owner: Owner) -> io::Result<()> {
    let (begin, end) = UNFINISHED;
    let mut file = tempfile::Builder::new().prefix(begin).suffix(end).tempfile_in(dir)?;
    file.write_all(text.as_bytes())?;
    owner.give(file.as_file())?;
    file.as_file().set_permissions(Permissions::from_mode(mode))?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
