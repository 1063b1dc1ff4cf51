//! The format of an entry: a header of fixed size, then the payload.

use super::super::digest::Digest;
use super::super::engines::Metering;
use super::now;
use blake3::Hash;
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::sync::LazyLock;

const MAGIC: &[u8; 8] = b"hookbox\x01";

/// The version of the way in which the rest is authenticated.
const FORMAT: &str = "2";

/// The maximum length of a failure message, in bytes. The rest is cut off.
pub(super) const MAX_FAILURE_BYTES: usize = 64 << 10;

/// wasmtime's version, which its API does not expose. It is needed because wasmtime itself only rejects code of another
/// major version.
const ENGINE_VERSION: &str = "48.0.8";

/// The versions of hookbox and of wasmtime, which all machine code is bound to, whether it is in the cache or installed.
pub(in super::super) const VERSIONS: [&str; 2] = [env!("CARGO_PKG_VERSION"), ENGINE_VERSION];

/// The bit of the content field that marks code that counts fuel.
const METERING_BIT: u32 = 8;

/// A digest of what an entry is bound to besides its component. Code of another version or for another kind of machine
/// is not valid here. Engine settings and processor features are stored in the code itself, and the engine checks them.
pub(in super::super) static FINGERPRINT: LazyLock<[u8; 32]> = LazyLock::new(|| {
    let [hookbox, engine] = VERSIONS;
    let bound = [FORMAT, hookbox, engine, std::env::consts::ARCH, std::env::consts::OS];
    Sha256::digest(bound.join("\n")).into()
});

/// The identity of an entry: the component, and whether its code counts fuel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct CodeKey {
    pub(in super::super) component: Digest,
    pub(in super::super) metering: Metering,
}

impl fmt::Display for CodeKey {
    /// Formats the name of the entry's file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.metering {
            Metering::None => write!(f, "{}", self.component),
            Metering::Fuel => write!(f, "{}.fuel", self.component),
        }
    }
}

/// The content of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Machine code.
    Code = 1,
    /// The reason why the component is refused. The number 2 is retired: it could also mean that time or memory had run
    /// out.
    Failure = 3,
}

#[derive(Clone, Debug)]
pub(super) struct Header {
    fingerprint: [u8; 32],
    pub(super) key: CodeKey,
    pub(super) content: Content,
    /// The time of creation, in seconds since 1970.
    created: u64,
    pub(super) payload_bytes: u64,
}

impl Header {
    /// The size of the part that the tag covers: magic, content and metering, time, length, fingerprint, digest.
    const COVERED: usize = 8 + 8 + 8 + 8 + 32 + 32;
    /// The size of a header, including its tag.
    pub(super) const BYTES: usize = Self::COVERED + 32;

    pub(super) fn new(key: &CodeKey, content: Content, payload_bytes: u64) -> Self {
        Header { fingerprint: *FINGERPRINT, key: *key, content, created: now(), payload_bytes }
    }

    /// Returns the bytes that the tag covers.
    pub(super) fn covered(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(Self::BYTES);
        bytes.extend(MAGIC);
        let content = self.content as u64 | (self.key.metering as u64) << METERING_BIT;
        for number in [content, self.created, self.payload_bytes] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.fingerprint);
        bytes.extend(self.key.component.as_bytes());
        bytes
    }

    /// Returns the header followed by the tag, which covers the header and the payload.
    pub(super) fn to_bytes(&self, tag: Hash) -> Vec<u8> {
        let mut bytes = self.covered();
        bytes.extend(tag.as_bytes());
        bytes
    }

    /// Reads a header and its tag, if the header is of this version and belongs to this component.
    pub(super) fn read(bytes: &[u8; Self::BYTES], key: &CodeKey) -> Option<(Self, Hash)> {
        let header = Header::read_any(bytes).filter(|header| header.is_current() && header.key == *key)?;
        Some((header, Hash::from_bytes(*bytes.last_chunk()?)))
    }

    /// Reads any header. Its content is not authenticated.
    pub(super) fn read_any(bytes: &[u8; Self::BYTES]) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (content, rest) = rest.split_first_chunk()?;
        let (created, rest) = rest.split_first_chunk()?;
        let (payload_bytes, rest) = rest.split_first_chunk()?;
        let (fingerprint, rest) = rest.split_first_chunk()?;
        let (component, _) = rest.split_first_chunk::<32>()?;
        let content = u64::from_le_bytes(*content);
        Some(Header {
            content: match content & !(1 << METERING_BIT) {
                1 => Content::Code,
                3 => Content::Failure,
                _ => return None,
            },
            key: CodeKey {
                component: Digest::from(*component),
                metering: if content >> METERING_BIT == 0 { Metering::None } else { Metering::Fuel },
            },
            created: u64::from_le_bytes(*created),
            payload_bytes: u64::from_le_bytes(*payload_bytes),
            fingerprint: *fingerprint,
        })
    }

    pub(super) fn is_current(&self) -> bool {
        self.fingerprint == *FINGERPRINT
    }
}

#[cfg(test)]
mod tests {
    use super::ENGINE_VERSION;

    #[test]
    fn entries_are_bound_to_the_engine_that_is_built_in() {
        let manifest = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        let line = manifest.lines().find(|line| line.starts_with("wasmtime = "));
        assert!(line.is_some_and(|line| line.contains(&format!("version = \"={ENGINE_VERSION}\""))), "{line:?}");
    }
}
