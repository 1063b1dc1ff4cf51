//! Observers of decided events.

use crate::protocol::{Answer, Event, Input, Outcome};
use std::time::Duration;

/// An observer of decided events, for logs and metrics. It cannot change the decision.
///
/// The calls come from the thread that ran the event, before the caller gets the Outcome. An observer with much to do
/// should pass the work to another thread. A panic in an observer is caught and logged.
pub trait Observer: Send + Sync {
    /// Called when the hooks of an event have decided. `took` is the time since the call of
    /// [`run`](super::Registry::run), without the hooks that keep running in the background. An event that its caller
    /// gave up is not reported.
    fn decided(&self, outcome: &Outcome, took: Duration);

    /// Returns whether the observer also wants the original Input. The registry then keeps a copy of each event's
    /// Input.
    fn wants_original(&self) -> bool {
        false
    }

    /// Called in place of [`decided`](Observer::decided) if the observer [wants the original
    /// Input](Observer::wants_original).
    fn decided_about(&self, _original: &Input, outcome: &Outcome, took: Duration) {
        self.decided(outcome, took);
    }

    /// Called when an async hook has ended. Its answer has no effect.
    fn finished(&self, _hook: &str, _event: Event, _answer: &Answer, _took: Duration) {}
}

impl<F: Fn(&Outcome, Duration) + Send + Sync> Observer for F {
    fn decided(&self, outcome: &Outcome, took: Duration) {
        self(outcome, took);
    }
}
