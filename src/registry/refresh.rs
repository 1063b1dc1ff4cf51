//! Hooks that follow their config.

use super::Registry;
use crate::protocol::Failure;
use std::pin::Pin;
use std::sync::Arc;

/// Ends when the hooks are what their config says.
pub(crate) type Refreshed = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Is asked before each event whether the hooks are still what their config says.
pub(crate) trait Refresh: Send + Sync {
    /// `None` if they are. Otherwise what to wait for, after which they are.
    ///
    /// # Errors
    /// They are not, and nothing will change that.
    fn check(&self) -> Result<Option<Refreshed>, Failure>;
}

impl Registry {
    /// Has `refresh` asked before each event from now on.
    pub(crate) fn refresh_by(&self, refresh: Option<Arc<dyn Refresh>>) {
        self.refresh.store(refresh.map(Arc::new));
        // Events that no hook hears of now may be heard of after a look at the config.
        self.change(|_| {});
    }

    /// Takes over the hooks of another registry, in one step, in the place of those of `before`. Hooks that are in neither stay
    /// behind them.
    pub(crate) fn adopt(&self, new: &Registry, before: &Registry) {
        let (new, before) = (new.table.load_full(), before.table.load_full());
        self.change(|table| {
            let lists = table.by_event.iter_mut().zip(&new.by_event).zip(&before.by_event);
            for ((entries, new), before) in lists {
                let is_own = |entry: &super::Entry| before.iter().any(|old| Arc::ptr_eq(&old.hook, &entry.hook));
                let others: Vec<super::Entry> = entries.drain(..).filter(|entry| !is_own(entry)).collect();
                entries.extend(new.iter().cloned().chain(others));
            }
        });
    }
}
