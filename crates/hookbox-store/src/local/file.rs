//! The files of a database: who may access them, how they are identified, and how they are created.
//!
//! This module never opens a database file itself: closing the file would drop the locks that SQLite holds in this
//! process.

use super::{connection, log, schema};
use crate::{Error, ErrorKind};
use rusqlite::{Connection, OpenFlags};
use std::fs::{self, DirBuilder, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The name of the database in its directory.
pub const FILE_NAME: &str = "state.db";

/// The suffix of unfinished databases.
const UNFINISHED: &str = ".tmp";

/// The number of random hexadecimal digits in the name of an unfinished database.
const RANDOM: usize = 16;

/// The age at which an unfinished database counts as abandoned. Creating a database takes milliseconds.
const ABANDONED: Duration = Duration::from_secs(3600);

/// The mode bits of the group and of all other users.
const OTHERS: u32 = 0o077;

/// The identity of a file, which shows whether the file was replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    device: u64,
    inode: u64,
}

/// A private directory of the user, and the database in it.
#[derive(Debug)]
pub(super) struct Files {
    pub(super) database: PathBuf,
    /// Whether the database may be on a network file system. Other machines may then write to it, and they do not see
    /// this machine's shared memory.
    pub(super) network: bool,
}

impl Files {
    /// Checks the directory, and creates it if it does not exist.
    pub(super) fn in_dir(dir: &Path) -> Result<Self, Error> {
        let meta = match fs::symlink_metadata(dir) {
            Ok(meta) => meta,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let made = DirBuilder::new().recursive(true).mode(0o700).create(dir);
                made.and_then(|()| fs::symlink_metadata(dir)).map_err(|error| system("create", dir, &error))?
            }
            Err(error) => return Err(system("access", dir, &error)),
        };
        if !meta.is_dir() {
            return Err(Error::new(ErrorKind::Denied, format!("`{}` is not a directory", dir.display())));
        }
        private(dir, &meta)?;
        // SQLite refuses paths with symlinks, but a symlink above the directory is the user's own choice.
        let dir = fs::canonicalize(dir).map_err(|error| system("access", dir, &error))?;
        let network = on_network(&dir).map_err(|error| system("access", &dir, &error))?;
        Ok(Files { database: dir.join(FILE_NAME), network })
    }

    /// Returns the identity of the database file, or `None` if there is no database.
    pub(super) fn identity(&self) -> Result<Option<Identity>, Error> {
        let Some(meta) = own_file(&self.database)? else { return Ok(None) };
        if meta.len() == 0 {
            return Err(self.damaged("it is empty"));
        }
        Ok(Some(Identity { device: meta.dev(), inode: meta.ino() }))
    }

    /// Returns the identity of the database file, and checks the files beside it. Creates the database if necessary.
    pub(super) fn ready(&self) -> Result<Identity, Error> {
        let beside = ["-wal", "-shm", "-journal"].map(|suffix| self.beside(suffix));
        let mut left = None;
        for path in &beside {
            if own_file(path)?.is_some() {
                left = Some(path);
            }
        }
        if let Some(identity) = self.identity()? {
            self.check_log()?;
            return Ok(identity);
        }
        // These files were looked up before the database, so they do not belong to a database that another process is
        // creating right now.
        if let Some(path) = left {
            return Err(self.damaged(&format!("it is gone, and `{}` is what is left", path.display())));
        }
        self.create()?;
        self.identity()?.ok_or_else(|| self.damaged("it was removed"))
    }

    /// Checks that the log exists if it must, and that it is not damaged.
    fn check_log(&self) -> Result<(), Error> {
        let log = self.beside("-wal");
        // The log must exist if the `-shm` file does: SQLite creates the log first, and removes neither of them.
        if self.has_lost_log()? {
            return Err(self.damaged("its log is gone"));
        }
        match log::fault(&log).map_err(|error| system("access", &log, &error))? {
            Some(fault) => Err(self.damaged(fault)),
            None => Ok(()),
        }
    }

    /// Whether the log is gone although the shared-memory file exists.
    fn has_lost_log(&self) -> Result<bool, Error> {
        Ok(own_file(&self.beside("-shm"))?.is_some() && own_file(&self.beside("-wal"))?.is_none())
    }

    /// Returns an error if the log of an open database was removed, because writes would then be lost.
    pub(super) fn check_open_log(&self) -> Result<(), Error> {
        match fs::symlink_metadata(self.beside("-wal")) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(self.damaged("its log is gone")),
            _ => Ok(()),
        }
    }

    /// Returns the size of the write-ahead log in bytes. It holds the changes that are not yet in the database itself.
    pub(super) fn pending(&self) -> u64 {
        fs::symlink_metadata(self.beside("-wal")).map_or(0, |meta| meta.len())
    }

    fn beside(&self, suffix: &str) -> PathBuf {
        let mut path = self.database.clone().into_os_string();
        path.push(suffix);
        path.into()
    }

    /// Creates the database under another name and links it into place. Other processes thus find only a complete
    /// database, and a truncated database is never taken for a new one. If another process was faster, its database
    /// stays.
    fn create(&self) -> Result<(), Error> {
        let random =
            getrandom::u64().map_err(|error| Error::new(ErrorKind::System, format!("no randomness: {error}")))?;
        self.sweep();
        let unfinished = self.beside(&format!(".{random:0RANDOM$x}{UNFINISHED}"));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600);
        let created = options.open(&unfinished).map_err(|error| system("create", &unfinished, &error));
        created.map(drop)?;
        let filled = self.fill(&unfinished);
        let linked = filled.and_then(|()| match fs::hard_link(&unfinished, &self.database) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            other => other.map_err(|error| system("create", &self.database, &error)),
        });
        let removed = fs::remove_file(&unfinished).map_err(|error| system("remove", &unfinished, &error));
        linked.and(removed)
    }

    /// Removes the files of processes that were killed while they created the database. A file that cannot be removed
    /// does no harm.
    pub(super) fn sweep(&self) {
        let entries = self.database.parent().and_then(|dir| fs::read_dir(dir).ok());
        for entry in entries.into_iter().flatten().flatten() {
            let is_old = entry.metadata().and_then(|meta| meta.modified()).is_ok_and(is_abandoned);
            if is_old && entry.file_name().to_str().is_some_and(is_unfinished) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    fn fill(&self, path: &Path) -> Result<(), Error> {
        let failed = |error: rusqlite::Error| connection::failure(&error, path);
        let flags =
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
        let database = Connection::open_with_flags(path, flags).map_err(failed)?;
        schema::create(&database).map_err(failed)?;
        if !self.network {
            let mode: String =
                database.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0)).map_err(failed)?;
            if mode != "wal" {
                return Err(Error::new(
                    ErrorKind::System,
                    format!("`{}` cannot have a write-ahead log", path.display()),
                ));
            }
        }
        // Closing the only connection also removes the files beside the database.
        database.close().map_err(|(_, error)| failed(error))
    }

    pub(super) fn damaged(&self, what: &str) -> Error {
        let path = self.database.display();
        let text = format!(
            "`{path}` is damaged or foreign: {what}; move it and the files `{path}-*` away to begin with an empty \
             store, or restore them"
        );
        Error::new(ErrorKind::Damaged, text)
    }
}

