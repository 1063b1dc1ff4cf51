//! A connection, and what drives it.

use crate::error::Error;
use crate::outgoing::Outgoing;
use http::{Request, Response};
use hyper::body::Incoming;
use hyper::client::conn::http1::SendRequest;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use tokio::task::AbortHandle;
use tokio::time::{Instant, timeout_at};

/// What reads from and writes to the connection.
pub(crate) type Driver = Pin<Box<dyn Future<Output = hyper::Result<()>> + Send>>;

/// An HTTP/1.1 connection. Dropping it closes the socket.
///
/// It needs no task: it is driven by whoever waits for the response. Only where the response begins before the request
/// has ended is a task needed, because then the guest may write without reading.
pub(crate) struct Link {
    sender: SendRequest<Outgoing>,
    /// `None` when the connection has ended, or a task drives it.
    driver: Option<Driver>,
    _task: Option<Task>,
}

/// Ends a task when dropped. The task drops the socket the next time that the runtime runs.
struct Task(AbortHandle);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Link {
    pub(crate) fn new(sender: SendRequest<Outgoing>, driver: Driver) -> Self {
        Link { sender, driver: Some(driver), _task: None }
    }

    /// Sends a request and waits for the head of the response.
    pub(crate) async fn send(&mut self, request: Request<Outgoing>) -> Result<Response<Incoming>, Error> {
        let mut response = pin!(self.sender.send_request(request));
        let driver = &mut self.driver;
        poll_fn(|cx| poll_with(driver, cx, |cx| response.as_mut().poll(cx))).await.map_err(Error::from)
    }

    /// Polls what waits for the connection, and the connection with it.
    pub(crate) fn poll_with<T>(
        &mut self,
        cx: &mut Context<'_>,
        poll: impl FnMut(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<T> {
        poll_with(&mut self.driver, cx, poll)
    }

    /// Gives the connection to a task, until the deadline at most.
    pub(crate) fn spawn(&mut self, deadline: Instant) {
        if let Some(driver) = self.driver.take() {
            let task = tokio::spawn(async move {
                // A failure reaches the reader by the response's body.
                let _ = timeout_at(deadline, driver).await;
            });
            self._task = Some(Task(task.abort_handle()));
        }
    }

    /// The response was read to its end.
    pub(crate) fn finish(self) {}
}

/// First the waiting part: a server that closes right after its answer ends the connection in the same moment, and the
/// answer must not be lost. Then the connection, and then the waiting part again, which may have got something by it.
fn poll_with<T>(
    driver: &mut Option<Driver>,
    cx: &mut Context<'_>,
    mut poll: impl FnMut(&mut Context<'_>) -> Poll<T>,
) -> Poll<T> {
    if let Poll::Ready(value) = poll(cx) {
        return Poll::Ready(value);
    }
    let Some(running) = driver else { return Poll::Pending };
    if running.as_mut().poll(cx).is_ready() {
        // What went wrong, if anything, reaches the waiting part.
        *driver = None;
    }
    poll(cx)
}
