//! A settings file, its content, and the change to it.

use super::base::{Base, Owner};
use super::record::{Record, Records};
use anyhow::{Context, bail};
use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The prefix and the suffix of the names of unfinished files.
const UNFINISHED: (&str, &str) = (".hookbox-", ".tmp");

/// The prefix and the length of the names of unfinished files that earlier versions of hookbox wrote.
const EARLIER: (&str, usize) = (".tmp", 10);

/// The maximum size of a settings file, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// A file before the change.
pub(in crate::cli) struct Before {
    path: PathBuf,
    /// Whether the given path, or its directory, was a link.
    is_linked: bool,
    text: Option<String>,
}

impl Before {
    /// Reads a file, or notes that it does not exist. A link is followed, so its target is the file that changes.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is too large, or is not text.
    pub(in crate::cli) fn read(path: &Path) -> anyhow::Result<Self> {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let is_linked = path.is_symlink() || path.parent().is_some_and(Path::is_symlink);
        if !real.exists() && real.is_symlink() {
            bail!("`{}` is a link to a file that is not there", path.display());
        }
        let meta = match fs::metadata(&real) {
            Ok(meta) => meta,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Before { path: real, is_linked, text: None });
            }
            Err(error) => return Err(error).with_context(|| format!("`{}` cannot be read", path.display())),
        };
        if !meta.is_file() || meta.len() > MAX_BYTES {
            bail!("`{}` is not a settings file", path.display());
        }
        let text = fs::read_to_string(&real).with_context(|| format!("`{}` cannot be read", path.display()))?;
        Ok(Before { path: real, is_linked, text: Some(text) })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) const fn exists(&self) -> bool {
        self.text.is_some()
    }

    /// Checks that the file is still as it was read.
    ///
    /// # Errors
    /// Returns an error if the file was changed or cannot be read.
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

/// The change to a file.
pub(in crate::cli) struct Change {
    before: Before,
    /// The new text; `None` if the file is removed.
    after: Option<String>,
    is_program: bool,
    /// The path and the text of the record that is written first. It says what the file was before.
    record: Option<(PathBuf, String)>,
}

impl Change {
    pub(in crate::cli) const fn new(before: Before, after: Option<String>, is_program: bool) -> Self {
        Change { before, after, is_program, record: None }
    }

    /// Returns the same change with a record of it, which is written first.
    pub(super) fn recorded(self, records: &Records, is_first: bool) -> Self {
        let before = self.before.text.as_deref();
        let record = self.after.as_deref().and_then(|after| {
            let record = Record::of_edit(records.of(self.path()), is_first, before, after)?;
            Some((records.file(self.path())?, record.to_text(self.path())))
        });
        Change { record, ..self }
    }

    /// Whether anything changes.
    pub(super) fn changes_anything(&self) -> bool {
        self.before.text != self.after
    }

    pub(super) fn path(&self) -> &Path {
        &self.before.path
    }

    /// Returns the words for what happens to the file, or for what would happen.
    pub(super) const fn verb(&self, is_certain: bool) -> &'static str {
        match (&self.before.text, &self.after, is_certain) {
            (None, _, true) => "new:    ",
            (_, None, true) => "removed:",
            (_, _, true) => "changed:",
            (None, _, false) => "would be new:    ",
            (_, None, false) => "would be removed:",
            (_, _, false) => "would be changed:",
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
    /// Returns an error if the file was changed or cannot be read.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        self.before.check_unchanged()
    }

