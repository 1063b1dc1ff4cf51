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
    /// `None` if it does not exist yet.
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
            return Err(io::Error::other(format!("`{}` is no key; remove it, and a new one is made", path.display())));
        };
        Ok(Some(Key(key)))
    }

    /// A keyed hash that has consumed the header. BLAKE3 takes a fraction of the time of SHA-256, and every process has
    /// to hash all of the code.
    pub(super) fn begin(&self, header: &Header) -> Hasher {
        let mut mac = Hasher::new_keyed(&self.0);
        mac.update(&header.covered());
        mac
    }

    pub(super) fn tag(&self, header: &Header, payload: &[u8]) -> Hash {
        self.begin(header).update(payload).finalize()
    }
}
