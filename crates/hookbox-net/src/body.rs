//! The body of a response. It is limited in size and time, and owns its connection.

use crate::error::{Error, ErrorKind};
use crate::headers::{self, MAX_HEADERS};
use crate::link::Link;
use crate::refusal::Quoted;
use bytes::Bytes;
use http::HeaderMap;
use http_body::{Body as _, Frame, SizeHint};
use hyper::body::Incoming;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep_until};

/// The maximum size of a response's trailers, in bytes.
const MAX_TRAILERS: usize = 16 << 10;

/// The body of a response.
///
/// The body owns its connection: reading the body drives the connection, and dropping the body closes it without
/// leaving anything behind. It ends in an error at the call's deadline, after more bytes than allowed, or when the
/// server pauses for too long.
pub struct Body {
    /// The hyper body and its connection; `None` once the body has ended.
    source: Option<(Incoming, Link)>,
    limit: u64,
    left: u64,
    deadline: Pin<Box<Sleep>>,
    between_bytes: Option<Duration>,
    /// The timer of `between_bytes`. It runs while the reader waits.
    pause: Option<Pin<Box<Sleep>>>,
    target: Quoted,
}

/// The bounds of a response's body.
pub(crate) struct Bounds {
    pub(crate) limit: u64,
    pub(crate) deadline: Instant,
    pub(crate) between_bytes: Option<Duration>,
    pub(crate) target: Quoted,
}

impl Body {
    pub(crate) fn new(incoming: Incoming, link: Link, bounds: Bounds) -> Result<Self, Error> {
        let Bounds { limit, deadline, between_bytes, target } = bounds;
        if incoming.size_hint().lower() > limit {
            return Err(too_long(limit));
        }
        let deadline = Box::pin(sleep_until(deadline));
        let mut body =
            Body { source: Some((incoming, link)), limit, left: limit, deadline, between_bytes, pause: None, target };
        if body.source.as_ref().is_some_and(|(incoming, _)| incoming.is_end_stream()) {
            body.finish();
        }
        Ok(body)
    }

    /// Releases the connection after the whole body was read, so that it may serve another request.
    fn finish(&mut self) {
        if let Some((_, link)) = self.source.take() {
            link.finish();
        }
    }

    fn check(&mut self, frame: Frame<Bytes>) -> Result<Frame<Bytes>, Error> {
        if let Some(data) = frame.data_ref() {
            match self.left.checked_sub(data.len() as u64) {
                Some(left) => self.left = left,
                None => return Err(too_long(self.limit)),
            }
        }
        if let Some(trailers) = frame.trailers_ref() {
            check_trailers(trailers)?;
        }
        Ok(frame)
    }

    fn poll_time(&mut self, cx: &mut Context<'_>) -> Poll<Error> {
        if let Some(between) = self.between_bytes {
            let pause = self.pause.get_or_insert_with(|| Box::pin(tokio::time::sleep(between)));
            if pause.as_mut().poll(cx).is_ready() {
                return Poll::Ready(Error::new(ErrorKind::ConnectionReadTimeout, "the server paused for too long"));
            }
        }
        Poll::Pending
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let this = &mut *self;
        let Some((incoming, link)) = &mut this.source else { return Poll::Ready(None) };
        // The deadline is checked first; otherwise a server that always has more to send would outlive it. The clock is
        // read as well, because a task that ended at the deadline looks like the end of the body.
        let late = this.deadline.as_mut().poll(cx).is_ready() || Instant::now() >= this.deadline.deadline();
        let result = if late {
            Some(Err(Error::new(ErrorKind::HttpResponseTimeout, "the response did not end in time")))
        } else {
            match link.poll_with(cx, |cx| Pin::new(&mut *incoming).poll_frame(cx)) {
                Poll::Ready(Some(Ok(frame))) => Some(this.check(frame)),
                Poll::Ready(Some(Err(error))) => Some(Err(Error::from(error))),
                Poll::Ready(None) => None,
                Poll::Pending => match this.poll_time(cx) {
                    Poll::Ready(error) => Some(Err(error)),
                    Poll::Pending => return Poll::Pending,
                },
            }
        };
        this.pause = None;
        match &result {
            None => this.finish(),
            Some(Err(_)) => this.source = None,
            Some(Ok(_)) => {}
        }
        Poll::Ready(result.map(|result| result.map_err(|error| error.at(&this.target))))
    }

    fn is_end_stream(&self) -> bool {
        self.source.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        self.source.as_ref().map_or(SizeHint::with_exact(0), |(incoming, _)| incoming.size_hint())
    }
}

fn check_trailers(trailers: &HeaderMap) -> Result<(), Error> {
    if trailers.len() > MAX_HEADERS || headers::size(trailers) > MAX_TRAILERS {
        let message = "the response's trailers are too many or too long";
        return Err(Error::new(ErrorKind::HttpResponseTrailerSectionSize, message));
    }
    Ok(())
}

fn too_long(limit: u64) -> Error {
    Error::new(ErrorKind::HttpResponseBodySize, format!("the response's body is longer than {limit} bytes"))
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body").field("ended", &self.source.is_none()).finish_non_exhaustive()
    }
}
