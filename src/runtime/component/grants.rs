//! The powers that an operator grants to a component.
//!
//! A single type carries them from the config to the sandbox. Every decision based on grants destructures it without
//! `..`, so a new kind of grant does not compile until each decision handles it.

use super::powers::Powers;
use super::powers::net::{self, NetGrant};
use super::powers::store::{self, StoreGrant};
use crate::protocol::{Code, Failure};
use bytesize::ByteSize;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The powers of a component. By default it has none, which makes it pure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Grants {
    /// The directories that the component may open.
    pub dirs: Vec<DirGrant>,
    /// The environment variables that the component may read.
    pub env: Vec<EnvGrant>,
    /// Whether the component may use the wall clock and the monotonic clock.
    pub clocks: bool,
    /// Whether the component may use random numbers.
    pub random: bool,
    /// A store for values that outlive the call.
    pub store: Option<StoreGrant>,
    /// The HTTP requests that the component may send.
    pub net: Option<NetGrant>,
}

impl Grants {
    /// Also grants a directory.
    #[must_use]
    pub fn with_dir(mut self, dir: DirGrant) -> Self {
        self.dirs.push(dir);
        self
    }

    /// Also grants an environment variable.
    #[must_use]
    pub fn with_env(mut self, variable: EnvGrant) -> Self {
        self.env.push(variable);
        self
    }

    /// Sets whether the component may use the clocks.
    #[must_use]
    pub fn with_clocks(self, clocks: bool) -> Self {
        Grants { clocks, ..self }
    }

    /// Sets whether the component may use random numbers.
    #[must_use]
    pub fn with_random(self, random: bool) -> Self {
        Grants { random, ..self }
    }

    /// Also grants a store.
    #[must_use]
    pub fn with_store(self, store: StoreGrant) -> Self {
        Grants { store: Some(store), ..self }
    }

    /// Also grants HTTP requests.
    #[must_use]
    pub fn with_net(self, net: NetGrant) -> Self {
        Grants { net: Some(net), ..self }
    }

    /// Returns whether nothing is granted. This alone decides whether a component counts as pure, and whether it may
    /// run in an untrusted project.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        let Grants { dirs, env, clocks, random, store, net } = self;
        dirs.is_empty() && env.is_empty() && !*clocks && !*random && store.is_none() && net.is_none()
    }

    /// Describes the grants in sentences, for a user to judge.
    pub(crate) fn sentences(&self) -> Vec<String> {
        let Grants { dirs, env, clocks, random, store, net } = self;
        let dirs = dirs.iter().map(|dir| {
            let files = format!("the files in `{}` (as `{}`)", dir.host_path.display(), dir.guest_path);
            match dir.access {
                DirAccess::Read => format!("may read {files}"),
                DirAccess::ReadWrite => {
                    let most = ByteSize(dir.max_bytes);
                    format!("may read and change {files}, and add up to {most} with each call")
                }
            }
        });
        let env = env.iter().map(|variable| format!("may read the variable `{}`", variable.name));
        let clocks = clocks.then(|| "may read the clocks".to_owned());
        let random = random.then(|| "gets random numbers".to_owned());
        let store = store.as_ref().map(StoreGrant::sentence);
        let net = net.iter().flat_map(NetGrant::sentences);
        dirs.chain(env).chain(clocks).chain(random).chain(store).chain(net).collect()
    }
}

/// A directory that a component may open.
///
/// Opening a pipe or a file on a dead network can hang. The call is abandoned in time, but the runtime's thread stays
/// stuck in the system call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DirGrant {
    /// The directory on the host.
    pub host_path: PathBuf,
    /// The directory's name inside the sandbox.
    pub guest_path: String,
    /// What the component may do in it.
    pub access: DirAccess,
    /// The maximum number of bytes that a call may add to the directory, if it may write. The bytes that the call
    /// writes and the growth of files count, and 4 KiB for each new file, directory or link. Default:
    /// [`DirGrant::MAX_BYTES`].
    pub max_bytes: u64,
}

impl DirGrant {
    /// The default of [`max_bytes`](Self::max_bytes): 64 MiB.
    pub const MAX_BYTES: u64 = 64 << 20;

    /// Grants a directory of the host under a name inside the sandbox.
    pub fn new(host_path: impl Into<PathBuf>, guest_path: impl Into<String>, access: DirAccess) -> Self {
        let (host_path, guest_path) = (host_path.into(), guest_path.into());
        DirGrant { host_path, guest_path, access, max_bytes: DirGrant::MAX_BYTES }
    }