fn is_abandoned(modified: SystemTime) -> bool {
    SystemTime::now().duration_since(modified).is_ok_and(|age| age > ABANDONED)
}

/// Whether this is the name of an unfinished database or of one of the files that SQLite keeps beside it.
fn is_unfinished(name: &str) -> bool {
    let rest = name.strip_prefix(FILE_NAME).and_then(|rest| rest.strip_prefix('.'));
    let Some((digits, rest)) = rest.and_then(|rest| rest.split_at_checked(RANDOM)) else { return false };
    let suffix = rest.strip_prefix(UNFINISHED).filter(|_| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    suffix.is_some_and(|suffix| ["", "-journal", "-shm", "-wal"].contains(&suffix))
}

/// Checks that the path is a private regular file of the user. Returns `None` if it does not exist.
fn own_file(path: &Path) -> Result<Option<Metadata>, Error> {
    let meta = match fs::symlink_metadata(path) {
        Ok(meta) => meta,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(system("access", path, &error)),
    };
    if !meta.is_file() {
        let text = format!("`{}` is not a regular file; move it away", path.display());
        return Err(Error::new(ErrorKind::Damaged, text));
    }
    private(path, &meta)?;
    Ok(Some(meta))
}

fn private(path: &Path, meta: &Metadata) -> Result<(), Error> {
    let path = path.display();
    if meta.uid() != rustix::process::geteuid().as_raw() {
        return Err(Error::new(ErrorKind::Denied, format!("`{path}` belongs to another user")));
    }
    if meta.mode() & OTHERS != 0 {
        return Err(Error::new(ErrorKind::Denied, format!("`{path}` is open to others; run `chmod go= {path}`")));
    }
    Ok(())
}

fn system(verb: &str, path: &Path, error: &io::Error) -> Error {
    let kind = match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => ErrorKind::Denied,
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ErrorKind::Full,
        _ => ErrorKind::System,
    };
    Error::new(kind, format!("cannot {verb} `{}`: {error}", path.display()))
}

/// Whether the directory is on a file system that other machines may share, where a write-ahead log can get damaged.
#[cfg(target_os = "linux")]
fn on_network(dir: &Path) -> io::Result<bool> {
    /// NFS, CIFS, SMB2, 9p and FUSE. The numbers are from `linux/magic.h` and the file systems' own sources.
    const SHARED: [u32; 5] = [0x6969, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997, 0x6573_5546];
    let kind = rustix::fs::statfs(dir)?.f_type;
    // The width and the sign of the field depend on the architecture.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "magic numbers have 32 bits")]
    let kind = kind as u32;
    Ok(SHARED.contains(&kind))
}

#[cfg(not(target_os = "linux"))]
#[expect(clippy::unnecessary_wraps, reason = "it can fail elsewhere")]
fn on_network(_: &Path) -> io::Result<bool> {
    Ok(false)
}
