//! Hooks that run in the background.

use std::future::Future;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::task::JoinSet;

/// The time that [`Background::close`] waits. The value is hygge's: the end of a session should not hang on telemetry.
const CLOSE_WAIT: Duration = Duration::from_secs(2);

/// The async hooks in flight.
#[derive(Default)]
pub(super) struct Background {
    tasks: Mutex<JoinSet<()>>,
}

impl Background {
    /// The number of async hooks that may run concurrently. The value is hygge's: enough for a burst, and a bound on
    /// processes.
    pub(super) const MAX_IN_FLIGHT: usize = 32;

    /// Starts a hook, unless too many are in flight. Returns whether it was started.
    pub(super) fn start(&self, hook: impl Future<Output = ()> + Send + 'static) -> bool {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        let free = tasks.len() < Self::MAX_IN_FLIGHT;
        if free {
            tasks.spawn(hook);
        }
        free
    }

    /// Waits for the hooks in flight, ends those that take longer than [`CLOSE_WAIT`], and returns how many it ended.
    /// Hooks that are started in the meantime are not waited for. Dropping the future ends the hooks that it waits for.
    pub(super) async fn close(&self) -> usize {
        let mut tasks = std::mem::take(&mut *self.tasks.lock().unwrap_or_else(PoisonError::into_inner));
        let all_ended = async { while tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(CLOSE_WAIT, all_ended).await.is_ok() {
            return 0;
        }
        while tasks.try_join_next().is_some() {}
        let left = tasks.len();
        tracing::warn!(left, "async hooks did not end in time and were stopped");
        tasks.shutdown().await;
        left
    }
}
