//! The file of the decision log, which has only whole lines, however its writers end.
//!
//! `O_APPEND` alone does not ensure this. A killed process, a full disk or a limit on file sizes leaves part of a line,
//! and the next line would be appended to that part. So each writer takes a lock, removes an incomplete last line, and
//! removes its own line if it could not write all of it.

use super::build::Decided;
use super::fit::fit;
use super::mask::Mask;
use super::settings::Settings;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, Metadata, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The maximum length of a line, in bytes, without its line break.
const MAX_LINE: usize = 64 << 10;

/// How long a writer waits for other writers. The verdict waits, too.
const MAX_WAIT: Duration = Duration::from_millis(20);

/// How much is read at once to find the end of the last whole line, in bytes. Lines are not longer than this.
const CHUNK: usize = 64 << 10;

/// The mode bits that let others write.
const WRITABLE_BY_OTHERS: u32 = 0o022;

/// The error for a line that could not be written. The line is missing; nothing else changes.
#[derive(Debug, thiserror::Error)]
#[error("{what} `{file}`: {error}")]
#[non_exhaustive]
pub struct LogError {
    what: &'static str,
    file: String,
    #[source]
    error: io::Error,
}

/// A writer of the decision log. Share it in an `Arc`.
pub struct Log {
    settings: Settings,
    detectors: Option<Box<dyn Mask>>,
    open: Mutex<Option<File>>,
    lost: AtomicU64,
}

impl Log {
    /// Creates a log with these settings. Nothing is opened before the first line. Without detectors, a log with masked
    /// Inputs contains no Inputs.
    #[must_use]
    pub fn new(settings: Settings, detectors: Option<Box<dyn Mask>>) -> Self {
        Log { settings, detectors, open: Mutex::default(), lost: AtomicU64::new(0) }
    }

    /// Returns the settings.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns how many lines this process could not write since the last one that it wrote.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// Writes a line about an event, if the settings want it. When this returns, the whole line is in the file, even if
    /// the process is killed; a power failure may still lose it.
    ///
    /// # Errors
    /// Returns an error if the line could not be written. The line is counted, and the next line reports the count.
    pub fn write(&self, decided: &Decided<'_>) -> Result<(), LogError> {
        if !decided.is_wanted(self.settings.what) {
            return Ok(());
        }
        // This line takes over the count, so that a line of another thread does not report the same lines once more.
        let lost = self.lost.swap(0, Ordering::Relaxed);
        let mut line = decided.line(self.settings.inputs, self.detectors.as_deref(), lost);
        let mut text = fit(&mut line, MAX_LINE)
            .map_err(|error| self.lose(lost, "a line has no JSON form for", io::Error::other(error)))?;
        text.push('\n');
        self.append(text.as_bytes()).map_err(|error| self.lose(lost, "cannot write the decision log", error))
    }

    /// Counts a line that could not be written, and the lines that it would have reported.
    fn lose(&self, unreported: u64, what: &'static str, error: io::Error) -> LogError {
        self.lost.fetch_add(unreported.saturating_add(1), Ordering::Relaxed);
        LogError { what, file: self.settings.file.display().to_string(), error }
    }

    fn append(&self, line: &[u8]) -> io::Result<()> {
        let path = &self.settings.file;
        // The limit includes the wait for other threads, which would otherwise wait for the lock one after another.
        let until = Instant::now() + MAX_WAIT;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let file = match open.take() {
                Some(file) => file,
                None => open_own(path)?,
            };
            lock(&file, until)?;
            let locked = Locked(&file);
            // Another process may have started a new file in the meantime.
            let meta = file.metadata()?;
            if !is_at(&meta, path)? {
                continue;
            }
            let end = mend(&file, meta.len())?;
            if end > 0 && end.saturating_add(line.len() as u64) > self.settings.max_size {
                self.begin_new_file()?;
                continue;
            }
            let written = write_all(&file, line, end);
            drop(locked);
            *open = Some(file);
            return written;
        }
    }

    /// Renames the full file, whose lock is held, and deletes the oldest full files if there are too many.
    fn begin_new_file(&self) -> io::Result<()> {
        let path = &self.settings.file;
        fs::rename(path, aside(path))?;
        let mut full = full_files(path)?;
        let keep = usize::try_from(self.settings.keep).unwrap_or(usize::MAX);
        let too_many = full.len().saturating_sub(keep);
        for old in full.drain(..too_many) {
            match fs::remove_file(old) {
                // Another process that has filled the next file deletes the same old files.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                removed => removed?,
            }
        }
        Ok(())
    }
}

/// A guard that unlocks the file when it is dropped, because the writer keeps the file open.
struct Locked<'f>(&'f File);

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

