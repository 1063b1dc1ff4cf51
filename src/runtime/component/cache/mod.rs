//! Machine code that is kept from one process to the next.
//!
//! An entry is loaded only if it is exactly what this user's hookbox wrote: it carries a keyed hash over all of it, and the
//! key lies in another directory. That is meant for damage, for caches that are shared, restored or synced, and for agents
//! whose file tool reaches the cache but not the key. A program with the user's rights can read the key.
//!
//! Whatever is wrong with the cache, hooks run: it only takes longer.

mod entry;
mod key;
mod turn;

use super::engines::Metering;
use super::unchecked::NativeCode;
use crate::private_dir::PrivateDir;
use crate::protocol::{Code, Failure, os_words};
use bytesize::ByteSize;
pub(super) use entry::CodeKey;
use entry::{Content, Header};
use key::Key;
use serde::Serialize;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};
pub(super) use turn::Turn;

/// What all entries together may take, in bytes. Those that were used longest ago go first.
pub const MAX_CACHE_BYTES: u64 = 512 << 20;

/// How exactly the last use of an entry is known. More would be a write per call.
const TOUCH_EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// The directory of this format; other versions have theirs.
const VERSION: &str = "v1";

/// Machine code that is kept from one process to the next.
#[derive(Debug)]
pub struct Cache {
    dir: PathBuf,
    state_dir: PathBuf,
    fault: Mutex<Option<String>>,
}

/// What the cache knows of a component.
pub(super) enum Found {
    Code(NativeCode),
    /// This version of hookbox refuses its bytes.
    Failure(Failure),
    Nothing,
}

/// One entry of the cache, for listings.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CacheEntry {
    /// The SHA-256 of the component.
    pub sha256: String,
    /// In bytes.
    pub size: u64,
    /// What it is: `code`, `metered` code that counts fuel, or a `failure`; `foreign` if this hookbox would not use it.
    pub kind: &'static str,
    /// Seconds since it was used last, known to a day.
    pub idle_s: u64,
}

impl Cache {
    /// The cache in a directory, whose key is in another one. Neither needs to be there, and nothing is looked at before it
    /// is needed. Neither may be a project's to choose.
    #[must_use]
    pub fn new(dir: &Path, state_dir: impl Into<PathBuf>) -> Self {
        Cache { dir: dir.join(VERSION), state_dir: state_dir.into(), fault: Mutex::default() }
    }

    /// As [`new`](Cache::new), for the directory with the entries itself.
    #[cfg(feature = "compiler")]
    pub(super) fn at(dir: PathBuf, state_dir: PathBuf) -> Self {
        Cache { dir, state_dir, fault: Mutex::default() }
    }

    /// Where the key is.
    pub(super) fn state_dir(&self) -> &Path {
        &self.state_dir
    }

    /// Where the entries are.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.dir
    }

    /// The directories that it keeps something in.
    pub(crate) fn dirs(&self) -> [&Path; 2] {
        [&self.dir, &self.state_dir]
    }

    /// What is wrong with the cache, if it was used and something is.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What is known of a component. What is wrong with the cache is noted, and else it is as if nothing were there.
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
        // The length is checked too, or a cut-off entry would look forged.
        if file.metadata()?.len() != Header::BYTES as u64 + header.payload_bytes {
            return Err(damaged(&dir, key, "is cut off"));
        }
        let forged = || damaged(&dir, key, "was not written by this user's hookbox, or is damaged");
        let found = match header.content {
            Content::Code => {
                let code = NativeCode::authenticated(&mut file, secret.begin(&header), tag)?;
                Found::Code(code.ok_or_else(forged)?)
            }
            Content::Failure => {
                let mut message = Vec::new();
                Read::by_ref(&mut file).take(entry::MAX_FAILURE_BYTES).read_to_end(&mut message)?;
                if secret.tag(&header, &message) != tag {
                    return Err(forged());
                }
                Found::Failure(Failure::new(Code::Compile, String::from_utf8_lossy(&message)))
            }
        };
        if file.metadata()?.modified()?.elapsed().is_ok_and(|age| age > TOUCH_EVERY) {
            // It only decides which entry goes first when there is no room.
            let _ = file.set_modified(SystemTime::now());
        }
        Ok(found)
    }

    /// Keeps the code of a component.
    pub(super) fn keep_code(&self, key: &CodeKey, code: &[u8]) {
        self.keep(key, Content::Code, code);
    }

    /// Remembers that the bytes of a component are refused.
    pub(super) fn keep_failure(&self, key: &CodeKey, failure: &Failure) {
        self.keep(key, Content::Failure, failure.message.as_bytes());
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
        make_room(&dir, payload.len() as u64)?;
        let header = Header::new(key, content, payload.len() as u64);
        let tag = secret.tag(&header, payload);
        dir.replace(&key.to_string(), |file| {
            file.write_all(&header.to_bytes(tag))?;
            file.write_all(payload)
        })
    }

    /// Says that the code of a component is not for this engine.
    pub(super) fn mismatch(&self, key: &CodeKey, why: &str) {
        self.note(&io::Error::other(format!("the entry {key} {why}")));
    }

    /// Keeps the first fault: those that follow mostly have the same cause.
    pub(super) fn note(&self, error: &io::Error) {
        tracing::debug!("the cache cannot be used: {error}");
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        fault.get_or_insert_with(|| match error.raw_os_error() {
            Some(_) => format!("`{}`: {}", self.dir.display(), os_words(error)),
            None => error.to_string(),
        });
    }

    /// The entries, in the order of their digests.
    ///
    /// # Errors
    /// The cache cannot be read.
    pub fn entries(&self) -> io::Result<Vec<CacheEntry>> {
        let Some(dir) = PrivateDir::open(&self.dir)? else { return Ok(Vec::new()) };
        let listed = dir.list()?.into_iter().filter(|file| !turn::is_turn(&file.name));
        Ok(listed
            .map(|file| CacheEntry {
                kind: dir.file(&file.name).ok().flatten().map_or("foreign", |opened| kind(opened, &file.name)),
                sha256: file.name.split('.').next().unwrap_or_default().to_owned(),
                size: file.size,
                idle_s: file.modified.elapsed().unwrap_or_default().as_secs(),
            })
            .collect())
    }

    /// Removes all entries; says how many there were and how many bytes they had.
    ///
    /// # Errors
    /// The cache cannot be read, or an entry cannot be removed.
    pub fn clean(&self) -> io::Result<(usize, u64)> {
        let Some(dir) = PrivateDir::open(&self.dir)? else { return Ok((0, 0)) };
        // What is being compiled goes on.
        let files: Vec<_> = dir.list()?.into_iter().filter(|file| !turn::is_turn(&file.name)).collect();
        for file in &files {
            dir.remove(&file.name)?;
        }
        dir.sweep()?;
        turn::sweep(&dir)?;
        Ok((files.len(), files.iter().map(|file| file.size).sum()))
    }
}

/// What an entry is, as far as its header tells.
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

/// Removes entries until there is room for one more, those first that were used longest ago.
fn make_room(dir: &PrivateDir, bytes: u64) -> io::Result<()> {
    if bytes > MAX_CACHE_BYTES {
        let (size, limit) = (ByteSize(bytes), ByteSize(MAX_CACHE_BYTES));
        return Err(io::Error::other(format!("{size} of code are more than the {limit} that it may have")));
    }
    let mut files: Vec<_> = dir.list()?.into_iter().filter(|file| !turn::is_turn(&file.name)).collect();
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

/// The time in seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}