    /// Returns what keeps hookbox from replacing the file: it is protected, managed by another program, or another
    /// user's.
    pub(super) fn obstacle(&self) -> Option<String> {
        let path = self.path();
        let shown = path.display();
        let dir = path.parent().unwrap_or(Path::new("/"));
        let meta = fs::metadata(path).ok();
        let mode = meta.as_ref().map_or(0o600, |meta| meta.permissions().mode() & 0o777);
        let is_fixed = mode & 0o200 == 0;
        let is_closed = || dir.exists() && rustix::fs::access(dir, rustix::fs::Access::WRITE_OK).is_err();
        if self.before.is_linked && (is_fixed || is_closed()) {
            return Some(format!(
                "a link leads to `{shown}`, which cannot be written: another program manages it (such as home-manager or Nix). \
                 Make this change where that program takes it from"
            ));
        }
        if is_fixed {
            return Some(format!("`{shown}` is protected against writing (mode {mode:o}): `chmod u+w` it first"));
        }
        let user = rustix::process::geteuid();
        let owner = meta.map(|meta| meta.uid()).filter(|owner| !user.is_root() && *owner != user.as_raw())?;
        Some(format!("`{shown}` belongs to another user ({owner}), and would become yours"))
    }

    /// Returns what the user should know before the file is replaced.
    pub(super) fn note(&self) -> Option<String> {
        let links = fs::metadata(self.path()).ok()?.nlink();
        (links > 1).then(|| format!("the file has {links} names (hard links): the others keep what is there now"))
    }

    /// Makes the change. The file is written under another name and renamed, so it is always complete. It keeps its
    /// mode and its owner; a new file belongs to the owner of its directory.
    ///
    /// # Errors
    /// Returns an error if the system refuses. The old file is then still in place.
    pub(super) fn make(&self, base: &Base) -> io::Result<()> {
        let path = self.path();
        let Some(after) = &self.after else { return fs::remove_file(path) };
        let dir = path.parent().unwrap_or(Path::new("/"));
        base.make_dir(dir)?;
        let (mode, owner) = match fs::metadata(path) {
            Ok(meta) => (meta.permissions().mode() & 0o777, Owner::of(&meta)),
            Err(_) => (if self.is_program { 0o755 } else { 0o644 }, Owner::of(&fs::metadata(dir)?)),
        };
        if let Some((record, text)) = &self.record {
            let dir = record.parent().unwrap_or(Path::new("/"));
            // The record contains what the settings contain, which may be secret.
            Base::home(dir.to_owned()).make_dir(dir)?;
            write(dir, record, text, 0o600, Owner::of(&fs::metadata(dir)?))?;
        }
        write(dir, path, after, mode, owner)
    }

    /// Removes the unfinished files of processes that were killed while they wrote this file. No other process may be
    /// writing the file. An unfinished file that cannot be removed does no harm.
    pub(super) fn sweep(&self) {
        let entries = self.path().parent().and_then(|dir| fs::read_dir(dir).ok());
        for entry in entries.into_iter().flatten().flatten() {
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            if is_file && entry.file_name().to_str().is_some_and(|name| is_unfinished(name, &entry.path())) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Removes the record of the file once hookbox is gone from it.
    pub(super) fn forget(&self, records: &Records) {
        if let Some(record) = records.file(self.path()) {
            // If this fails, the record merely stays.
            let _ = fs::remove_file(record);
        }
    }
}

/// Whether a file is an unfinished one. Earlier versions gave such files names that other programs use, too, so the
/// content of those files must mention hookbox.
fn is_unfinished(name: &str, path: &Path) -> bool {
    let (begin, end) = UNFINISHED;
    let (earlier, length) = EARLIER;
    let is_small = || fs::metadata(path).is_ok_and(|meta| meta.len() <= MAX_BYTES);
    let names_us = || is_small() && fs::read_to_string(path).is_ok_and(|text| text.contains("hookbox"));
    name.starts_with(begin) && name.ends_with(end) || name.len() == length && name.starts_with(earlier) && names_us()
}

fn write(dir: &Path, path: &Path, text: &str, mode: u32, owner: Owner) -> io::Result<()> {
    let (begin, end) = UNFINISHED;
    // The full error would name the unfinished file.
    let file = tempfile::Builder::new().prefix(begin).suffix(end).tempfile_in(dir);
    let mut file = file.map_err(|error| io::Error::from(error.kind()))?;
    file.write_all(text.as_bytes())?;
    owner.give(file.as_file())?;
    file.as_file().set_permissions(Permissions::from_mode(mode))?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
