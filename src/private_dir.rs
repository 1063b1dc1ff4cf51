//! A private directory of the user, for files that others must not change or replace, and atomic file writes.

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt, Permissions};
use cap_tempfile::TempFile;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use std::borrow::Cow;
use std::fs::{DirBuilder, File, Metadata};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

/// The age from which an unfinished file counts as left behind by a crash.
const STALE: Duration = Duration::from_secs(60 * 60);

/// The suffix of the unfinished files that [`PrivateDir::create`] names.
const UNFINISHED: &str = ".tmp";

/// The mode bits of the group and of all other users.
const OTHERS: u32 = 0o077;

/// A directory that belongs to the user and that no one else can access.
///
/// Its files are opened through the handle that was checked, so replacing the directory afterwards has no effect.
#[derive(Debug)]
pub struct PrivateDir {
    dir: Dir,
    path: PathBuf,
    owner: u32,
}

/// A file as listed by [`PrivateDir::list`].
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) name: String,
    /// The size in bytes.
    pub(crate) size: u64,
    pub(crate) modified: SystemTime,
}

impl PrivateDir {
    /// Opens the directory. Returns `None` if it does not exist.
    ///
    /// # Errors
    /// Returns an error if the directory cannot be opened, is not a directory, belongs to another user, or is open to
    /// others.
    pub fn open(path: &Path) -> io::Result<Option<Self>> {
        let Some((dir, meta)) = PrivateDir::open_own(path)? else { return Ok(None) };
        refuse_others(path, &meta)?;
        Ok(Some(dir))
    }

