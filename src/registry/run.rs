//! The future of an event.

use crate::protocol::{Input, Outcome};
use std::pin::Pin;
use std::task::{Context, Poll};

/// A future that runs an event through its hooks and returns the Outcome. Dropping it abandons the event.
#[must_use = "no hook is asked before it is awaited"]
pub struct Run<'r>(Running<'r>);

impl<'r> Run<'r> {
    #[inline]
    pub(super) const fn without_hooks(input: Box<Input>) -> Self {
        Run(Running::NoHooks(Some(input)))
    }

    pub(super) fn asking(hooks: impl Future<Output = Outcome> + Send + 'r) -> Self {
        Run(Running::Hooks(Box::pin(hooks)))
    }
}

enum Running<'r> {
    /// The event has no hooks, and nothing watches it.
    NoHooks(Option<Box<Input>>),
    Hooks(Pin<Box<dyn Future<Output = Outcome> + Send + 'r>>),
}

impl Future for Run<'_> {
    type Output = Outcome;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome> {
        match &mut self.0 {
            Running::NoHooks(input) => match input.take() {
                Some(input) => Poll::Ready(Outcome::allow(input)),
                // The future has already completed.
                None => Poll::Pending,
            },
            Running::Hooks(hooks) => hooks.as_mut().poll(context),
        }
    }
}
