//! The protocol between the compiler's process and its parent.
//!
//! The parent sends 32 random bytes, then the component. The compiler sends a keyed hash of everything that follows,
//! then a [`Reply`]. The random bytes are the key. So no other bytes in the pipe are mistaken for machine code, such as
//! a banner that a host prints before its `main` calls [`serve_if_asked`](super::serve_if_asked), or output of another
//! program. The hash also covers the version, since the engine would run the code of an older compiler.

use super::super::cache::FINGERPRINT;
use blake3::{Hash, Hasher};
use std::io;

/// The key of one conversation.
pub(super) type Nonce = [u8; 32];

/// The sizes, in bytes, of the tag and of everything that precedes a reply's texts: tag, kind, the cage's gaps, length
/// of the fault.
const TAG_BYTES: usize = 32;
pub(super) const HEADER_BYTES: usize = TAG_BYTES + 1 + 1 + 4;

/// Parts of the cage that the kernel did not provide, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CageGaps(pub(super) u8);

impl CageGaps {
    pub(super) const LANDLOCK: u8 = 1;
    pub(super) const SECCOMP: u8 = 2;
    /// The bit for a system that has no cage at all.
    pub(super) const SYSTEM: u8 = 4;

    pub(super) const fn lacks(self, part: u8) -> bool {
        self.0 & part != 0
    }
}

/// The result for a component.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// Machine code.
    Code(Vec<u8>),
    /// The component itself is at fault, so it would be refused again.
    Refused(String),
    /// There is no code this time.
    Failed(String),
    /// Another process compiles an untrusted component, and there may be only one.
    Busy,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) said: Said,
    pub(super) gaps: CageGaps,
    /// The fault of the cache, if there is one.
    pub(super) fault: Option<String>,
}

impl Reply {
    #[cfg(feature = "compiler")]
    pub(super) const fn new(said: Said, gaps: CageGaps) -> Self {
        Reply { said, gaps, fault: None }
    }

    #[cfg(any(test, feature = "compiler"))]
    pub(super) fn to_bytes(&self, nonce: &Nonce) -> Vec<u8> {
        let (kind, payload) = match &self.said {
            Said::Code(code) => (0, code.as_slice()),
            Said::Refused(why) => (1, why.as_bytes()),
            Said::Failed(why) => (2, why.as_bytes()),
            Said::Busy => (3, &b""[..]),
        };
        let fault = self.fault.as_deref().unwrap_or_default().as_bytes();
        let mut bytes = Vec::with_capacity(HEADER_BYTES + fault.len() + payload.len());
        bytes.extend([kind, self.gaps.0]);
        bytes.extend(u32::try_from(fault.len()).unwrap_or_default().to_le_bytes());
        bytes.extend(fault);
        bytes.extend(payload);
        let tag = tag_of(&bytes, nonce);
        bytes.splice(0..0, *tag.as_bytes());
        bytes
    }

    /// Reads a reply. Returns `None` if these bytes are not a reply to this nonce.
    pub(super) fn read(mut bytes: Vec<u8>, nonce: &Nonce) -> Option<Self> {
        let (tag, rest) = bytes.split_first_chunk::<TAG_BYTES>()?;
        // This comparison of hashes takes constant time.
        if tag_of(rest, nonce) != Hash::from_bytes(*tag) {
            return None;
        }
        let ([kind, gaps], rest) = rest.split_first_chunk::<2>()?;
        let (length, rest) = rest.split_first_chunk()?;
        let (kind, gaps) = (*kind, CageGaps(*gaps));
        let length = u32::from_le_bytes(*length) as usize;
        let fault = String::from_utf8_lossy(rest.get(..length)?).into_owned();
        bytes.drain(..HEADER_BYTES + length);
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let said = match kind {
            0 => Said::Code(bytes),
            1 => Said::Refused(text(bytes)),
            2 => Said::Failed(text(bytes)),
            3 => Said::Busy,
            _ => return None,
        };
        Some(Reply { said, gaps, fault: Some(fault).filter(|fault| !fault.is_empty()) })
    }
}

fn tag_of(rest: &[u8], nonce: &Nonce) -> Hash {
    Hasher::new_keyed(nonce).update(FINGERPRINT.as_slice()).update(rest).finalize()
}

/// Creates a nonce for a new conversation.
pub(super) fn nonce() -> io::Result<Nonce> {
    let mut nonce = [0; 32];
    getrandom::fill(&mut nonce)?;
    Ok(nonce)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn only_the_reply_of_the_same_version_to_the_same_nonce_counts() {
        let (nonce, other) = (nonce().unwrap(), nonce().unwrap());
        for said in [Said::Code(vec![0, 1, 2]), Said::Refused("why".into()), Said::Failed("how".into()), Said::Busy] {
            let reply = Reply { said, gaps: CageGaps(CageGaps::SECCOMP), fault: Some("read-only".to_owned()) };
            let bytes = reply.to_bytes(&nonce);
            assert_eq!(Reply::read(bytes.clone(), &nonce).as_ref(), Some(&reply));
            assert_eq!(Reply::read(bytes.clone(), &other), None);
            assert_eq!(Reply::read([b"banner\n", bytes.as_slice()].concat(), &nonce), None);
            let rest = &bytes[TAG_BYTES..];
            let without_version = [blake3::keyed_hash(&nonce, rest).as_bytes().as_slice(), rest].concat();
            assert_eq!(Reply::read(without_version, &nonce), None);
            for at in 0..bytes.len() {
                let mut changed = bytes.clone();
                changed[at] ^= 1;
                assert_eq!(Reply::read(changed, &nonce), None, "{at}");
                assert_eq!(Reply::read(bytes[..at].to_vec(), &nonce), None, "{at}");
            }
        }
        assert_eq!(Reply::read(b"no code\n".to_vec(), &nonce), None);
    }
}
