//! The directory below which files are changed, its lock, and the owner of new files.

use std::fs::{self, DirBuilder, File, Metadata};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, chown, fchown};
use std::path::{Path, PathBuf};

/// The mode of a new directory in a home directory, whatever the umask.
const PRIVATE: u32 = 0o700;

/// The mode of a new directory in a project.
const SHARED: u32 = 0o755;

/// A home directory, or a project.
pub(in crate::cli) struct Base {
    path: PathBuf,
    mode: u32,
}

/// The lock on a base. While this value exists, no other hookbox changes files below the base. The lock ends with the
/// process.
pub(in crate::cli) struct Lock {
    _file: File,
}

impl Base {
    pub(in crate::cli) const fn home(path: PathBuf) -> Self {
        Base { path, mode: PRIVATE }
    }

    pub(in crate::cli) const fn project(path: PathBuf) -> Self {
        Base { path, mode: SHARED }
    }

    /// Waits until no other hookbox changes files below the base. Returns `None` if the file system has no locks;
    /// changes in the meantime are then only noticed by comparing.
    pub(in crate::cli) fn lock(&self) -> Option<Lock> {
        if !self.path.exists() {
            self.make_dir(&self.path).ok()?;
        }
        let file = File::open(&self.path).ok()?;
        file.lock().ok()?;
        Some(Lock { _file: file })
    }

    /// Returns the place outside the project to which a link in the project leads on the way to this file. A repository
    /// decides about its links, and must not decide which file of its user is changed. In a home directory, links are
    /// the user's own.
    pub(super) fn leaves(&self, file: &Path) -> Option<PathBuf> {
        if self.mode != SHARED {
            return None;
        }
        let there = file.ancestors().find(|path| path.symlink_metadata().is_ok())?;
        // A dangling link counts as one that leads out of the project.
        let Ok(real) = there.canonicalize() else { return Some(there.to_owned()) };
        let root = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        (!real.starts_with(root)).then_some(real)
    }

    /// Creates a directory and its missing parents. They get the owner of the nearest directory that exists.
    pub(super) fn make_dir(&self, dir: &Path) -> io::Result<()> {
        let mut missing = Vec::new();
        let mut there = dir;
        while let Err(error) = fs::metadata(there) {
            if error.kind() != io::ErrorKind::NotFound {
                return Err(error);
            }
            missing.push(there);
            there = there.parent().ok_or(error)?;
        }
        let owner = Owner::of(&fs::metadata(there)?);
        for dir in missing.into_iter().rev() {
            match DirBuilder::new().mode(self.mode).create(dir) {
                Ok(()) => owner.give_dir(dir)?,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && dir.is_dir() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// The owner of a file. Only root creates files for others.
#[derive(Clone, Copy)]
pub(super) struct Owner(Option<(u32, u32)>);

impl Owner {
    pub(super) fn of(meta: &Metadata) -> Self {
        let is_root = rustix::process::geteuid().is_root();
        Owner(is_root.then(|| (meta.uid(), meta.gid())))
    }

    pub(super) fn give(self, file: &File) -> io::Result<()> {
        self.0.map_or(Ok(()), |(user, group)| fchown(file, Some(user), Some(group)))
    }

    fn give_dir(self, dir: &Path) -> io::Result<()> {
        self.0.map_or(Ok(()), |(user, group)| chown(dir, Some(user), Some(group)))
    }
}
