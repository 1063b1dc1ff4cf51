//! A connection to a database: how it is opened, limited and checked, and what its errors mean.

use super::file::{Files, Identity};
use super::schema;
use crate::limits::MOST_VALUE;
use crate::{Error, ErrorKind};
use rusqlite::config::DbConfig;
use rusqlite::ffi;
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::cell::Cell;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The maximum number of pages of 4 KiB in a database: 1 GiB, for all hooks together.
const MOST_PAGES: u32 = 1 << 18;

/// The number of pages in the write-ahead log at which SQLite itself moves them into the database: 16 MiB. This limit
/// is for callers who never call [`tidy`](crate::Store::tidy).
const MOST_PENDING_PAGES: u32 = 1 << 12;
/// Half of [`MOST_PENDING_PAGES`], in bytes. With a longer log, writes no longer happen on the caller's thread.
const MOST_PENDING_AT_ONCE: u64 = 8 << 20;

/// The number of writes between two checks of the log's size. Together, these writes are smaller than the other half.
const WRITES: u32 = 15;

/// The size that a write-ahead log keeps when it restarts. It is zero, since the log's size determines when to empty
/// it.
const KEPT_LOG: u32 = 0;

/// The capacity of the statement cache, which is more than the number of statements.
const STATEMENTS: usize = 32;

/// The number of steps of SQLite's virtual machine between two checks of the clock; they take about 10 us.
const STEPS: i32 = 1000;

/// The code of an abort by a trigger. Only the trigger of the quota aborts.
const BY_TRIGGER: i32 = ffi::SQLITE_CONSTRAINT_TRIGGER;

/// The time when the current statement has to stop.
pub(super) type Until = Arc<Mutex<Option<Instant>>>;

/// A connection to a database file that was checked.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) connection: Connection,
    pub(super) files: Files,
    identity: Identity,
    /// Whether changes are written to a write-ahead log.
    has_log: bool,
    /// The number of writes until the log's size is checked again.
    good_for: Cell<u32>,
    until: Until,
}

impl Open {
    /// Opens the database in the directory, creating it first if it does not exist.
    pub(super) fn new(dir: &Path, patience: Duration) -> Result<Self, Error> {
        Open::with_files(Files::in_dir(dir)?, patience)
    }

    fn with_files(files: Files, patience: Duration) -> Result<Self, Error> {
        let identity = files.ready()?;
        let flags =
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
        let failed = |error: rusqlite::Error| failure(&error, &files.database);
        let mut connection = Connection::open_with_flags(&files.database, flags).map_err(failed)?;
        connection.busy_timeout(patience).map_err(failed)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        harden(&connection).map_err(failed)?;
        if let Some(fault) = schema::fault(&connection).map_err(failed)? {
            return Err(files.damaged(&fault));
        }
        let journal: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).map_err(failed)?;
        if files.network && journal == "wal" {
            let path = files.database.display();
            let text = format!("`{path}` was made on a local disk and moved to a network file system; move it back");
            return Err(Error::new(ErrorKind::Denied, text));
        }
        tune(&connection, &journal).map_err(failed)?;
        let until = Until::default();
        let clock = Arc::clone(&until);
        let is_late = move || lock(&clock).is_some_and(|until| Instant::now() >= until);
        connection.progress_handler(STEPS, Some(is_late)).map_err(failed)?;
        if files.identity()? != Some(identity) {
            return Err(files.damaged("it was replaced while it was opened"));
        }
        Ok(Open { connection, files, identity, has_log: journal == "wal", good_for: Cell::new(0), until })
    }

    /// Whether a read does not wait for the disk, unless it reads pages that have not been read for a long time.
    pub(super) fn reads_at_once(&self) -> bool {
        self.has_log
    }

    /// Whether a write does not wait for the disk. The first write into a log waits, and so does a write that makes the
    /// log so long that SQLite moves it into the database. A check of the log's size takes a tenth of the time of a
    /// write, so each check is valid for several writes.
    pub(super) fn writes_at_once(&self) -> bool {
        if !self.has_log {
            return false;
        }
        match self.good_for.get().checked_sub(1) {
            Some(left) => self.good_for.set(left),
            None if (1..MOST_PENDING_AT_ONCE).contains(&self.files.pending()) => self.good_for.set(WRITES),
            None => return false,
        }
        true
    }

    /// Notes that the log was emptied.
    pub(super) fn log_was_emptied(&self) {
        self.good_for.set(0);
    }

    /// Whether the path still names the file that was opened.
    ///
    /// # Errors
    /// Returns an error if the path still names that file but the log is gone, or if the file cannot be checked.
    pub(super) fn is_current(&self) -> Result<bool, Error> {
        let is_current = self.files.identity()? == Some(self.identity);
        if is_current && self.has_log {
            self.files.check_open_log()?;
        }
        Ok(is_current)
    }

    /// Sets how long the next statements wait for locks, and when they stop.
    pub(super) fn bound(&self, patience: Duration, until: Instant) -> Result<(), Error> {
        self.stop_at(Some(until));
        self.connection.busy_timeout(patience).map_err(|error| failure(&error, &self.files.database))
    }

    /// Sets when the next statements stop. `None` lets them run to their end, however long they take. Returns the
    /// previous setting.
    pub(super) fn stop_at(&self, until: Option<Instant>) -> Option<Instant> {
        std::mem::replace(&mut *lock(&self.until), until)
    }
}

