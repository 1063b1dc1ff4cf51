//! The key that authenticates cache entries.

use super::entry::Header;
use crate::private_dir::PrivateDir;
use blake3::{Hash, Hasher, KEY_LEN};
use std::io::{self, Read};
use std::path::Path;

const NAME: &str = "cache.key";

/// The user's key, generated at random on first use.
pub(super) struct Key([u8; KEY_LEN]);

impl Key {
    /// Reads the key. Returns `None` if it does not exist yet.
    pub(super) fn read(state_dir: &Path) -> io::Result<Option<Self>> {
        match PrivateDir::open(state_dir)? {
            Some(dir) => Key::read_from(&dir),
            None => Ok(None),
        }
    }

    pub(super) fn read_or_make(state_dir: &Path) -> io::Result<Self> {
        let dir = PrivateDir::open_or_make(state_dir)?;
        if let Some(key) = Key::read_from(&dir)? {
            return Ok(key);
        }
        let mut fresh = [0; KEY_LEN];
        getrandom::fill(&mut fresh)?;
        // If two processes get here at the same time, one creates the key and both read it.
        dir.create(NAME, |file| file.write_all(&fresh))?;
        Key::read_from(&dir)?.ok_or_else(|| io::Error::other("the key of the cache has gone"))
    }

    fn read_from(dir: &PrivateDir) -> io::Result<Option<Self>> {
        let Some(file) = dir.file(NAME)? else { return Ok(None) };
        let mut key = Vec::new();
        file.take(KEY_LEN as u64 + 1).read_to_end(&mut key)?;
        let Ok(key) = key.try_into() else {
            let path = dir.path().join(NAME);
            return Err(io::Error::other(format!(
                "`{}` is not a key; remove it, and a new one is made",
                path.display()
            )));
        };
        Ok(Some(Key(key)))
    }

    /// Begins a keyed hash for the payload of an entry. Its key is derived from the header, so the tag covers both. If
    /// the header were hashed first instead, no piece of the payload would be aligned with BLAKE3's chunks, which
    /// halves the speed.
    pub(super) fn begin(&self, header: &Header) -> Hasher {
        Hasher::new_keyed(blake3::keyed_hash(&self.0, &header.covered()).as_bytes())
    }

    pub(super) fn tag(&self, header: &Header, payload: &[u8]) -> Hash {
        self.begin(header).update(payload).finalize()
    }
    /// Returns the tag of a remembered digest. The hashed bytes are shorter than a header, so a tag is never also a
    /// derived key.
    pub(super) fn digest_tag(&self, blake3: &Hash, sha256: &[u8; 32]) -> Hash {
        Hasher::new_keyed(&self.0).update(blake3.as_bytes()).update(sha256).finalize()
    }
}
