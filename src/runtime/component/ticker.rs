//! The clock that makes running guests look at their deadline.

use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;
use wasmtime::Engine;

/// The time between two looks at the deadline: the most that a computing guest can be late, beside what the
/// system's scheduler adds.
const TICK: Duration = Duration::from_millis(5);

/// A thread that advances the engine's epoch while calls are under way and sleeps otherwise. It ends when the
/// ticker is dropped.
pub(super) struct Ticker {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    calls: usize,
    stopped: bool,
}

impl Ticker {
    /// # Errors
    /// The system has no thread left.
    pub(super) fn start(engine: &Engine) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let weak = engine.weak();
        let ticker = Ticker { shared: Arc::clone(&shared) };
        std::thread::Builder::new().name("hookbox-ticker".to_owned()).spawn(move || {
            while shared.wait_for_calls() {
                std::thread::sleep(TICK);
                match weak.upgrade() {
                    Some(engine) => engine.increment_epoch(),
                    None => break,
                }
            }
        })?;
        Ok(ticker)
    }

    /// Ticks until the returned guard is dropped.
    pub(super) fn during_call(self: &Arc<Self>) -> Ticking {
        self.shared.change(|state| state.calls += 1);
        Ticking(Arc::clone(self))
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.shared.change(|state| state.stopped = true);
    }
}

impl Shared {
    fn change(&self, edit: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        edit(&mut state);
        drop(state);
        self.changed.notify_one();
    }

    /// Sleeps until a call is under way; false if the ticker is gone.
    fn wait_for_calls(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let state = self
            .changed
            .wait_while(state, |state| state.calls == 0 && !state.stopped)
            .unwrap_or_else(PoisonError::into_inner);
        !state.stopped
    }
}

/// Keeps the ticker awake.
pub(super) struct Ticking(Arc<Ticker>);

impl Drop for Ticking {
    fn drop(&mut self) {
        self.0.shared.change(|state| state.calls = state.calls.saturating_sub(1));
    }
}
