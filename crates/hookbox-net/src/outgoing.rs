//! The body of a request. It is limited, and exactly as long as its `content-length` says.

use crate::error::{Error, ErrorKind};
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use http_body_util::combinators::UnsyncBoxBody;
use std::error::Error as StdError;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

/// The body of a request, as passed to hyper.
pub(crate) struct Outgoing {
    inner: UnsyncBoxBody<Bytes, Error>,
    limit: u64,
    declared: Option<u64>,
    taken: u64,
    /// Data that was taken from the guest but not yet passed to hyper.
    held: Option<Bytes>,
    ended: bool,
    /// Whether hyper has the whole body.
    finished: Arc<AtomicBool>,
}

impl Outgoing {
    /// Wraps a guest's body.
    ///
    /// # Errors
    /// Returns an error if the length of the body is known and exceeds the limit or differs from the declared one.
    pub(crate) fn new<B>(body: B, declared: Option<u64>, limit: u64) -> Result<Self, Error>
    where
        B: Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn StdError + Send + Sync>>,
    {
        let hint = body.size_hint();
        if hint.lower().max(declared.unwrap_or(0)) > limit {
            return Err(too_long(limit));
        }
        if let (Some(declared), Some(exact)) = (declared, hint.exact())
            && declared != exact
        {
            return Err(wrong_length(declared));
        }
        let ended = body.is_end_stream();
        let inner = body.map_err(|error| {
            let error: Box<dyn StdError + Send + Sync> = error.into();
            Error::new(ErrorKind::HttpProtocolError, "the request's body broke off").with_detail(error)
        });
        let finished = Arc::new(AtomicBool::new(ended));
        let inner = inner.boxed_unsync();
        Ok(Outgoing { inner, limit, declared, taken: 0, held: None, ended, finished })
    }

    /// Returns a flag that is set once hyper has the whole body.
    pub(crate) fn finished(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.finished)
    }

    /// Whether the length is known, so `transfer-encoding` is not needed.
    pub(crate) fn has_length(&self) -> bool {
        self.size_hint().exact().is_some()
    }

    /// Whether the guest declared that there is no body.
    pub(crate) fn is_declared_empty(&self) -> bool {
        self.declared == Some(0)
    }

    /// Waits for the first data or for the end. After this call, an empty body is known to be empty.
    pub(crate) async fn look_ahead(&mut self) -> Result<(), Error> {
        if self.held.is_none() && !self.ended {
            self.held = poll_fn(|cx| self.poll_data(cx)).await.transpose()?;
            // hyper does not poll a body that it knows to be empty.
            self.finished.store(self.is_end_stream(), Ordering::Release);
        }
        Ok(())
    }

    /// Takes data from the guest. At the end of the body, sets `ended`.
    fn poll_data(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Error>>> {
        loop {
            if self.ended {
                return Poll::Ready(None);
            }
            let frame = ready!(Pin::new(&mut self.inner).poll_frame(cx)).transpose()?;
            let Some(frame) = frame else {
                self.end()?;
                return Poll::Ready(None);
            };
            let data = match frame.into_data() {
                Ok(data) => data,
                // A frame without data has trailers, which hyper would silently drop. Empty ones do no harm.
                Err(frame) if frame.trailers_ref().is_some_and(http::HeaderMap::is_empty) => continue,
                Err(_) => {
                    let message = "trailers of requests are not supported";
                    return Poll::Ready(Some(Err(Error::new(ErrorKind::HttpRequestTrailerSectionSize, message))));
                }
            };
            if data.is_empty() {
                continue;
            }
            self.taken = self.taken.saturating_add(data.len() as u64);
            if self.taken > self.limit {
                return Poll::Ready(Some(Err(too_long(self.limit))));
            }
            if let Some(declared) = self.declared
                && self.taken > declared
            {
                return Poll::Ready(Some(Err(wrong_length(declared))));
            }
            if self.inner.is_end_stream() {
                self.end()?;
            }
            return Poll::Ready(Some(Ok(data)));
        }
    }

    fn end(&mut self) -> Result<(), Error> {
        self.ended = true;
        match self.declared {
            Some(declared) if declared != self.taken => Err(wrong_length(declared)),
            _ => Ok(()),
        }
    }
}

impl Body for Outgoing {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let this = &mut *self;
        if this.held.is_none() {
            this.held = ready!(this.poll_data(cx)).transpose()?;
        }
        // hyper stops polling once the declared length is reached, so wait for the end before sending the last data.
        if this.declared == Some(this.taken) && !this.ended {
            ready!(this.poll_data(cx)).transpose()?;
        }
        if this.ended {
            this.finished.store(true, Ordering::Release);
        }
        Poll::Ready(this.held.take().map(|data| Ok(Frame::data(data))))
    }

    fn is_end_stream(&self) -> bool {
        self.ended && self.held.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        let held = self.held.as_ref().map_or(0, |data| data.len() as u64);
        if self.ended {
            return SizeHint::with_exact(held);
        }
        if let Some(declared) = self.declared {
            return SizeHint::with_exact(declared.saturating_sub(self.taken).saturating_add(held));
        }
        match self.inner.size_hint().exact() {
            Some(exact) => SizeHint::with_exact(exact.saturating_add(held)),
            None => SizeHint::default(),
        }
    }
}

fn too_long(limit: u64) -> Error {
    Error::new(ErrorKind::HttpRequestBodySize, format!("the request's body is longer than {limit} bytes"))
}

fn wrong_length(declared: u64) -> Error {
    let message = format!("the request's body does not have the {declared} bytes that its `content-length` declares");
    Error::new(ErrorKind::HttpRequestBodySize, message)
}
