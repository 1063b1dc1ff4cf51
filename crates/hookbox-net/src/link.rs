//! A connection and the future that drives it.

use crate::error::Error;
use crate::idle::Home;
use crate::outgoing::Outgoing;
use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderMap, Request, Response};
use hyper::body::Incoming;
use hyper::client::conn::http1::SendRequest;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::task::{AbortHandle, JoinHandle};
use tokio::time::{Instant, timeout_at};

/// The future that reads from and writes to the connection.
pub(crate) type Driver = Pin<Box<dyn Future<Output = hyper::Result<()>> + Send>>;

/// An HTTP/1.1 connection. Dropping it closes the socket.
///
/// A link needs no task: waiting for the response drives it. A task is needed only if the response begins before the
/// request has ended, because then the guest may write without reading.
pub(crate) struct Link {
    sender: SendRequest<Outgoing>,
    /// The future that drives the connection; `None` when the connection has ended or a task drives it.
    driver: Option<Driver>,
    /// The error that ended the driver, if nothing else has reported it.
    failure: Option<hyper::Error>,
    _task: Option<Task>,
    /// The place to which the connection returns after a response, and how long it may wait there.
    home: Option<(Home, Duration)>,
}

/// The handle of a task, which ends the task when dropped. The values that the task owns are dropped the next time that
/// the runtime runs.
pub(crate) struct Task(AbortHandle);

impl Task {
    pub(crate) fn new<T>(task: &JoinHandle<T>) -> Self {
        Task(task.abort_handle())
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.0.is_finished()
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Link {
    pub(crate) fn new(sender: SendRequest<Outgoing>, driver: Driver, home: Option<Home>) -> Self {
        Link { sender, driver: Some(driver), failure: None, _task: None, home: home.map(|home| (home, Duration::MAX)) }
    }

    /// Sends a request and waits for the head of the response.
    pub(crate) async fn send(&mut self, request: Request<Outgoing>) -> Result<Response<Incoming>, Error> {
        let mut response = pin!(self.sender.send_request(request));
        let (driver, failure) = (&mut self.driver, &mut self.failure);
        let response = poll_fn(|cx| poll_with(driver, failure, cx, |cx| response.as_mut().poll(cx))).await;
        let response = response.map_err(|error| match failure.take() {
            // If the server sends data before the request, the connection ends before hyper accepts the request.
            Some(cause) if error.is_canceled() => cause,
            _ => error,
        })?;
        self.home = self.home.take().and_then(|(home, _)| Some((home, may_wait(response.headers())?)));
        Ok(response)
    }

    /// Polls a future that waits for the connection, together with the connection.
    pub(crate) fn poll_with<T>(
        &mut self,
        cx: &mut Context<'_>,
        poll: impl FnMut(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<T> {
        poll_with(&mut self.driver, &mut self.failure, cx, poll)
    }

    /// Gives the connection to a task, which drives it until the deadline at most.
    pub(crate) fn spawn(&mut self, deadline: Instant) {
        if let Some(driver) = self.driver.take() {
            let task = tokio::spawn(async move {
                // A failure reaches the reader through the response's body.
                let _ = timeout_at(deadline, driver).await;
            });
            self._task = Some(Task::new(&task));
        }
    }

    /// Lets the connection wait for another request or closes it, after the response was read to its end.
    pub(crate) fn finish(mut self) {
        if let Some((home, most)) = self.home.take()
            && self.driver.is_some()
        {
            self.home = Some((home.clone(), Duration::MAX));
            home.keep(self, most);
        }
    }

    /// Whether an idle connection is still open and has received no unsolicited data.
    pub(crate) async fn is_ready(&mut self) -> bool {
        // The driver sees what the server did in the meantime only after the runtime has polled its sockets, and the
        // runtime does that before a yielding task continues.
        tokio::task::yield_now().await;
        poll_fn(|cx| {
            let Some(driver) = &mut self.driver else { return Poll::Ready(false) };
            let open = driver.as_mut().poll(cx).is_pending();
            let ready = matches!(self.sender.poll_ready(cx), Poll::Ready(Ok(())));
            Poll::Ready(open && ready)
        })
        .await
    }
}

/// Returns how long a connection may wait for another request after this response, or `None` if it must not wait, for
/// example because the end of the response is in doubt.
fn may_wait(headers: &HeaderMap) -> Option<Duration> {
    let lengths = headers.get_all(CONTENT_LENGTH).iter().count();
    if lengths > 1 || (lengths == 1 && headers.contains_key(TRANSFER_ENCODING)) {
        return None;
    }
    let hint = headers.get("keep-alive").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let seconds = hint.split(',').find_map(|part| part.trim().strip_prefix("timeout=")?.parse::<u64>().ok());
    match seconds {
        // One second less than the server says, so that a request does not race with the server closing the connection.
        Some(seconds) => seconds.checked_sub(1).filter(|left| *left > 0).map(Duration::from_secs),
        None => Some(Duration::MAX),
    }
}

/// Polls a waiting future, then the connection, and then the future again, because the connection may have made
/// progress. The future is polled first because a server that closes right after its answer ends the connection at the
/// same moment, and the answer must not be lost.
fn poll_with<T>(
    driver: &mut Option<Driver>,
    failure: &mut Option<hyper::Error>,
    cx: &mut Context<'_>,
    mut poll: impl FnMut(&mut Context<'_>) -> Poll<T>,
) -> Poll<T> {
    if let Poll::Ready(value) = poll(cx) {
        return Poll::Ready(value);
    }
    let Some(running) = driver else { return Poll::Pending };
    if let Poll::Ready(result) = running.as_mut().poll(cx) {
        *failure = result.err();
        *driver = None;
    }
    poll(cx)
}
