//! The powers that an operator gives to a component.

use std::path::PathBuf;

/// The powers of a component. The default is none, which makes it pure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grants {
    /// Directories that it may open.
    pub dirs: Vec<DirGrant>,
    /// Environment variables that it may read, with their values.
    pub env: Vec<(String, String)>,
    /// The wall clock and the monotonic clock.
    pub clocks: bool,
    /// Random numbers.
    pub random: bool,
}

impl Grants {
    /// Whether nothing is granted.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.dirs.is_empty() && self.env.is_empty() && !self.clocks && !self.random
    }
}

/// A directory that a component may open.
///
/// Opening a pipe or a file on a dead network can hang. The call is given up in time, but the thread of the runtime
/// that is stuck in the system stays behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirGrant {
    /// The directory on the host.
    pub host_path: PathBuf,
    /// Its name inside the sandbox.
    pub guest_path: String,
    /// What the component may do in it.
    pub access: DirAccess,
}

/// What a component may do in a directory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DirAccess {
    /// List and read.
    #[default]
    Read,
    /// Also create, change and delete. The component can then leave symlinks that point out of the directory: it
    /// cannot follow them itself, but other programs will.
    ReadWrite,
}
