//! The powers that an operator gives to a component.
//!
//! One type holds them on the whole way from the config to the sandbox. Whatever is decided by what is granted takes it
//! apart without `..`, so that a new kind of grant does not compile until each decision knows it.

use std::path::PathBuf;

/// The powers of a component. The default is none, which makes it pure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grants {
    /// Directories that it may open.
    pub dirs: Vec<DirGrant>,
    /// Environment variables that it may read.
    pub env: Vec<EnvGrant>,
    /// The wall clock and the monotonic clock.
    pub clocks: bool,
    /// Random numbers.
    pub random: bool,
}

impl Grants {
    /// Whether nothing is granted. This alone decides whether a component counts as pure, and whether it may run in a
    /// project that is not trusted.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        let Grants { dirs, env, clocks, random } = self;
        dirs.is_empty() && env.is_empty() && !*clocks && !*random
    }

    /// What is granted, as sentences that a user can judge.
    pub(crate) fn sentences(&self) -> Vec<String> {
        let Grants { dirs, env, clocks, random } = self;
        let dirs = dirs.iter().map(|dir| {
            let may = match dir.access {
                DirAccess::Read => "may read",
                DirAccess::ReadWrite => "may read and change",
            };
            format!("{may} the files in `{}` (as `{}`)", dir.host_path.display(), dir.guest_path)
        });
        let env = env.iter().map(|variable| format!("may read the variable `{}`", variable.name));
        let clocks = clocks.then(|| "may read the clocks".to_owned());
        let random = random.then(|| "gets random numbers".to_owned());
        dirs.chain(env).chain(clocks).chain(random).collect()
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

/// An environment variable that a component may read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnvGrant {
    /// Its name.
    pub name: String,
    /// Its value. Without one the component does not see the variable, which a config names before the host's
    /// environment is known.
    pub value: Option<String>,
}
