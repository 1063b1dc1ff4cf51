//! Components that are part of hookbox.

use super::digest::Digest;
use crate::protocol::{Code, Failure};

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// A component that is part of hookbox. It imports nothing.
pub(super) struct Embedded {
    pub(super) name: &'static str,
    pub(super) bytes: &'static [u8],
    /// Computed when hookbox was built: digesting a megabyte takes longer than a call.
    sha256: [u8; 32],
}

impl Embedded {
    /// Finds a component by its name. `what` is what it does, for the error.
    ///
    /// # Errors
    /// hookbox was built without it.
    pub(super) fn find(name: &str, what: &str) -> Result<&'static Self, Failure> {
        EMBEDDED.iter().find(|embedded| embedded.name == name).ok_or_else(|| {
            let message = format!(
                "needs {what}, which this hookbox was built without: build it again after `cargo xtask guests`"
            );
            Failure::new(Code::Script, message)
        })
    }

    pub(super) fn digest(&self) -> Digest {
        Digest::from(self.sha256)
    }
}
