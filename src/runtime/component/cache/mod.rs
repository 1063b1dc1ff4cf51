//! The cache of machine code, shared between processes.
//!
//! An entry is loaded only if it is exactly what this user's hookbox wrote: it carries a keyed hash over its whole
//! content, and the key is in another directory. This protects against damage, against caches that are shared, restored
//! or synced, and against agents whose file tool can reach the cache but not the key. A program with the user's rights
//! can read the key.
//!
//! Hooks run even if something is wrong with the cache: components are then just compiled again.

mod digests;
mod entry;
mod key;
mod turn;

use super::engines::Metering;
use super::unchecked::NativeCode;
use crate::private_dir::{Listed, PrivateDir};
use crate::protocol::{Code, Failure, os_words};
use bytesize::ByteSize;
pub(super) use entry::{CodeKey, FINGERPRINT, VERSIONS};
use entry::{Content, Header};
use key::Key;
use serde::Serialize;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};
pub(super) use turn::Turn;

/// The maximum size of all entries together, in bytes. The least recently used entries are removed first.
pub const MAX_CACHE_BYTES: u64 = 512 << 20;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The precision of an entry's last use. A finer precision would need a write for each call.
const TOUCH_EVERY: Duration = DAY;

/// The subdirectory for this format. Other formats use their own.
const VERSION: &str = "v1";

/// The cache of machine code, shared between processes.
#[derive(Debug)]
pub struct Cache {
    dir: PathBuf,
    state_dir: PathBuf,
    fault: Mutex<Option<String>>,
    /// Whether the cache has a fault that a new entry does not repair.
    is_broken: AtomicBool,
}

/// The result of looking up a component.
pub(super) enum Found {
    Code(NativeCode),
    /// This version of hookbox refuses the component.
    Failure(Failure),
    Nothing,
}

/// One entry of the cache, for listings.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CacheEntry {
    /// The SHA-256 of the component.
    pub sha256: String,
    /// The size in bytes.
    pub size: u64,
    /// `code`, `metered` (code that counts fuel), `failure`, or `foreign` if this hookbox would not use it.
    pub kind: &'static str,
    /// The seconds since its last use, accurate to a day.
    pub idle_s: u64,
}

impl Cache {
    /// Creates a cache in `dir`, with its key in `state_dir`. Neither directory has to exist, and neither is accessed
    /// before it is needed. A project must not be able to choose either.
    #[must_use]
    pub fn new(dir: &Path, state_dir: impl Into<PathBuf>) -> Self {
        Cache {
            dir: dir.join(VERSION),
            state_dir: state_dir.into(),
            fault: Mutex::default(),
            is_broken: AtomicBool::new(false),
        }
    }

    /// Like [`new`](Cache::new), but `dir` is the directory that holds the entries themselves.
    #[cfg(feature = "compiler")]
    pub(super) fn at(dir: PathBuf, state_dir: PathBuf) -> Self {
        Cache { dir, state_dir, fault: Mutex::default(), is_broken: AtomicBool::new(false) }
    }

    /// Returns the directory of the key.
    pub(super) fn state_dir(&self) -> &Path {
        &self.state_dir
    }