fn lock(until: &Mutex<Option<Instant>>) -> std::sync::MutexGuard<'_, Option<Instant>> {
    until.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Disables the features of SQLite that a hostile file could use.
fn harden(connection: &Connection) -> rusqlite::Result<()> {
    for (config, on) in [
        // A checkpoint at the end of every process would make the process wait for the disk.
        (DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true),
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DDL, false),
    ] {
        connection.set_db_config(config, on)?;
    }
    let most = i32::try_from(MOST_VALUE * 2).unwrap_or(i32::MAX);
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, most)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.pragma_update(None, "cell_size_check", true)
}

fn tune(connection: &Connection, journal: &str) -> rusqlite::Result<()> {
    // With a log, a crash of the machine loses at most the last calls. Without a log, it could damage the file.
    connection.pragma_update(None, "synchronous", if journal == "wal" { "NORMAL" } else { "FULL" })?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    for (pragma, value) in
        [("wal_autocheckpoint", MOST_PENDING_PAGES), ("journal_size_limit", KEPT_LOG), ("max_page_count", MOST_PAGES)]
    {
        connection.pragma_update_and_check(None, pragma, value, |_| Ok(()))?;
    }
    Ok(())
}

/// Whether an update was undone because of the quota.
pub(super) fn is_over_quota(error: &rusqlite::Error) -> bool {
    matches!(error, rusqlite::Error::SqliteFailure(error, _) if error.extended_code == BY_TRIGGER)
}

/// Translates an SQLite error.
pub(super) fn failure(error: &rusqlite::Error, path: &Path) -> Error {
    let path = path.display();
    let damaged = || {
        let text = format!(
            "`{path}` is damaged ({error}); move it and the files `{path}-*` away to begin with an empty store, or \
             restore them"
        );
        Error::new(ErrorKind::Damaged, text)
    };
    let rusqlite::Error::SqliteFailure(code, _) = error else {
        // All other errors come from columns that this program did not write.
        return damaged();
    };
    let with = |kind, text: &str| Error::new(kind, format!("`{path}` {text} ({error})"));
    match code.code {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed => {
            with(ErrorKind::Busy, "is locked by another process; try again")
        }
        ErrorCode::OperationInterrupted => Error::deadline(),
        ErrorCode::DiskFull => {
            with(ErrorKind::Full, "cannot grow: the disk or its 1 GiB are full; see `hookbox state`")
        }
        ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen => {
            with(ErrorKind::Denied, "cannot be written; check its file system and its directory's mode")
        }
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::SchemaChanged => damaged(),
        ErrorCode::SystemIoFailure if code.extended_code == ffi::SQLITE_IOERR_SHORT_READ => damaged(),
        ErrorCode::TooBig => with(ErrorKind::TooLarge, "holds a value that is too large"),
        _ => with(ErrorKind::System, "cannot be read or written"),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn open(dir: &Path, network: bool) -> Result<Open, Error> {
        Open::with_files(Files { network, ..Files::in_dir(dir)? }, Duration::ZERO)
    }

    fn journal(open: &Open) -> String {
        open.connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap()
    }

    // Tests cannot mount a network file system, so this one sets the flag.
    #[test]
    fn on_a_network_file_system_there_is_no_shared_memory() {
        let temporary = tempfile::tempdir().unwrap();
        let remote = temporary.path().join("remote");
        assert_eq!(journal(&open(&remote, true).unwrap()), "delete");
        assert_eq!(journal(&open(&remote, true).unwrap()), "delete");
        assert!(!remote.join("state.db-shm").exists());
        // A database that is moved to a local disk keeps its journal mode.
        assert_eq!(journal(&open(&remote, false).unwrap()), "delete");
        let local = temporary.path().join("local");
        assert_eq!(journal(&open(&local, false).unwrap()), "wal");
        assert_eq!(open(&local, true).unwrap_err().kind(), ErrorKind::Denied);
    }
}
