//! The key that entries are authenticated with.

use super::entry::Header;
use crate::private_dir::PrivateDir;
use blake3::{Hash, Hasher, KEY_LEN};
use std::io::{self, Read};
use std::path::Path;

const NAME: &str = "cache.key";

/// A key of the user, made at random when it is first needed.
pub(super) struct Key([u8; KEY_LEN]);

impl Key {
    /// `None` if there is none yet.
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
        // Of two processes that come here at once, one makes the key and both read it.
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

    /// A keyed hash that has seen the header. BLAKE3 takes a fraction of the time that SHA-256 does, and all of the code
    /// has to go through it for every process.
    pub(super) fn begin(&self, header: &Header) -> Hasher {
        let mut mac = Hasher::new_keyed(&self.0);
        mac.update(&header.covered());
        mac
    }

    pub(super) fn tag(&self, header: &Header, payload: &[u8]) -> Hash {
        self.begin(header).update(payload).finalize()
    }
}
