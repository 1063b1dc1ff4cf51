//! The resolution of names to addresses.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::{IpAddr, ToSocketAddrs};
use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use tokio::sync::Semaphore;

/// The maximum number of system lookups at once. Each lookup occupies a thread until the system answers, which can take
/// half a minute and cannot be interrupted.
pub const MAX_LOOKUPS: usize = 4;

/// The result of a lookup.
pub type Addresses<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// A resolver that finds the addresses of names. The caller sets the time limit, by dropping the future.
pub trait Resolve: Send + Sync {
    /// Returns the addresses of a name, the best one first.
    ///
    /// # Errors
    /// Returns an error if the name does not exist or cannot be looked up.
    fn resolve<'a>(&'a self, name: &'a str) -> Addresses<'a>;
}

type Lookup = dyn Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync;

/// A resolver that calls a blocking function on Tokio's threads, for a few names at once.
#[derive(Clone)]
pub struct BlockingResolver {
    lookup: Arc<Lookup>,
    permits: Arc<Semaphore>,
}

impl BlockingResolver {
    /// Returns the system's resolver. The limit of [`MAX_LOOKUPS`] applies to the whole process.
    #[must_use]
    pub fn system() -> Self {
        static SYSTEM: LazyLock<BlockingResolver> = LazyLock::new(|| {
            BlockingResolver::new(MAX_LOOKUPS, |name| {
                Ok((name, 0).to_socket_addrs()?.map(|address| address.ip()).collect())
            })
        });
        SYSTEM.clone()
    }

    /// Creates a resolver that calls a function, at most `at_once` times at once.
    pub fn new(
        at_once: usize,
        lookup: impl Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync + 'static,
    ) -> BlockingResolver {
        BlockingResolver { lookup: Arc::new(lookup), permits: Arc::new(Semaphore::new(at_once)) }
    }
}

impl Resolve for BlockingResolver {
    fn resolve<'a>(&'a self, name: &'a str) -> Addresses<'a> {
        let (lookup, permits, name) = (Arc::clone(&self.lookup), Arc::clone(&self.permits), name.to_owned());
        Box::pin(async move {
            let permit = permits.acquire_owned().await.map_err(io::Error::other)?;
            let task = tokio::task::spawn_blocking(move || {
                let addresses = lookup(&name);
                // Keep the permit until here even if the caller gives up earlier, because the thread has been busy
                // until now.
                drop(permit);
                addresses
            });
            task.await.map_err(io::Error::other)?
        })
    }
}

impl fmt::Debug for BlockingResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockingResolver").finish_non_exhaustive()
    }
}
