//! The caller of an event, and how long it waits for an answer.

use std::future::Future;
use std::time::Instant;
use tokio::sync::watch;

/// The caller of an event. By default, it waits for as long as hooks may take.
#[derive(Clone, Debug, Default)]
pub struct Caller {
    deadline: Option<Instant>,
    cancelled: Option<watch::Receiver<bool>>,
}

/// A handle that cancels the events of a [`Caller`]; see [`cancel`](Cancel::cancel).
#[derive(Debug)]
pub struct Cancel(watch::Sender<bool>);

/// The reason why a caller no longer waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallerLeft {
    /// The caller's own deadline has passed.
    Deadline,
    /// The caller cancelled the event.
    Cancelled,
}

impl Caller {
    /// Returns a caller that waits for as long as hooks may take.
    #[must_use]
    pub const fn unbounded() -> &'static Self {
        &Caller { deadline: None, cancelled: None }
    }

    /// Makes the caller wait until `deadline` at most.
    #[must_use]
    pub fn until(self, deadline: Instant) -> Self {
        Caller { deadline: Some(deadline), ..self }
    }

    /// Creates a caller that waits until it is cancelled.
    #[must_use]
    pub fn cancellable() -> (Self, Cancel) {
        let (cancel, cancelled) = watch::channel(false);
        (Caller { deadline: None, cancelled: Some(cancelled) }, Cancel(cancel))
    }

    /// Returns the reason why the caller no longer waits, or `None` if it still waits.
    #[must_use]
    pub fn has_left(&self) -> Option<CallerLeft> {
        if self.cancelled.as_ref().is_some_and(|cancelled| *cancelled.borrow()) {
            return Some(CallerLeft::Cancelled);
        }
        self.deadline.filter(|deadline| *deadline <= Instant::now()).map(|_| CallerLeft::Deadline)
    }

    /// Waits until the caller has left, which may be forever.
    pub fn left(&self) -> impl Future<Output = CallerLeft> + Send + use<> {
        let Caller { deadline, cancelled } = self.clone();
        async move {
            let passed = async {
                match deadline {
                    Some(deadline) => tokio::time::sleep_until(deadline.into()).await,
                    None => std::future::pending().await,
                }
            };
            let cancelled = async {
                if let Some(mut cancelled) = cancelled
                    && cancelled.wait_for(|cancelled| *cancelled).await.is_ok()
                {
                    return;
                }
                // The [`Cancel`] is gone, so no one can cancel any more.
                std::future::pending().await
            };
            tokio::select! {
                biased;
                () = cancelled => CallerLeft::Cancelled,
                () = passed => CallerLeft::Deadline,
            }
        }
    }
}

impl Cancel {
    /// Cancels the events in progress and all later ones.
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }
}