fn open_own(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDWR | OFlags::APPEND | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let open = || rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR);
    let file = match (open(), path.parent()) {
        (Err(Errno::NOENT), Some(dir)) => {
            DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
            open()
        }
        (opened, _) => opened,
    };
    let file = match file {
        Ok(file) => File::from(file),
        Err(Errno::LOOP) => return Err(refused("is a symlink")),
        Err(error) => return Err(error.into()),
    };
    check(&file.metadata()?)?;
    Ok(file)
}

/// Checks that other users cannot have written the file.
fn check(meta: &Metadata) -> io::Result<()> {
    if !meta.is_file() {
        return Err(refused("is not a regular file"));
    }
    if meta.uid() != rustix::process::geteuid().as_raw() {
        return Err(refused("belongs to another user"));
    }
    if meta.mode() & WRITABLE_BY_OTHERS != 0 {
        return Err(refused("can be changed by others; run `chmod go-w` on it"));
    }
    Ok(())
}

fn refused(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, format!("it {what}"))
}

fn lock(file: &File, until: Instant) -> io::Result<()> {
    let mut pause = Duration::from_micros(20);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if Instant::now() >= until => {
                let message = format!("other processes keep it locked for more than {} ms", MAX_WAIT.as_millis());
                return Err(io::Error::new(io::ErrorKind::TimedOut, message));
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(pause),
        }
        pause = (pause * 2).min(Duration::from_millis(1));
    }
}

/// Returns whether the path still names this file.
fn is_at(file: &Metadata, path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(at) => Ok((file.dev(), file.ino()) == (at.dev(), at.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes an incomplete last line from a file of this length, and returns the new length.
fn mend(file: &File, length: u64) -> io::Result<u64> {
    let mut last = [0];
    if length == 0 || (file.read_at(&mut last, length - 1)? == 1 && last == *b"\n") {
        return Ok(length);
    }
    let end = end_of_lines(file, length)?;
    file.set_len(end)?;
    Ok(end)
}

/// Returns where the last whole line ends.
fn end_of_lines(file: &File, length: u64) -> io::Result<u64> {
    let mut chunk = vec![0; CHUNK];
    let mut end = length;
    while end > 0 {
        let start = end.saturating_sub(CHUNK as u64);
        let part = chunk.get_mut(..usize::try_from(end - start).unwrap_or(CHUNK)).unwrap_or_default();
        file.read_exact_at(part, start)?;
        if let Some(newline) = part.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start + newline as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// Appends the whole line, or nothing.
fn write_all(mut file: &File, line: &[u8], end: u64) -> io::Result<()> {
    // Exceeding this limit would send a signal that ends the process.
    let limit = getrlimit(Resource::Fsize).current;
    if limit.is_some_and(|limit| end.saturating_add(line.len() as u64) > limit) {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let written = file.write(line);
    if matches!(written, Ok(count) if count == line.len()) {
        return Ok(());
    }
    file.set_len(end)?;
    Err(written.err().unwrap_or_else(|| io::ErrorKind::StorageFull.into()))
}

/// Returns a name for a full file. These names sort by time.
fn aside(path: &Path) -> PathBuf {
    let (stem, extension) = parts(path);
    path.with_file_name(format!("{stem}-{}.{extension}", uuid::Uuid::now_v7()))
}

/// Returns the full files next to the one in use, oldest first. In a directory that others may write to,
/// files of other owners are left out.
pub(super) fn full_files(path: &Path) -> io::Result<Vec<PathBuf>> {
    let (stem, extension) = parts(path);
    // A name without a directory has an empty parent, which cannot be read.
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let owner = fs::metadata(path).map_or_else(|_| rustix::process::geteuid().as_raw(), |meta| meta.uid());
    let is_full = |name: &str| {
        let id = name.strip_prefix(&format!("{stem}-")).and_then(|name| name.strip_suffix(&format!(".{extension}")));
        id.is_some_and(|id| uuid::Uuid::try_parse(id).is_ok())
    };
    let mut full = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let is_own = || entry.metadata().is_ok_and(|meta| meta.is_file() && meta.uid() == owner);
        if entry.file_name().to_str().is_some_and(is_full) && is_own() {
            full.push(path.with_file_name(entry.file_name()));
        }
    }
    full.sort();
    Ok(full)
}

fn parts(path: &Path) -> (String, String) {
    let text = |part: Option<&OsStr>, otherwise: &str| {
        part.map_or_else(|| otherwise.to_owned(), |part| part.to_string_lossy().into_owned())
    };
    (text(path.file_stem(), "decisions"), text(path.extension(), "jsonl"))
}
