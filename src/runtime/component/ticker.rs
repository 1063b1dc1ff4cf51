//! The clock that makes running guests look at their deadline.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;
use wasmtime::Engine;

/// The time between two looks at the deadline: the most that a computing guest can be late, beside what the
/// system's scheduler adds.
const TICK: Duration = Duration::from_millis(1);

/// How many ticks the thread goes on after the last call before it sleeps. To wake it costs more than the call that it is
/// woken for, and calls come in groups.
const LINGER_TICKS: u32 = 20;

/// A thread that advances the engine's epoch while calls are under way, and sleeps when there have been none for a while.
/// It ends when the ticker is dropped.
pub(super) struct Ticker {
    shared: Arc<Shared>,
    thread: Thread,
}

#[derive(Default)]
struct Shared {
    calls: AtomicUsize,
    sleeps: AtomicBool,
    stopped: AtomicBool,
}

impl Ticker {
    /// # Errors
    /// The system has no thread left.
    pub(super) fn start(engine: &Engine) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let (ticking, weak) = (Arc::clone(&shared), engine.weak());
        let thread = thread::Builder::new().name("hookbox-ticker".to_owned()).spawn(move || {
            while ticking.wait() {
                match weak.upgrade() {
                    Some(engine) => engine.increment_epoch(),
                    None => break,
                }
            }
        })?;
        Ok(Ticker { shared, thread: thread.thread().clone() })
    }

    /// Ticks until the returned guard is dropped.
    pub(super) fn during_call(self: &Arc<Self>) -> Ticking {
        self.shared.calls.fetch_add(1, Ordering::SeqCst);
        if self.shared.sleeps.load(Ordering::SeqCst) {
            self.thread.unpark();
        }
        Ticking(Arc::clone(self))
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::SeqCst);
        self.thread.unpark();
    }
}

impl Shared {
    /// Waits for the next tick that a call may need; false if the ticker is gone.
    fn wait(&self) -> bool {
        let mut idle_ticks = 0;
        loop {
            if self.stopped.load(Ordering::SeqCst) {
                return false;
            }
            if self.calls.load(Ordering::SeqCst) > 0 {
                thread::sleep(TICK);
                return true;
            }
            if idle_ticks < LINGER_TICKS {
                idle_ticks += 1;
                thread::sleep(TICK);
                continue;
            }
            // Whoever begins a call now either is seen below or sees that the thread has to be woken.
            self.sleeps.store(true, Ordering::SeqCst);
            if self.calls.load(Ordering::SeqCst) == 0 && !self.stopped.load(Ordering::SeqCst) {
                thread::park();
            }
            self.sleeps.store(false, Ordering::SeqCst);
        }
    }
}

/// Keeps the ticker awake.
pub(super) struct Ticking(Arc<Ticker>);

impl Drop for Ticking {
    fn drop(&mut self) {
        self.0.shared.calls.fetch_sub(1, Ordering::SeqCst);
    }
}
