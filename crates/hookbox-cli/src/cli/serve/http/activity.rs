//! The activity of a connection.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a connection may be without a request. Agents reuse their connections, and may not notice in time that one
/// was closed.
const IDLE_TIME: Duration = Duration::from_secs(60);

/// The requests under way on a connection.
pub(super) struct Activity(Mutex<State>);

struct State {
    /// How many requests have begun, including those under way.
    begun: usize,
    under_way: usize,
    /// When the last request ended.
    idle_since: Instant,
}

/// A request under way, until it is dropped.
pub(super) struct UnderWay(Arc<Activity>);

impl Activity {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Activity(Mutex::new(State { begun: 0, under_way: 0, idle_since: Instant::now() })))
    }

    pub(super) fn begin(self: &Arc<Self>) -> UnderWay {
        let mut state = self.lock();
        state.begun += 1;
        state.under_way += 1;
        drop(state);
        UnderWay(Arc::clone(self))
    }

    pub(super) fn is_under_way(&self) -> bool {
        self.lock().under_way > 0
    }

    /// Returns how many requests the connection has had.
    pub(super) fn begun(&self) -> usize {
        self.lock().begun
    }

    /// Waits until the connection has been idle for too long.
    pub(super) async fn idle(&self) {
        loop {
            let left = {
                let state = self.lock();
                let idle = if state.under_way > 0 { Duration::ZERO } else { state.idle_since.elapsed() };
                IDLE_TIME.saturating_sub(idle)
            };
            if left.is_zero() {
                return;
            }
            tokio::time::sleep(left).await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.under_way -= 1;
        state.idle_since = Instant::now();
    }
}
