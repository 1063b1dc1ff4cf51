//! The files of components, identified by a digest of their bytes.

use super::cache::Cache;
use crate::protocol::{Code, Failure};
use rustix::fs::OFlags;
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The maximum size of a component, in bytes. Python's toolchain produces 18 MB.
pub const MAX_COMPONENT_BYTES: usize = 64 << 20;

/// The number of bytes read at a time. A component that is in the cache need not fit in memory as a whole.
const PIECE_BYTES: usize = 16 << 10;

/// The SHA-256 of a component.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Returns the digest of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Digest(Sha256::digest(bytes).into())
    }

    /// Returns the digest of a file and its size in bytes, or `None` if the file is larger than `limit`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub(crate) fn of_file(file: &mut File, limit: u64) -> io::Result<Option<(Self, u64)>> {
        let mut hash = Sha256::new();
        let size = read_pieces(file, limit, |piece| hash.update(piece))?;
        Ok(size.map(|size| (Digest(hash.finalize().into()), size)))
    }

    pub(super) const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Reads the rest of a file in pieces and returns the number of bytes, or `None` if there are more than `limit`.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub(super) fn read_pieces(file: &mut File, limit: u64, mut take: impl FnMut(&[u8])) -> io::Result<Option<u64>> {
    let mut buffer = vec![0; PIECE_BYTES];
    let mut size = 0;
    loop {
        let read = match file.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        let Some(piece) = buffer.get(..read).filter(|piece| !piece.is_empty()) else { return Ok(Some(size)) };
        size += read as u64;
        if size > limit {
            return Ok(None);
        }
        take(piece);
    }
}

impl From<[u8; 32]> for Digest {
    fn from(bytes: [u8; 32]) -> Self {
        Digest(bytes)
    }
}

impl fmt::Display for Digest {
    /// Formats the digest as lower-case hex, the form that configs pin.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Returns the SHA-256 of the bytes in lower-case hex, the form that configs pin.
#[must_use]
pub fn digest(bytes: &[u8]) -> String {
    Digest::of(bytes).to_string()
}

/// A component's file. It is opened only once, so the bytes that were digested are the bytes that run.
#[derive(Debug)]
pub struct ComponentFile {
    file: File,
    path: PathBuf,
    digest: Digest,
    size: u64,
}

impl ComponentFile {
    /// Opens a file of at most [`MAX_COMPONENT_BYTES`] and digests it.
    ///
    /// # Errors
    /// Returns a failure if the file is not a regular file, is too large, or cannot be read.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        ComponentFile::read_from(open_nonblocking(path, true).map_err(|error| unreadable(path, &error))?, path, None)
    }

    /// Like [`open`](ComponentFile::open), for a file that was already opened at this path. `cache` may remember its
    /// digest.
    pub(crate) fn read_from(mut file: File, path: &Path, cache: Option<&Cache>) -> Result<Self, Failure> {
        let failed = |error: io::Error| unreadable(path, &error);
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(unreadable(path, &"not a file"));
        }
        let limit = MAX_COMPONENT_BYTES as u64;
        let digested = match cache {
            Some(cache) => cache.digest(&mut file, limit),
            None => Digest::of_file(&mut file, limit),
        };
        let (digest, size) = digested.map_err(failed)?.ok_or_else(|| too_large(path))?;
        Ok(ComponentFile { file, path: path.to_owned(), digest, size })
    }

    /// Returns the path at which the file was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the digest at the time that the file was opened.
    #[must_use]
    pub const fn digest(&self) -> Digest {
        self.digest
    }

    /// Returns the size in bytes.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Returns the bytes that were digested.
    ///
    /// # Errors
    /// Returns a failure if the file cannot be read, or was changed in the meantime.
    pub fn read(&self) -> Result<Vec<u8>, Failure> {
        let mut file = &self.file;
        let mut bytes = Vec::new();
        let read = file.rewind().and_then(|()| file.take(MAX_COMPONENT_BYTES as u64).read_to_end(&mut bytes));
        read.map_err(|error| unreadable(&self.path, &error))?;
        if Digest::of(&bytes) != self.digest {
            return Err(unreadable(&self.path, &"it was changed while it was read"));
        }
        Ok(bytes)
    }
}

/// Opens a file for reading. If the file is a pipe, this does not wait for the other end.
pub(crate) fn open_nonblocking(path: &Path, follow: bool) -> io::Result<File> {
    let flags = if follow { OFlags::NONBLOCK } else { OFlags::NONBLOCK | OFlags::NOFOLLOW };
    let flags = i32::try_from(flags.bits()).unwrap_or_default();
    File::options().read(true).custom_flags(flags).open(path)
}

fn too_large(path: &Path) -> Failure {
    let limit = MAX_COMPONENT_BYTES >> 20;
    unreadable(path, &format_args!("it is larger than {limit} MiB, which is the limit"))
}

/// Creates the failure for a component that cannot be opened or read.
pub(crate) fn unreadable(path: &Path, why: &dyn fmt::Display) -> Failure {
    Failure::new(Code::Unreadable, format!("`{}`: {why}", path.display()))
}
