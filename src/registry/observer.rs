//! Who is told of every decided event.

use crate::protocol::{Answer, Event, Outcome};
use std::time::Duration;

/// Is told of every event that was decided, for logs and metrics. It cannot change what was decided.
///
/// The calls come from the thread that ran the event, before the Outcome is handed to the caller: an observer that has much
/// to do should hand it on. A panic in here is caught and logged.
pub trait Observer: Send + Sync {
    /// The hooks of an event have decided. `took` is the time from the call of [`run`](super::Registry::run) on, without the
    /// hooks that go on in the background. An event that its caller gave up is not decided.
    fn decided(&self, outcome: &Outcome, took: Duration);

    /// An async hook has ended. Its answer has no effect.
    fn finished(&self, _hook: &str, _event: Event, _answer: &Answer, _took: Duration) {}
}

impl<F: Fn(&Outcome, Duration) + Send + Sync> Observer for F {
    fn decided(&self, outcome: &Outcome, took: Duration) {
        self(outcome, took);
    }
}
