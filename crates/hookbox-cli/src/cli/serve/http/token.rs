//! The token that keeps browsers and other users out. The user's own programs, including agents, can read it.

use anyhow::{Context, bail};
use sha2::{Digest, Sha256};
use std::fs::{DirBuilder, File, Permissions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;
use subtle::ConstantTimeEq;

/// The number of random bytes of a new token.
const BYTES: usize = 32;

/// The minimum and maximum length of a token, in bytes.
const LENGTHS: std::ops::RangeInclusive<usize> = 16..=512;

/// The digest of the token, so that a comparison takes the same time for every given token.
pub(super) struct Token([u8; 32]);

impl Token {
    /// Reads the token. Creates one if the file does not exist.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or created, if its content is not a token, or if other users can
    /// read or change it.
    pub(super) fn read_or_make(file: &Path) -> anyhow::Result<Self> {
        let cannot = || format!("the token in `{}` cannot be used", file.display());
        if !file.exists() {
            Token::make(file).with_context(cannot)?;
        }
        // Opening a FIFO would otherwise wait for a writer.
        let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
        let opened = File::options().read(true).custom_flags(flags).open(file).with_context(cannot)?;
        let meta = opened.metadata().with_context(cannot)?;
        if !meta.is_file() || meta.uid() != rustix::process::geteuid().as_raw() || meta.mode() & 0o077 != 0 {
            bail!("the token in `{}` is open to others; run `chmod 600` on it, and make it your own", file.display());
        }
        let mut text = String::new();
        opened.take(*LENGTHS.end() as u64 + 2).read_to_string(&mut text).with_context(cannot)?;
        let text = text.trim_end();
        if !LENGTHS.contains(&text.len()) || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            bail!(
                "the token in `{}` must have {} to {} visible characters",
                file.display(),
                LENGTHS.start(),
                LENGTHS.end()
            );
        }
        Ok(Token(Sha256::digest(text).into()))
    }

    fn make(file: &Path) -> anyhow::Result<()> {
        let dir = file.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
        DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(|error| anyhow::anyhow!("there are no random numbers: {error}"))?;
        let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        // The file gets its name once it is whole, since another server may read it at any time.
        let mut made = tempfile::Builder::new().permissions(Permissions::from_mode(0o600)).tempfile_in(dir)?;
        made.write_all(format!("{text}\n").as_bytes())?;
        match made.persist_noclobber(file) {
            Ok(_) => Ok(()),
            // Another server has created the token first.
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error.error.into()),
        }
    }

    pub(super) fn is(&self, given: &str) -> bool {
        let given: [u8; 32] = Sha256::digest(given).into();
        self.0.ct_eq(&given).into()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use super::Token;

    #[test]
    fn servers_that_start_at_the_same_time_share_the_token() {
        for _ in 0..100 {
            let dir = tempfile::tempdir().unwrap();
            let file = dir.path().join("state/serve.token");
            let tokens: Vec<[u8; 32]> = std::thread::scope(|scope| {
                let servers: Vec<_> = (0..8).map(|_| scope.spawn(|| Token::read_or_make(&file).unwrap().0)).collect();
                servers.into_iter().map(|server| server.join().unwrap()).collect()
            });
            assert!(tokens.iter().all(|token| *token == tokens[0]));
        }
    }
}