    /// Sets the maximum number of bytes that a call may add to the directory.
    #[must_use]
    pub fn with_max_bytes(self, max_bytes: u64) -> Self {
        DirGrant { max_bytes, ..self }
    }
}

/// The access that a component has to a directory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DirAccess {
    /// List and read.
    #[default]
    Read,
    /// Also create, change and delete. The component can then leave symlinks that point out of the directory. The
    /// component itself cannot follow them, but other programs will.
    ReadWrite,
}

/// An environment variable that a component may read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EnvGrant {
    /// The variable's name.
    pub name: String,
    /// The variable's value. `None` hides the variable from the component: a config names the variable before the
    /// host's environment is known.
    pub value: Option<String>,
}

impl EnvGrant {
    /// Grants a variable. Without a value, the component finds it unset.
    pub fn new(name: impl Into<String>, value: Option<String>) -> Self {
        EnvGrant { name: name.into(), value }
    }
}

/// Grants with their directories resolved. A component is linked and called with these alone.
#[derive(Debug, Default)]
pub(super) struct Granted {
    grants: Grants,
    /// The identity of each directory at the time that its path was resolved.
    dirs: Vec<Identity>,
    store: Option<store::Opened>,
    net: Option<net::Opened>,
}

/// The device and inode, which identify a directory under any path.
type Identity = (u64, u64);

impl Granted {
    /// Resolves the directories.
    ///
    /// # Errors
    /// Returns a failure if a directory cannot be opened, if two directories overlap and only one of them is writable,
    /// if there is no place for the store, or if something that a request needs cannot be read.
    pub(super) fn new(grants: Grants, powers: &Powers) -> Result<Self, Failure> {
        let mut dirs = Vec::with_capacity(grants.dirs.len());
        for dir in &grants.dirs {
            let (real, identity) = find(&dir.host_path).map_err(|error| {
                let path = dir.host_path.display();
                Failure::new(Code::Grant, format!("is granted `{path}`, which cannot be opened: {error}"))
            })?;
            dirs.push((dir, real, identity));
        }
        for (nth, (first, first_real, first_identity)) in dirs.iter().enumerate() {
            for (second, second_real, second_identity) in dirs.iter().skip(nth + 1) {
                if first.access != second.access
                    && (is_below(first_real, *second_identity) || is_below(second_real, *first_identity))
                {
                    let message = format!(
                        "is granted `{}` and `{}` with different access, and one of them is or lies in the other: grant both \
                         to read, both to read and write, or only one",
                        first.host_path.display(),
                        second.host_path.display()
                    );
                    return Err(Failure::new(Code::Grant, message));
                }
            }
        }
        let dirs = dirs.into_iter().map(|(_, _, identity)| identity).collect();
        let store = grants.store.as_ref().map(|store| powers.stores.open(store)).transpose()?;
        let net = grants.net.as_ref().map(|net| powers.networks.open(net)).transpose()?;
        Ok(Granted { grants, dirs, store, net })
    }

    pub(super) const fn store(&self) -> Option<&store::Opened> {
        self.store.as_ref()
    }

    pub(super) const fn net(&self) -> Option<&net::Opened> {
        self.net.as_ref()
    }

    pub(super) const fn grants(&self) -> &Grants {
        &self.grants
    }

    /// Returns the directories. Each is checked to be still the one that was granted.
    pub(super) fn dirs(&self) -> impl Iterator<Item = io::Result<&DirGrant>> {
        self.grants.dirs.iter().zip(&self.dirs).map(|(dir, identity)| match identity_of(&dir.host_path) {
            Ok(now) if now == *identity => Ok(dir),
            Ok(_) => {
                let path = dir.host_path.display();
                Err(io::Error::other(format!("`{path}` is not the directory that was granted; load the hooks again")))
            }
            Err(error) => Err(io::Error::new(error.kind(), format!("`{}`: {error}", dir.host_path.display()))),
        })
    }
}

/// Returns the directory's path with symlinks resolved, and its identity.
fn find(path: &Path) -> io::Result<(PathBuf, Identity)> {
    let real = path.canonicalize()?;
    let identity = identity_of(&real)?;
    Ok((real, identity))
}

fn identity_of(path: &Path) -> io::Result<Identity> {
    let meta = fs::metadata(path)?;
    if meta.is_dir() { Ok((meta.dev(), meta.ino())) } else { Err(io::ErrorKind::NotADirectory.into()) }
}

/// Returns whether a path without symlinks leads to or through a directory.
fn is_below(path: &Path, dir: Identity) -> bool {
    path.ancestors().any(|above| identity_of(above).is_ok_and(|identity| identity == dir))
}
