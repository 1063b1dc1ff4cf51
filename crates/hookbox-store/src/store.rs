//! The stores: one of the user's files, or a server that machines share.

use crate::admin::{Entry, Usage};
use crate::bucket::Bucket;
use crate::local::{Local, Owner};
#[cfg(feature = "shared")]
use crate::shared::Shared;
use crate::{Error, ErrorKind, Limits, Namespace};
use std::path::Path;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

/// A store of hooks' state. Clones are cheap, and share the connection.
///
/// It must not be used in a child process created by `fork` without `exec`.
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
    /// The store in the file `state.db` of this directory, which must be private to the user. It is opened when it is
    /// first used, and both are created if they do not exist.
    ///
    /// # Errors
    /// The path is not absolute.
    pub fn local(dir: &Path) -> Result<Self, Error> {
        if !dir.is_absolute() {
            let text = format!("the directory of the store, `{}`, is not an absolute path", dir.display());
            return Err(Error::new(ErrorKind::Invalid, text));
        }
        Ok(Store { backend: Backend::Local(Local::new(dir.to_owned())) })
    }

    /// The store on a Redis or Valkey server, connected to on demand.
    ///
    /// The URL is `redis://[user][:password@]host[:port][/database]`, with `rediss` for TLS, `valkey` and `valkeys` for
    /// the same, or `unix:///path?db=…&user=…&pass=…`. TLS uses the platform's certificates, and those that
    /// `SSL_CERT_FILE` and `SSL_CERT_DIR` name.
    ///
    /// The server must not evict keys (`maxmemory-policy noeviction`), and must persist its data if counters and
    /// budgets must survive a restart. A cluster is not supported.
    ///
    /// # Errors
    /// The URL is not valid. The message does not repeat it, since it may contain a password.
    #[cfg(feature = "shared")]
    pub fn shared(url: &str) -> Result<Self, Error> {
        Ok(Store { backend: Backend::Shared(Shared::new(url)?) })
    }

    /// The same store with another clock for the expiry of entries, for tests. A shared store uses the server's clock.
    #[must_use]
    pub fn with_clock(self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        let backend = match self.backend {
            Backend::Local(local) => Backend::Local(local.with_clock(Arc::new(clock))),
            #[cfg(feature = "shared")]
            Backend::Shared(shared) => Backend::Shared(shared),
        };
        Store { backend }
    }

    /// The state of one hook, for the calls until the deadline.
    #[must_use]
    pub fn bucket(&self, namespace: &Namespace, limits: Limits, deadline: Instant) -> Bucket {
        Bucket { backend: self.backend.clone(), owner: Owner::new(namespace, limits), deadline }
    }

    /// Does what can wait until an answer is out: removes some of what has expired, and shortens a long log, which waits
    /// for the disk. It does nothing for a store that was not used.
    ///
    /// # Errors
    /// The store failed. What was written before is not affected.
    pub async fn tidy(&self, deadline: Instant) -> Result<(), Error> {
        on_backend!(self, tidy(deadline))
    }

    /// The namespaces that are not empty, sorted.
    ///
    /// # Errors
    /// The store failed.
    pub async fn usage(&self, deadline: Instant) -> Result<Vec<Usage>, Error> {
        on_backend!(self, usage(deadline))
    }

    /// The entries of a namespace, sorted by key.
    ///
    /// # Errors
    /// The store failed.
    pub async fn entries(&self, namespace: &Namespace, deadline: Instant) -> Result<Vec<Entry>, Error> {
        on_backend!(self, entries(namespace.id(), deadline))
    }

    /// Deletes all entries of a namespace, and returns how many there were.
    ///
    /// # Errors
    /// The store failed; nothing was deleted.
    pub async fn clear(&self, namespace: &Namespace, deadline: Instant) -> Result<u64, Error> {
        on_backend!(self, clear(namespace.id(), deadline))
    }
}
