//! Keeps the hooks of a registry up to date with their config.

use super::Registry;
use super::ask::yield_once;
use super::table::Entry;
use crate::protocol::{Code, Failure};
use crate::runtime::Caller;
use std::pin::Pin;
use std::sync::Arc;

/// A future that completes when the hooks match their config, or fails if they never will.
pub(crate) type Refreshed = Pin<Box<dyn Future<Output = Result<(), Failure>> + Send>>;

/// A check, made before each event, whether the hooks still match their config.
pub(crate) trait Refresh: Send + Sync {
    /// Returns `None` if the hooks match their config. Otherwise returns a future that makes them match.
    ///
    /// # Errors
    /// Returns an error if the hooks do not match their config and cannot be made to.
    fn check(&self) -> Result<Option<Refreshed>, Failure>;
}

impl Registry {
    /// Waits until the hooks match their config, if they follow one.
    ///
    /// # Errors
    /// Returns an error if the hooks do not match their config and cannot be made to before the caller leaves.
    pub(super) async fn refreshed(&self, caller: &Caller) -> Result<(), Failure> {
        let check = self.refresh.load().as_ref().map(|refresh| refresh.check());
        match check.transpose()?.flatten() {
            Some(refreshed) => {
                // No runtime is needed up to this point.
                yield_once().await;
                tokio::select! {
                    biased;
                    done = refreshed => done,
                    _ = caller.left() => {
                        Err(Failure::new(Code::Cancelled, "the caller gave the event up before its hooks were read again"))
                    }
                }
            }
            None => Ok(()),
        }
    }

    /// Calls `refresh` before each event from now on.
    pub(crate) fn refresh_by(&self, refresh: Option<Arc<dyn Refresh>>) {
        self.refresh.store(refresh.map(Arc::new));
        // An event without hooks may get some when the config is read again, so it must be run too.
        self.change(|_| {});
    }

    /// Replaces the hooks of `before` with those of `new` in one step. Hooks that are in neither stay, after the new
    /// ones.
    pub(crate) fn adopt(&self, new: &Registry, before: &Registry) {
        self.fact_finder.store(new.fact_finder.load_full());
        let (new, before) = (new.table.load_full(), before.table.load_full());
        self.change(|table| {
            let lists = table.by_event.iter_mut().zip(&new.by_event).zip(&before.by_event);
            for ((entries, new), before) in lists {
                let is_own = |entry: &Entry| before.iter().any(|old| Arc::ptr_eq(&old.hook, &entry.hook));
                let others: Vec<Entry> = entries.drain(..).filter(|entry| !is_own(entry)).collect();
                entries.extend(new.iter().cloned().chain(others));
            }
        });
    }
}
