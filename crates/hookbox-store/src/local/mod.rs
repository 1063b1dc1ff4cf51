//! The store in a file: one SQLite database in the user's own directory, for all of the user's hooks and processes.

mod admin;
mod connection;
mod file;
mod ops;
mod schema;

use crate::{Error, ErrorKind};
use connection::Open;
pub use file::FILE_NAME;
use file::Files;
pub(crate) use ops::Owner;
use rusqlite::Connection;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::Mutex;
use tokio::time::timeout_at;

/// The longest that a call waits for the locks of others.
const PATIENCE: Duration = Duration::from_millis(500);

/// The write-ahead log is emptied when it is larger than this: 1 MiB.
const MOST_PENDING: u64 = 1 << 20;

/// The current time, for expiry.
type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// A database file, opened when it is first needed. All clones share one connection.
#[derive(Clone)]
pub(crate) struct Local {
    dir: Arc<Path>,
    open: Arc<Mutex<Option<Open>>>,
    clock: Clock,
}

impl fmt::Debug for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Local").field("dir", &self.dir).finish_non_exhaustive()
    }
}

/// The database during one call.
struct Work<'a> {
    connection: &'a Connection,
    files: &'a Files,
    /// Milliseconds since 1970.
    now: i64,
}

impl Local {
    pub(crate) fn new(dir: PathBuf) -> Self {
        Local { dir: dir.into(), open: Arc::default(), clock: Arc::new(SystemTime::now) }
    }

    pub(crate) fn with_clock(self, clock: Clock) -> Self {
        Local { clock, ..self }
    }

    /// Does the work on a thread that may block, within the deadline.
    async fn run<T: Send + 'static>(
        &self,
        deadline: Instant,
        work: impl FnOnce(&Work<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let begun = Instant::now();
        if begun >= deadline {
            return Err(Error::deadline());
        }
        let patient_until = deadline.min(begun + PATIENCE);
        let waited = || match Instant::now() < deadline {
            true => Error::busy(&self.dir.display().to_string(), begun.elapsed()),
            false => Error::deadline(),
        };
        let lock = timeout_at(patient_until.into(), Arc::clone(&self.open).lock_owned());
        let mut open = lock.await.map_err(|_| waited())?;
        let (dir, clock) = (Arc::clone(&self.dir), Arc::clone(&self.clock));
        let task = tokio::task::spawn_blocking(move || {
            let result = on(&mut open, &dir, patient_until, deadline, &clock, work);
            let broken = matches!(&result, Err(error) if needs_reopening(error.kind()));
            if broken || open.as_ref().is_some_and(|open| !open.connection.is_autocommit()) {
                *open = None;
            }
            result
        });
        match timeout_at(deadline.into(), task).await {
            Ok(Ok(Err(error))) if error.kind() == ErrorKind::Busy => Err(waited()),
            Ok(Ok(result)) => result,
            Ok(Err(error)) => Err(Error::new(ErrorKind::System, format!("the work on the store ended: {error}"))),
            Err(_) => Err(Error::deadline()),
        }
    }

    /// Removes what has expired, and moves a long write-ahead log into the database.
    pub(crate) async fn tidy(&self, deadline: Instant) -> Result<(), Error> {
        if self.open.try_lock().is_ok_and(|open| open.is_none()) {
            return Ok(());
        }
        self.run(deadline, |work| {
            work.remove_expired()?;
            if work.files.pending() > MOST_PENDING { work.checkpoint() } else { Ok(()) }
        })
        .await
    }
}

/// Whether the file has to be checked again before its next use.
fn needs_reopening(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::Damaged | ErrorKind::Denied | ErrorKind::System)
}

fn on<T>(
    slot: &mut Option<Open>,
    dir: &Path,
    patient_until: Instant,
    deadline: Instant,
    clock: &Clock,
    work: impl FnOnce(&Work<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let patience = patient_until.saturating_duration_since(Instant::now());
    if let Some(open) = &*slot
        && !open.is_current()?
    {
        *slot = None;
    }
    let open = match slot {
        Some(open) => open,
        None => slot.insert(Open::new(dir, patience)?),
    };
    open.bound(patience, deadline)?;
    let now = clock().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let now = i64::try_from(now.as_millis()).unwrap_or(i64::MAX);
    work(&Work { connection: &open.connection, files: &open.files, now })
}
