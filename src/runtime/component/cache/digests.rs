//! The digests of components, which the cache remembers.
//!
//! Every process digests every component that it calls. Configs pin SHA-256, which takes four times as long as BLAKE3.
//! So the cache remembers the SHA-256 of the bytes with a certain BLAKE3. This is authenticated with the user's key,
//! like entries.

use super::super::digest::{Digest, read_pieces};
use super::key::Key;
use super::{Cache, DAY};
use crate::private_dir::PrivateDir;
use blake3::{Hash, Hasher, OUT_LEN};
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::time::Duration;

/// The suffix of files that hold digests. The rest of the name is the BLAKE3 of the component.
const SUFFIX: &str = ".digest";

/// The size, in bytes, below which computing SHA-256 takes less time than looking it up.
const SMALL_BYTES: u64 = 128 << 10;

/// The age from which digests are removed. If the component is still in use, its digest is computed once more.
const STALE: Duration = DAY.saturating_mul(90);

impl Cache {
    /// Like [`Digest::of_file`], but remembers the digest of a large file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub(in super::super) fn digest(&self, file: &mut File, limit: u64) -> io::Result<Option<(Digest, u64)>> {
        if file.metadata()?.len() < SMALL_BYTES {
            return Digest::of_file(file, limit);
        }
        let mut blake3 = Hasher::new();
        let Some(size) = read_pieces(file, limit, |piece| _ = blake3.update(piece))? else { return Ok(None) };
        match self.remembered(&blake3.finalize()) {
            Ok(Some(digest)) => return Ok(Some((digest, size))),
            Ok(None) => {}
            Err(error) => self.note(&error),
        }
        // The file may have changed since it was read, so both hashes must come from the same read.
        file.rewind()?;
        let (mut blake3, mut sha256) = (Hasher::new(), Sha256::new());
        let read = read_pieces(file, limit, |piece| {
            blake3.update(piece);
            sha256.update(piece);
        });
        let Some(size) = read? else { return Ok(None) };
        let digest = Digest::from(<[u8; 32]>::from(sha256.finalize()));
        if let Err(error) = self.remember(&blake3.finalize(), digest) {
            tracing::debug!("the digest of a component is not remembered: {error}");
        }
        Ok(Some((digest, size)))
    }

    fn remembered(&self, blake3: &Hash) -> io::Result<Option<Digest>> {
        let Some(dir) = PrivateDir::open(&self.dir)? else { return Ok(None) };
        let name = name(blake3);
        let Some(file) = dir.file(&name)? else { return Ok(None) };
        let Some(secret) = Key::read(&self.state_dir)? else { return Ok(None) };
        let mut content = Vec::new();
        file.take(RECORD_BYTES + 1).read_to_end(&mut content)?;
        let record = content.split_first_chunk::<32>().and_then(|(sha256, tag)| Some((sha256, tag.try_into().ok()?)));
        match record {
            // This comparison of hashes takes constant time.
            Some((sha256, tag)) if secret.digest_tag(blake3, sha256) == Hash::from_bytes(tag) => {
                Ok(Some(Digest::from(*sha256)))
            }
            _ => {
                let path = dir.path().join(name);
                let message = format!("`{}` was not written by this user's hookbox, or is damaged", path.display());
                Err(io::Error::new(io::ErrorKind::InvalidData, message))
            }
        }
    }

    fn remember(&self, blake3: &Hash, digest: Digest) -> io::Result<()> {
        let secret = Key::read_or_make(&self.state_dir)?;
        let dir = PrivateDir::open_or_make(&self.dir)?;
        let tag = secret.digest_tag(blake3, digest.as_bytes());
        dir.replace(&name(blake3), |file| {
            file.write_all(digest.as_bytes())?;
            file.write_all(tag.as_bytes())
        })
    }
}

/// The size of a file's content, in bytes: a SHA-256 and a tag.
const RECORD_BYTES: u64 = 32 + OUT_LEN as u64;

fn name(blake3: &Hash) -> String {
    format!("{}{SUFFIX}", blake3.to_hex())
}

pub(super) fn is_digest(file: &str) -> bool {
    file.ends_with(SUFFIX)
}

/// Removes digests that were computed long ago.
///
/// # Errors
/// Returns an error if the directory cannot be read.
pub(super) fn sweep(dir: &PrivateDir) -> io::Result<()> {
    for file in dir.list()?.into_iter().filter(|file| is_digest(&file.name)) {
        if file.modified.elapsed().is_ok_and(|age| age > STALE) {
            dir.remove(&file.name)?;
        }
    }
    Ok(())
}
