//! The clock that makes running guests check their deadlines.

use super::engines::Engines;
use super::unchecked::Alarm;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;

/// The time between two checks of the deadline. A computing guest can be late by this much, plus what the system's
/// scheduler adds.
const TICK: Duration = Duration::from_millis(1);

/// The number of ticks for which the thread continues after the last call before it sleeps. Waking the thread costs
/// more than the call that it is woken for, and calls come in groups.
const LINGER_TICKS: u32 = 20;

/// A ticker, which advances the engines' epochs while calls are in progress.
pub(super) enum Ticker {
    /// A thread, which sleeps when there have been no calls for a while. It ends when the ticker is dropped.
    Thread(Metronome),
    /// A signal, for a process that is too short-lived for a thread to pay off.
    Signal(#[allow(dead_code, reason = "it works as long as it is there")] Alarm),
}

pub(super) struct Metronome {
    shared: Arc<Shared>,
    thread: Thread,
}

struct Shared {
    /// The number of calls in progress, by cell.
    calls: Box<[Calls]>,
    sleeps: AtomicBool,
    stopped: AtomicBool,
}

/// A counter that is normally written by one core only.
#[derive(Default)]
#[repr(align(128))]
struct Calls(AtomicUsize);

impl Ticker {
    /// Creates a ticker that uses a signal.
    ///
    /// # Errors
    /// Returns an error if the signal handler cannot be installed.
    pub(super) fn by_signal(engines: &Arc<Engines>) -> io::Result<Self> {
        Alarm::for_engines(engines).map(Ticker::Signal)
    }

    /// Creates a ticker that uses a thread.
    ///
    /// # Errors
    /// Returns an error if no thread can be started.
    pub(super) fn by_thread(engines: &Arc<Engines>) -> io::Result<Self> {
        let calls = std::iter::repeat_with(Calls::default).take(engines.cells()).collect();
        let shared = Arc::new(Shared { calls, sleeps: AtomicBool::new(false), stopped: AtomicBool::new(false) });
        let (ticking, weak) = (Arc::clone(&shared), Arc::downgrade(engines));
        let thread = thread::Builder::new().name("hookbox-ticker".to_owned()).spawn(move || {
            while ticking.wait() {
                match weak.upgrade() {
                    Some(engines) => engines.tick(),
                    None => break,
                }
            }
        })?;
        Ok(Ticker::Thread(Metronome { shared, thread: thread.thread().clone() }))
    }

    /// Returns whether the ticker is for a short-lived process, whose thread has nothing else to do.
    pub(super) const fn is_signal(&self) -> bool {
        matches!(self, Ticker::Signal(_))
    }

    /// Makes the ticker run for a call in this cell until the returned guard is dropped.
    pub(super) fn during_call(&self, cell: usize) -> Ticking<'_> {
        match self {
            Ticker::Thread(Metronome { shared, thread }) => {
                if let Some(Calls(calls)) = shared.calls.get(cell) {
                    calls.fetch_add(1, Ordering::SeqCst);
                }
                if shared.sleeps.load(Ordering::SeqCst) {
                    thread.unpark();
                }
            }
            Ticker::Signal(_) => Alarm::start(TICK),
        }
        Ticking { ticker: self, cell }
    }
}

impl Drop for Metronome {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::SeqCst);
        self.thread.unpark();
    }
}

impl Shared {
    fn is_called(&self) -> bool {
        self.calls.iter().any(|Calls(calls)| calls.load(Ordering::SeqCst) > 0)
    }

    /// Waits for the next tick that a call may need. Returns false once the ticker is stopped.
    fn wait(&self) -> bool {
        let mut idle_ticks = 0;
        loop {
            if self.stopped.load(Ordering::SeqCst) {
                return false;
            }
            if self.is_called() {
                thread::sleep(TICK);
                return true;
            }
            if idle_ticks < LINGER_TICKS {
                idle_ticks += 1;
                thread::sleep(TICK);
                continue;
            }
            // A call that begins now is either seen below, or sees in `sleeps` that it must wake the thread.
            self.sleeps.store(true, Ordering::SeqCst);
            if !self.is_called() && !self.stopped.load(Ordering::SeqCst) {
                thread::park();
            }
            self.sleeps.store(false, Ordering::SeqCst);
        }
    }
}

/// A guard that keeps the ticker running for a call.
pub(super) struct Ticking<'t> {
    ticker: &'t Ticker,
    cell: usize,
}

impl Drop for Ticking<'_> {
    fn drop(&mut self) {
        match self.ticker {
            Ticker::Thread(Metronome { shared, .. }) => {
                if let Some(Calls(calls)) = shared.calls.get(self.cell) {
                    calls.fetch_sub(1, Ordering::SeqCst);
                }
            }
            Ticker::Signal(_) => Alarm::stop(),
        }
    }
}