    /// Returns the directory of the entries.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.dir
    }

    /// Returns the directories that the cache writes to.
    pub(crate) fn dirs(&self) -> [&Path; 2] {
        [&self.dir, &self.state_dir]
    }

    /// Returns what is wrong with the cache, if a problem was found while using it.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns whether the cache may be unable to keep new entries. A damaged entry, or one of another version, is not
    /// such a fault, because a new one replaces it.
    pub(super) fn is_broken(&self) -> bool {
        self.is_broken.load(Ordering::Relaxed)
    }

    /// Looks up a component. Notes a problem with the cache, and otherwise treats it like a missing entry.
    pub(super) fn look_up(&self, key: &CodeKey) -> Found {
        self.try_look_up(key).unwrap_or_else(|error| {
            self.note(&error);
            Found::Nothing
        })
    }

    fn try_look_up(&self, key: &CodeKey) -> io::Result<Found> {
        let Some(dir) = PrivateDir::open(&self.dir)? else { return Ok(Found::Nothing) };
        let Some(mut file) = dir.file(&key.to_string())? else { return Ok(Found::Nothing) };
        let Some(secret) = Key::read(&self.state_dir)? else {
            return Err(damaged(&dir, key, "was written with a key that is no longer there"));
        };
        let mut raw = [0; Header::BYTES];
        file.read_exact(&mut raw).map_err(|_| damaged(&dir, key, "is cut off"))?;
        let Some((header, tag)) = Header::read(&raw, key) else {
            let is_older = Header::read_any(&raw).is_some_and(|header| !header.is_current());
            let what = if is_older { "is of another version of hookbox" } else { "is not what its name says" };
            return Err(damaged(&dir, key, what));
        };
        let meta = file.metadata()?;
        // Without this check, a truncated entry would be reported as forged.
        if Some(meta.len()) != header.payload_bytes.checked_add(Header::BYTES as u64) {
            return Err(damaged(&dir, key, "is cut off"));
        }
        // The header is not authenticated yet, so it must not make this process copy any number of bytes.
        if header.payload_bytes > MAX_CACHE_BYTES {
            return Err(damaged(&dir, key, "is larger than any entry that hookbox writes"));
        }
        let forged = || damaged(&dir, key, "was not written by this user's hookbox, or is damaged");
        let found = match header.content {
            Content::Code => {
                let mut payload = Read::by_ref(&mut file).take(header.payload_bytes);
                let code = NativeCode::authenticated(&mut payload, header.payload_bytes, secret.begin(&header), tag)?;
                Found::Code(code.ok_or_else(forged)?)
            }
            Content::Failure => {
                let mut message = Vec::new();
                Read::by_ref(&mut file).take(entry::MAX_FAILURE_BYTES as u64).read_to_end(&mut message)?;
                if secret.tag(&header, &message) != tag {
                    return Err(forged());
                }
                Found::Failure(Failure::new(Code::Compile, String::from_utf8_lossy(&message)))
            }
        };
        if meta.modified()?.elapsed().is_ok_and(|age| age > TOUCH_EVERY) {
            // A failure to set the time only affects which entry is removed first when space runs out.
            let _ = file.set_modified(SystemTime::now());
        }
        Ok(found)
    }

    /// Stores the code of a component.
    pub(super) fn keep_code(&self, key: &CodeKey, code: &[u8]) {
        self.keep(key, Content::Code, code);
    }

    /// Stores the fact that a component is refused.
    pub(super) fn keep_failure(&self, key: &CodeKey, failure: &Failure) {
        // The message may quote a name of the component, and only this much of it is read back.
        let end = failure.message.floor_char_boundary(entry::MAX_FAILURE_BYTES);
        self.keep(key, Content::Failure, failure.message.get(..end).unwrap_or_default().as_bytes());
    }

    fn keep(&self, key: &CodeKey, content: Content, payload: &[u8]) {
        if let Err(error) = self.try_keep(key, content, payload) {
            self.note(&error);
        }
    }

    fn try_keep(&self, key: &CodeKey, content: Content, payload: &[u8]) -> io::Result<()> {
        let secret = Key::read_or_make(&self.state_dir)?;
        let dir = PrivateDir::open_or_make(&self.dir)?;
        dir.sweep()?;
        turn::sweep(&dir)?;
        digests::sweep(&dir)?;
        make_room(&dir, payload.len() as u64)?;
        let header = Header::new(key, content, payload.len() as u64);
        let tag = secret.tag(&header, payload);
        dir.replace(&key.to_string(), |file| {
            file.write_all(&header.to_bytes(tag))?;
            file.write_all(payload)
        })
    }

    /// Notes that the code of a component does not fit this engine.
    pub(super) fn mismatch(&self, key: &CodeKey, why: &str) {
        self.note(&io::Error::new(io::ErrorKind::InvalidData, format!("the entry {key} {why}")));
    }

    /// Notes a fault of the cache. Keeps only the first fault, because later ones usually have the same cause.
    pub(super) fn note(&self, error: &io::Error) {
        tracing::debug!("the cache cannot be used: {error}");
        if error.kind() != io::ErrorKind::InvalidData {
            self.is_broken.store(true, Ordering::Relaxed);
        }
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        fault.get_or_insert_with(|| match error.raw_os_error() {
            Some(_) => format!("`{}`: {}", self.dir.display(), os_words(error)),
            None => error.to_string(),
        });
    }

    /// Returns the entries, sorted by digest.
    ///
    /// # Errors
    /// Returns an error if the cache cannot be read.
    pub fn entries(&self) -> io::Result<Vec<CacheEntry>> {
        let Some(dir) = PrivateDir::open(&self.dir)? else { return Ok(Vec::new()) };
        Ok(entries_in(&dir)?
            .into_iter()
            .map(|file| CacheEntry {
                kind: dir.file(&file.name).ok().flatten().map_or("foreign", |opened| kind(opened, &file.name)),
                sha256: file.name.split('.').next().unwrap_or_default().to_owned(),
                size: file.size,
                idle_s: file.modified.elapsed().unwrap_or_default().as_secs(),
            })
            .collect())
    }

    /// Removes all entries. Returns their number and their total size in bytes.
    ///
    /// # Errors
    /// Returns an error if the cache cannot be read, or if an entry cannot be removed.
    pub fn clean(&self) -> io::Result<(usize, u64)> {
        let Some(dir) = PrivateDir::open(&self.dir)? else { return Ok((0, 0)) };
        let files = entries_in(&dir)?;
        // Keep the files of turns, so that compilations in progress continue.
        for file in dir.list()?.iter().filter(|file| !turn::is_turn(&file.name)) {
            dir.remove(&file.name)?;
        }
        dir.sweep()?;
        turn::sweep(&dir)?;
        Ok((files.len(), files.iter().map(|file| file.size).sum()))
    }
}

