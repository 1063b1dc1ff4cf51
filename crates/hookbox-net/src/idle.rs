//! Connections that wait for another request of the same hook to the same host.

use crate::host::Host;
use crate::link::{Link, Task};
use crate::target::{Scheme, Target};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::runtime::{self, Handle};
use tokio::time::{Instant, sleep_until};

/// The maximum number of idle connections of one client. It is needed because a rule for `*.example.com` covers any
/// number of hosts.
const MAX_IDLE: usize = 8;

/// The kind of request that a connection may be reused for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Purpose {
    /// The position of the rule, which decides whose certificates are trusted and which addresses are allowed.
    rule: usize,
    scheme: Scheme,
    host: Host,
    port: u16,
}

impl Purpose {
    pub(crate) fn new(rule: usize, target: &Target) -> Self {
        Purpose { rule, scheme: target.scheme(), host: target.host().clone(), port: target.port() }
    }
}

/// Idle connections, one for each purpose and address.
pub(crate) struct Idle {
    most: Duration,
    kept: Mutex<Vec<Kept>>,
    sweeper: Mutex<Option<Task>>,
}

struct Kept {
    link: Link,
    purpose: Purpose,
    address: SocketAddr,
    until: Instant,
    /// A socket belongs to the runtime that created it, and does not work in another one.
    runtime: runtime::Id,
}

/// The place to which a connection returns after a response.
#[derive(Clone)]
pub(crate) struct Home {
    idle: Weak<Idle>,
    purpose: Purpose,
    address: SocketAddr,
}

impl Idle {
    /// Creates an empty set, which keeps connections for at most this long.
    pub(crate) fn new(most: Duration) -> Arc<Self> {
        Arc::new(Idle { most, kept: Mutex::default(), sweeper: Mutex::default() })
    }

    pub(crate) fn home(self: &Arc<Self>, purpose: &Purpose, address: SocketAddr) -> Home {
        Home { idle: Arc::downgrade(self), purpose: purpose.clone(), address }
    }

    /// Takes an idle connection for a purpose, to one of the addresses. The caller has checked the addresses.
    pub(crate) fn take(&self, purpose: &Purpose, addresses: &[SocketAddr]) -> Option<Link> {
        let (now, runtime) = (Instant::now(), Handle::current().id());
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|kept| kept.until > now);
        let nth = kept.iter().position(|kept| {
            kept.purpose == *purpose && addresses.contains(&kept.address) && kept.runtime == runtime
        })?;
        Some(kept.swap_remove(nth).link)
    }

    fn put(self: &Arc<Self>, link: Link, home: &Home, most: Duration) {
        let Ok(runtime) = Handle::try_current() else { return };
        let now = Instant::now();
        let until = now.checked_add(most.min(self.most)).unwrap_or(now);
        let new = Kept { link, purpose: home.purpose.clone(), address: home.address, until, runtime: runtime.id() };
        {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.retain(|old| (&old.purpose, old.address) != (&new.purpose, new.address));
            if kept.len() >= MAX_IDLE {
                kept.remove(0);
            }
            kept.push(new);
        }
        let mut sweeper = self.sweeper.lock().unwrap_or_else(PoisonError::into_inner);
        if sweeper.as_ref().is_none_or(Task::has_ended) {
            *sweeper = Some(Task::new(&runtime.spawn(sweep(Arc::downgrade(self), until))));
        }
    }

    /// Closes connections that have waited too long. Returns when to check again; `None` if no connection waits any
    /// more.
    fn close_old(&self) -> Option<Instant> {
        let now = Instant::now();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|kept| kept.until > now);
        kept.iter().map(|kept| kept.until).min()
    }
}

/// Closes idle connections when their time is up. Ends when no connection is left or the client is dropped.
async fn sweep(idle: Weak<Idle>, mut next: Instant) {
    loop {
        sleep_until(next).await;
        let Some(idle) = idle.upgrade() else { return };
        match idle.close_old() {
            Some(later) => next = later,
            None => return,
        }
    }
}

impl Home {
    /// Keeps a connection, at most for as long as the server says.
    pub(crate) fn keep(&self, link: Link, most: Duration) {
        if let Some(idle) = self.idle.upgrade() {
            idle.put(link, self, most);
        }
    }
}
