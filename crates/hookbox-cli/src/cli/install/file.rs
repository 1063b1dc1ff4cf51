//! A settings file: its content, its content before hookbox, and its new content.

use anyhow::{Context, bail};
use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The suffix of the original file.
const BACKUP: &str = ".before-hookbox";

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

    /// Makes the change. The file is written under another name and renamed, so it is always complete.
    ///
    /// # Errors
    /// The system refuses. The old file is then still in place.
    pub(super) fn make(&self) -> io::Result<()> {
        let path = self.path();
        let dir = path.parent().unwrap_or(Path::new("/"));
        let Some(after) = &self.after else { return fs::remove_file(path) };
        fs::create_dir_all(dir)?;
        let mode = match fs::metadata(path) {
            Ok(meta) => meta.permissions().mode() & 0o777,
            Err(_) if self.is_program => 0o755,
            Err(_) => 0o644,
        };
        let backup = beside(path);
        if let Some(before) = self.before.text.as_ref().filter(|_| self.keeps_old && !backup.exists()) {
            write(dir, &backup, before, mode)?;
        }
        write(dir, path, after, mode)
    }

    /// Removes the kept file once it is restored, or hookbox is gone from the new one.
    pub(super) fn forget_backup(&self) {
        // If this fails, the file merely stays.
        let _ = fs::remove_file(beside(self.path()));
    }
}

fn write(dir: &Path, path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(dir)?;
    file.write_all(text.as_bytes())?;
    file.as_file().set_permissions(Permissions::from_mode(mode))?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
