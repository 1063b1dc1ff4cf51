//! A directory that belongs to the user alone, for what others must not be able to change or to put in its place.

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, RawMode, Stat, Timespec, Timestamps};
use rustix::io::Errno;
use std::fs::{DirBuilder, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

/// How old an unfinished file must be before it is taken for one that a crash has left behind.
const STALE: Duration = Duration::from_secs(60 * 60);

/// What the names of unfinished files end with.
const UNFINISHED: &str = ".tmp";

/// A directory that belongs to the user alone. Everything in it is reached through the handle that was checked, so that
/// nobody can put another one in its place meanwhile.
#[derive(Debug)]
pub(crate) struct PrivateDir {
    handle: OwnedFd,
    path: PathBuf,
}

/// What is known of a file without opening it.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) name: String,
    /// In bytes.
    pub(crate) size: u64,
    pub(crate) modified: SystemTime,
}

impl PrivateDir {
    /// Opens the directory; `None` if it is not there.
    ///
    /// # Errors
    /// It cannot be opened, is no directory, belongs to somebody else, or is open to others.
    pub(crate) fn open(path: &Path) -> io::Result<Option<Self>> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = match rustix::fs::open(path, flags, Mode::empty()) {
            Ok(handle) => handle,
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::LOOP | Errno::NOTDIR) => return Err(refused(path, "is no directory")),
            Err(error) => return Err(error.into()),
        };
        check(path, &rustix::fs::fstat(&handle)?, FileType::Directory)?;
        Ok(Some(PrivateDir { handle, path: path.to_owned() }))
    }

    /// Opens the directory, and makes it first if it is not there.
    ///
    /// # Errors
    /// As for [`open`](PrivateDir::open), or it cannot be made.
    pub(crate) fn open_or_make(path: &Path) -> io::Result<Self> {
        if let Some(dir) = PrivateDir::open(path)? {
            return Ok(dir);
        }
        DirBuilder::new().recursive(true).mode(0o700).create(path)?;
        PrivateDir::open(path)?.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a file for reading; `None` if it is not there.
    ///
    /// # Errors
    /// It cannot be opened, is no file, belongs to somebody else, or is open to others.
    pub(crate) fn file(&self, name: &str) -> io::Result<Option<File>> {
        // Whoever put a pipe there must not make this wait for its other end.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let path = self.path.join(name);
        let file = match rustix::fs::openat(&self.handle, name, flags, Mode::empty()) {
            Ok(file) => file,
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::LOOP) => return Err(refused(&path, "is a symlink")),
            Err(error) => return Err(error.into()),
        };
        check(&path, &rustix::fs::fstat(&file)?, FileType::RegularFile)?;
        Ok(Some(File::from(file)))
    }

    /// Writes a file that is there whole or not at all, whenever the process or the machine stops.
    ///
    /// # Errors
    /// It cannot be written. What was there before is still there.
    pub(crate) fn replace(&self, name: &str, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
        self.finish(name, write, |unfinished| {
            rustix::fs::renameat(&self.handle, unfinished, &self.handle, name).map_err(Into::into)
        })
    }

    /// As [`replace`](PrivateDir::replace), but leaves a file that is there already.
    ///
    /// # Errors
    /// As for [`replace`](PrivateDir::replace).
    pub(crate) fn create(&self, name: &str, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
        self.finish(name, write, |unfinished| {
            let linked = rustix::fs::linkat(&self.handle, unfinished, &self.handle, name, AtFlags::empty());
            self.remove(unfinished)?;
            match linked {
                Err(Errno::EXIST) => Ok(()),
                other => other.map_err(Into::into),
            }
        })
    }

    fn finish(
        &self,
        name: &str,
        write: impl FnOnce(&mut File) -> io::Result<()>,
        publish: impl FnOnce(&str) -> io::Result<()>,
    ) -> io::Result<()> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let unfinished = format!("{name}.{}-{count}{UNFINISHED}", process::id());
        // A process of this number may have left one behind.
        self.remove(&unfinished)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut file = File::from(rustix::fs::openat(&self.handle, &unfinished, flags, Mode::RUSR | Mode::WUSR)?);
        let done = write(&mut file).and_then(|()| file.sync_all()).and_then(|()| publish(&unfinished));
        done.inspect_err(|_| {
            let _ = self.remove(&unfinished);
        })?;
        rustix::fs::fsync(&self.handle).map_err(Into::into)
    }

    /// Removes a file; it is no error if it is not there.
    ///
    /// # Errors
    /// It cannot be removed.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        match rustix::fs::unlinkat(&self.handle, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Notes that a file was used just now.
    pub(crate) fn touch(&self, file: &File) {
        let now = Timespec { tv_sec: 0, tv_nsec: rustix::fs::UTIME_NOW };
        // It only decides which file goes first when there is no room.
        let _ = rustix::fs::futimens(file, &Timestamps { last_access: now, last_modification: now });
    }

    /// The finished files, in the order of their names.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub(crate) fn list(&self) -> io::Result<Vec<Listed>> {
        let (mut finished, _) = self.everything()?;
        finished.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(finished)
    }

    /// Removes what crashes have left behind.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub(crate) fn sweep(&self) -> io::Result<()> {
        let (_, unfinished) = self.everything()?;
        for file in unfinished {
            if file.modified.elapsed().is_ok_and(|age| age > STALE) {
                self.remove(&file.name)?;
            }
        }
        Ok(())
    }

    fn everything(&self) -> io::Result<(Vec<Listed>, Vec<Listed>)> {
        let mut files = Vec::new();
        for entry in Dir::read_from(&self.handle)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().to_str() else { continue };
            // It may have gone meanwhile.
            let Ok(stat) = rustix::fs::statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
            if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile {
                let seconds = u64::try_from(stat.st_mtime).unwrap_or_default();
                let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
                files.push(Listed {
                    name: name.to_owned(),
                    size: u64::try_from(stat.st_size).unwrap_or_default(),
                    modified,
                });
            }
        }
        Ok(files.into_iter().partition(|file| !file.name.ends_with(UNFINISHED)))
    }
}

/// Makes sure that it is what it should be, and that the user is the only one who can reach into it.
fn check(path: &Path, stat: &Stat, wanted: FileType) -> io::Result<()> {
    const OTHERS: RawMode = 0o077;
    if FileType::from_raw_mode(stat.st_mode) != wanted {
        Err(refused(path, if wanted == FileType::Directory { "is no directory" } else { "is no file" }))
    } else if stat.st_uid != rustix::process::geteuid().as_raw() {
        Err(refused(path, "belongs to another user"))
    } else if stat.st_mode & OTHERS != 0 {
        Err(refused(path, &format!("is open to others; run `chmod go= {}`", path.display())))
    } else {
        Ok(())
    }
}

fn refused(path: &Path, what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, format!("`{}` {what}", path.display()))
}