    /// Opens the directory, creating it first if it does not exist.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`open`](PrivateDir::open), or if the directory cannot be created.
    pub fn open_or_make(path: &Path) -> io::Result<Self> {
        if let Some(dir) = PrivateDir::open(path)? {
            return Ok(dir);
        }
        DirBuilder::new().recursive(true).mode(0o700).create(path)?;
        PrivateDir::open(path)?.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Like [`open_or_make`](PrivateDir::open_or_make), but if the user's directory is open to others, removes their
    /// access.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`open_or_make`](PrivateDir::open_or_make), or if the directory's mode
    /// cannot be changed.
    pub fn claim(path: &Path) -> io::Result<Self> {
        if let Some((dir, meta)) = PrivateDir::open_own(path)? {
            if meta.mode() & OTHERS != 0 {
                rustix::fs::fchmod(&dir.dir, Mode::RWXU)?;
            }
            return Ok(dir);
        }
        PrivateDir::open_or_make(path)
    }

    /// Opens a directory that belongs to the user, regardless of its mode.
    fn open_own(path: &Path) -> io::Result<Option<(Self, Metadata)>> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = match rustix::fs::open(path, flags, Mode::empty()) {
            Ok(handle) => File::from(handle),
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::LOOP | Errno::NOTDIR) => {
                let message = format!("`{}` is not a directory", path.display());
                return Err(io::Error::new(io::ErrorKind::NotADirectory, message));
            }
            Err(error) => return Err(error.into()),
        };
        let meta = handle.metadata()?;
        let owner = rustix::process::geteuid().as_raw();
        if meta.uid() != owner {
            return Err(refused(path, "belongs to another user"));
        }
        let dir = PrivateDir { dir: Dir::from_std_file(handle), path: path.to_owned(), owner };
        Ok(Some((dir, meta)))
    }

    /// Returns the directory's own path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a file for reading. Returns `None` if it does not exist.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened, is not a regular file, belongs to another user, or is open to
    /// others.
    pub fn file(&self, name: &str) -> io::Result<Option<File>> {
        let path = self.path.join(name);
        let mut options = OpenOptions::new();
        // Without `nonblock`, opening a pipe would wait for its other end.
        options.read(true).follow(FollowSymlinks::No).nonblock(true);
        let file = match self.dir.open_with(name, &options) {
            Ok(file) => file.into_std(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if Errno::from_io_error(&error) == Some(Errno::LOOP) => {
                return Err(refused(&path, "is a symlink"));
            }
            Err(error) => return Err(error),
        };
        self.own_file(&path, &file)?;
        Ok(Some(file))
    }

    /// Checks that this is a regular file that belongs to the user and that no one else can access.
    fn own_file(&self, path: &Path, file: &File) -> io::Result<Metadata> {
        let meta = file.metadata()?;
        if !meta.is_file() {
            return Err(refused(path, "is not a regular file"));
        }
        if meta.uid() != self.owner {
            return Err(refused(path, "belongs to another user"));
        }
        refuse_others(path, &meta)?;
        Ok(meta)
    }

    /// Writes a file that only the user can access, atomically: a reader finds either the old file or the new one.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written. The previous content is then kept.
    pub fn replace(&self, name: &str, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        replace(&self.dir, name, write)
    }

    /// Appends a line to a file in one write, creating the file first if it does not exist, so the lines of several
    /// processes do not mix. If a full disk has left half a line at the end of the file, the new line begins after it.
    ///
    /// # Errors
    /// Returns an error if the file would become longer than `most` bytes, if [`file`](PrivateDir::file) would refuse
    /// to open it, or if not all of the line could be written.
    pub fn append(&self, name: &str, line: &[u8], most: u64) -> io::Result<()> {
        let path = self.path.join(name);
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true).follow(FollowSymlinks::No).nonblock(true).mode(0o600);
        let mut file = match self.dir.open_with(name, &options) {
            Ok(file) => file.into_std(),
            Err(error) if Errno::from_io_error(&error) == Some(Errno::LOOP) => {
                return Err(refused(&path, "is a symlink"));
            }
            Err(error) => return Err(error),
        };
        let size = self.own_file(&path, &file)?.len();
        let mut last = [0];
        let is_whole = size == 0 || file.read_at(&mut last, size - 1)? == 1 && last == *b"\n";
        let line = if is_whole { Cow::Borrowed(line) } else { Cow::Owned([b"\n".as_slice(), line].concat()) };
        if size.saturating_add(line.len() as u64) > most {
            return Err(io::Error::other(format!("`{}` would be longer than {most} bytes", path.display())));
        }
        match file.write(&line)? {
            written if written == line.len() => Ok(()),
            _ => Err(io::Error::new(io::ErrorKind::WriteZero, format!("`{}` could not be written", path.display()))),
        }
    }

    /// Like [`replace`](PrivateDir::replace), but keeps a file that already exists.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`replace`](PrivateDir::replace).
    pub(crate) fn create(&self, name: &str, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let unfinished = format!("{name}.{}-{count}{UNFINISHED}", process::id());
        self.replace(&unfinished, write)?;
        // Unlike a rename, a link does not replace an existing file.
        let linked = self.dir.hard_link(&unfinished, &self.dir, name);
        self.remove(&unfinished)?;
        match linked {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
            Ok(()) => self.sync(),
        }
    }

    /// Removes a file. Returns false if it does not exist.
    ///
    /// # Errors
    /// Returns an error if the file exists but cannot be removed.
    pub fn remove(&self, name: &str) -> io::Result<bool> {
        match self.dir.remove_file(name) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Makes removals survive a crash of the machine.
    ///
    /// # Errors
    /// Returns an error if the system cannot sync the directory.
    pub fn sync(&self) -> io::Result<()> {
        sync(&self.dir)
    }

    /// Returns the finished files, sorted by name.
    ///
    /// # Errors
    /// Returns an error if the directory cannot be read.
    pub(crate) fn list(&self) -> io::Result<Vec<Listed>> {
        let mut files = self.everything()?;
        files.retain(|file| !is_unfinished(&file.name));
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(files)
    }

    /// Removes unfinished files left behind by crashes.
    ///
    /// # Errors
    /// Returns an error if the directory cannot be read.
    pub(crate) fn sweep(&self) -> io::Result<()> {
        for file in self.everything()? {
            if is_unfinished(&file.name) && file.modified.elapsed().is_ok_and(|age| age > STALE) {
                self.remove(&file.name)?;
            }
        }
        Ok(())
    }

    fn everything(&self) -> io::Result<Vec<Listed>> {
        let mut files = Vec::new();
        for entry in self.dir.entries()? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            // The file may have been removed by now.
            let Ok(meta) = entry.metadata() else { continue };
            if meta.is_file() {
                files.push(Listed { name, size: meta.len(), modified: meta.modified()?.into_std() });
            }
        }
        Ok(files)
    }
}

/// Writes a file that only the user can access, atomically: it is written under another name and then renamed, so a
/// reader finds either the old file or the new one, even after a crash of the process or the machine.
///
/// # Errors
/// Returns an error if the file cannot be written. The previous content is then kept.
pub(crate) fn replace(dir: &Dir, name: &str, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = TempFile::new(dir)?;
    file.as_file().set_permissions(Permissions::from_std(std::fs::Permissions::from_mode(0o600)))?;
    write(&mut file)?;
    file.as_file().sync_all()?;
    file.replace(name)?;
    sync(dir)
}

fn sync(dir: &Dir) -> io::Result<()> {
    rustix::fs::fsync(dir).map_err(Into::into)
}

/// Returns whether the name is that of a file still being written: by [`PrivateDir::create`], or by [`TempFile`], which
/// uses UUIDs as names.
fn is_unfinished(name: &str) -> bool {
    let is_uuid = || {
        let groups: Vec<&str> = name.split('-').collect();
        groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
            && groups.iter().all(|group| group.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    name.ends_with(UNFINISHED) || is_uuid()
}

fn refuse_others(path: &Path, meta: &Metadata) -> io::Result<()> {
    match meta.mode() & OTHERS {
        0 => Ok(()),
        _ => Err(refused(path, &format!("is open to others; run `chmod go= {}`", path.display()))),
    }
}

fn refused(path: &Path, what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, format!("`{}` {what}", path.display()))
}