/// Returns the kind of an entry, judging by its header alone.
fn kind(mut file: File, name: &str) -> &'static str {
    let mut raw = [0; Header::BYTES];
    let header = file.read_exact(&mut raw).ok().and_then(|()| Header::read_any(&raw));
    match header {
        Some(header) if header.is_current() && header.key.to_string() == name => match header.content {
            Content::Code if header.key.metering == Metering::Fuel => "metered",
            Content::Code => "code",
            Content::Failure => "failure",
        },
        _ => "foreign",
    }
}

fn damaged(dir: &PrivateDir, key: &CodeKey, what: &str) -> io::Error {
    let path = dir.path().join(key.to_string());
    io::Error::new(io::ErrorKind::InvalidData, format!("`{}` {what}", path.display()))
}

/// Returns the files that hold entries.
fn entries_in(dir: &PrivateDir) -> io::Result<Vec<Listed>> {
    let mut files = dir.list()?;
    files.retain(|file| !turn::is_turn(&file.name) && !digests::is_digest(&file.name));
    Ok(files)
}

/// Removes the least recently used entries until `bytes` more fit.
fn make_room(dir: &PrivateDir, bytes: u64) -> io::Result<()> {
    if bytes > MAX_CACHE_BYTES {
        let (size, limit) = (ByteSize(bytes), ByteSize(MAX_CACHE_BYTES));
        return Err(io::Error::other(format!("{size} of code are more than the {limit} that it may have")));
    }
    let mut files = entries_in(dir)?;
    files.sort_by_key(|file| file.modified);
    let mut total: u64 = files.iter().map(|file| file.size).sum();
    for file in files {
        if total + bytes <= MAX_CACHE_BYTES {
            break;
        }
        dir.remove(&file.name)?;
        total -= file.size;
    }
    Ok(())
}

/// Returns the current time in seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}
