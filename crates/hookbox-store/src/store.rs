//! The stores: a file of the user, or a server that machines share.

use crate::admin::{Entry, Usage};
use crate::bucket::Bucket;
use crate::local::{Local, Owner};
#[cfg(feature = "shared")]
use crate::shared::Shared;
use crate::{Error, ErrorKind, Limits, Namespace};
use std::path::Path;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

/// A store of the state of hooks. Clones are cheap and share the connection.
///
/// A store must not be used in a child process created by `fork` without `exec`.
#[derive(Clone, Debug)]
pub struct Store {
    backend: Backend,
}

#[derive(Clone, Debug)]
pub(crate) enum Backend {
    Local(Local),
    #[cfg(feature = "shared")]
    Shared(Shared),
}

/// Passes an operation to the right store.
macro_rules! on_backend {
    ($store:expr, $method:ident($($argument:expr),*)) => {
        match &$store.backend {
            Backend::Local(local) => local.$method($($argument),*).await,
            #[cfg(feature = "shared")]
            Backend::Shared(shared) => shared.$method($($argument),*).await,
        }
    };
}

impl Store {
    /// Creates a store for the file `state.db` in a directory, which must be private to the user. The file is opened at
    /// its first use. The directory and the file are created if they do not exist.
    ///
    /// # Errors
    /// Returns an error if the path is not absolute.
    pub fn local(dir: &Path) -> Result<Self, Error> {
        if !dir.is_absolute() {
            let text = format!("the directory of the store, `{}`, is not an absolute path", dir.display());
            return Err(Error::new(ErrorKind::Invalid, text));
        }
        Ok(Store { backend: Backend::Local(Local::new(dir.to_owned())) })
    }

    /// Creates a store for a Redis or Valkey server, to which it connects on demand.
    ///
    /// The URL is `redis://[user][:password@]host[:port][/database]` or `unix:///path?db=…&user=…&pass=…`. `rediss`
    /// means TLS; `valkey` and `valkeys` mean the same as `redis` and `rediss`. TLS uses the platform's certificates,
    /// and those that `SSL_CERT_FILE` and `SSL_CERT_DIR` name.
    ///
    /// The server must not evict keys (`maxmemory-policy noeviction`), and must persist its data if counters and
    /// budgets must survive a restart. A cluster is not supported.
    ///
    /// # Errors
    /// Returns an error if the URL is not valid. The message does not repeat the URL, since it may contain a password.
    #[cfg(feature = "shared")]
    pub fn shared(url: &str) -> Result<Self, Error> {
        Ok(Store { backend: Backend::Shared(Shared::new(url)?) })
    }

    /// Returns the same store with another clock for the expiry of entries, for tests. A shared store always uses the
    /// server's clock.
    #[must_use]
    pub fn with_clock(self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        let backend = match self.backend {
            Backend::Local(local) => Backend::Local(local.with_clock(Arc::new(clock))),
            #[cfg(feature = "shared")]
            Backend::Shared(shared) => Backend::Shared(shared),
        };
        Store { backend }
    }

    /// Returns the state of one hook, for operations until the deadline.
    #[must_use]
    pub fn bucket(&self, namespace: &Namespace, limits: Limits, deadline: Instant) -> Bucket {
        Bucket { backend: self.backend.clone(), owner: Owner::new(namespace, limits), deadline }
    }

    /// Does the work that can wait until a hook's answer has been sent: removes some of the expired entries and
    /// shortens a long log, which waits for the disk. Does nothing if the store was not used.
    ///
    /// # Errors
    /// Returns an error if the store failed. Earlier writes are not affected.
    pub async fn tidy(&self, deadline: Instant) -> Result<(), Error> {
        on_backend!(self, tidy(deadline))
    }

    /// Returns the namespaces that are not empty, sorted.
    ///
    /// # Errors
    /// Returns an error if the store failed.
    pub async fn usage(&self, deadline: Instant) -> Result<Vec<Usage>, Error> {
        on_backend!(self, usage(deadline))
    }

    /// Returns the entries of a namespace, sorted by key.
    ///
    /// # Errors
    /// Returns an error if the store failed.
    pub async fn entries(&self, namespace: &Namespace, deadline: Instant) -> Result<Vec<Entry>, Error> {
        on_backend!(self, entries(namespace.id(), deadline))
    }

    /// Deletes all entries of a namespace, and returns how many there were.
    ///
    /// # Errors
    /// Returns an error if the store failed; nothing was deleted then.
    pub async fn clear(&self, namespace: &Namespace, deadline: Instant) -> Result<u64, Error> {
        on_backend!(self, clear(namespace.id(), deadline))
    }
}
