//! The local store: one SQLite database in the user's own directory, for all of the user's hooks and processes.

mod admin;
mod connection;
mod file;
mod log;
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

/// The maximum time that a call waits for the locks of others.
const PATIENCE: Duration = Duration::from_millis(500);

/// The maximum time that work blocks the thread of its caller. Unless it removes many expired entries, it takes a
/// hundredth of this time.
const AT_ONCE: Duration = Duration::from_millis(2);

/// The clock that determines which entries have expired.
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
    open: &'a Open,
    connection: &'a Connection,
    files: &'a Files,
    /// Milliseconds since 1970.
    now: i64,
}

/// The amount of work that an operation does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// The operation reads a little.
    Read,
    /// The operation writes a little.
    Write,
    /// The operation may take a while.
    Much,
}

impl Local {
    pub(crate) fn new(dir: PathBuf) -> Self {
        Local { dir: dir.into(), open: Arc::default(), clock: Arc::new(SystemTime::now) }
    }

    pub(crate) fn with_clock(self, clock: Clock) -> Self {
        Local { clock, ..self }
    }

    /// Does the work within the deadline. Short work that has nothing to wait for is done on this thread, which takes a
    /// fraction of the time that it takes to wake another thread. Other work is done on a thread that may block. Work
    /// that fails has changed nothing, so work that was begun on this thread may begin again on the other one.
    async fn run<T: Send + 'static>(
        &self,
        effort: Effort,
        deadline: Instant,
        work: impl Fn(&Work<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let begun = Instant::now();
        if begun >= deadline {
            return Err(Error::deadline());
        }
        let patient_until = deadline.min(begun + PATIENCE);
        // SQLite waits for whole milliseconds, so it may give up a little before the deadline.
        let waited = || match patient_until < deadline && Instant::now() < deadline {
            true => Error::busy(&self.dir.display().to_string(), begun.elapsed()),
            false => Error::deadline(),
        };
        let mut open = match Arc::clone(&self.open).try_lock_owned() {
            Ok(open) => open,
            Err(_) => {
                let lock = timeout_at(patient_until.into(), Arc::clone(&self.open).lock_owned());
                lock.await.map_err(|_| waited())?
            }
        };
        if let Some(result) = at_once(&mut open, effort, deadline, &self.clock, &work) {
            return result;
        }
        let (dir, clock) = (Arc::clone(&self.dir), Arc::clone(&self.clock));
        let task = tokio::task::spawn_blocking(move || {
            let result = on(&mut open, &dir, patient_until, deadline, &clock, &work);
            close_if_broken(&mut open, &result);
            result
        });
        match timeout_at(deadline.into(), task).await {
            Ok(Ok(Err(error))) if error.kind() == ErrorKind::Busy => Err(waited()),
            Ok(Ok(result)) => result,
            Ok(Err(error)) => Err(Error::new(ErrorKind::System, format!("the work on the store ended: {error}"))),
            Err(_) => Err(Error::deadline()),
        }
    }

    /// Removes some expired entries, and moves the write-ahead log into the database, because changes that are only in
    /// the log are lost if the log is lost.
    pub(crate) async fn tidy(&self, deadline: Instant) -> Result<(), Error> {
        if self.open.try_lock().is_ok_and(|open| open.is_none()) {
            return Ok(());
        }
        self.run(Effort::Much, deadline, |work| {
            work.remove_expired()?;
            if work.files.pending() > 0 {
                work.files.sweep();
                return work.checkpoint();
            }
            Ok(())
        })
        .await
    }
}

/// Does short work on this thread. Returns `None` if the work would have to wait: for the database to be opened, for
/// the disk, or for another process.
fn at_once<T>(
    slot: &mut Option<Open>,
    effort: Effort,
    deadline: Instant,
    clock: &Clock,
    work: &impl Fn(&Work<'_>) -> Result<T, Error>,
) -> Option<Result<T, Error>> {
    let open = slot.as_ref()?;
    let can_begin = match effort {
        Effort::Read => open.reads_at_once(),
        Effort::Write => open.writes_at_once(),
        Effort::Much => false,
    };
    if !can_begin || !open.is_current().unwrap_or(false) {
        return None;
    }
    let result = with(open, Duration::ZERO, deadline.min(Instant::now() + AT_ONCE), clock, work);
    close_if_broken(slot, &result);
    match &result {
        Err(error) if error.kind() == ErrorKind::Busy => None,
        Err(error) if error.kind() == ErrorKind::Deadline && Instant::now() < deadline => None,
        _ => Some(result),
    }
}

fn on<T>(
    slot: &mut Option<Open>,
    dir: &Path,
    patient_until: Instant,
    deadline: Instant,
    clock: &Clock,
    work: &impl Fn(&Work<'_>) -> Result<T, Error>,
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
    with(open, patience, deadline, clock, work)
}

fn with<T>(
    open: &Open,
    patience: Duration,
    until: Instant,
    clock: &Clock,
    work: &impl Fn(&Work<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    open.bound(patience, until)?;
    let now = clock().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let now = i64::try_from(now.as_millis()).unwrap_or(i64::MAX);
    work(&Work { open, connection: &open.connection, files: &open.files, now })
}

/// Closes the database if it has to be checked again before its next use, or if its transaction could not be undone.
fn close_if_broken<T>(slot: &mut Option<Open>, result: &Result<T, Error>) {
    let broken = |kind| matches!(kind, ErrorKind::Damaged | ErrorKind::Denied | ErrorKind::System);
    let is_broken = result.as_ref().is_err_and(|error| broken(error.kind()));
    if is_broken || slot.as_ref().is_some_and(|open| !open.connection.is_autocommit()) {
        *slot = None;
    }
}
