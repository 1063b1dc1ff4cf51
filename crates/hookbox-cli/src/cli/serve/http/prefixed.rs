//! A stream whose first bytes have been read to detect the protocol, and which fails if the head of a request takes too
//! long.

use super::activity::Activity;
use super::unparsed::Unparsed;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// The bytes that an HTTP/2 client sends first.
const HTTP2: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// How long a client may take to send its first bytes, and then the head of a request.
pub(super) const HEAD_TIME: Duration = Duration::from_secs(5);

/// How long a client may take to send the rest of a request that was refused.
const LINGER_TIME: Duration = Duration::from_secs(1);

pub(super) struct Prefixed<S> {
    prefix: Vec<u8>,
    stream: S,
    activity: Arc<Activity>,
    is_http2: bool,
    /// When the head of a request that has begun to arrive must be complete.
    deadline: Option<Pin<Box<Sleep>>>,
    unparsed: Unparsed,
    /// The bytes to write before anything else.
    unsent: Vec<u8>,
    /// When to stop reading the rest of a request that was refused. If the connection is closed before the rest has
    /// been read, the answer is lost.
    lingers: Option<Pin<Box<Sleep>>>,
}

impl<S: AsyncRead + Unpin> Prefixed<S> {
    /// Reads enough bytes to find out whether the client speaks HTTP/2.
    ///
    /// # Errors
    /// Returns an error if the client has gone.
    pub(super) async fn look(mut stream: S, activity: Arc<Activity>) -> io::Result<(Self, bool)> {
        let mut prefix = Vec::with_capacity(HTTP2.len());
        while prefix.len() < HTTP2.len() && HTTP2.starts_with(&prefix) {
            let mut rest = (&mut stream).take((HTTP2.len() - prefix.len()) as u64);
            if rest.read_buf(&mut prefix).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        let is_http2 = prefix == HTTP2;
        Ok((
            Prefixed {
                prefix,
                stream,
                activity,
                is_http2,
                deadline: None,
                unparsed: Unparsed::default(),
                unsent: Vec::new(),
                lingers: None,
            },
            is_http2,
        ))
    }

    fn poll_bytes(&mut self, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.prefix.is_empty() {
            return Pin::new(&mut self.stream).poll_read(context, into);
        }
        let count = self.prefix.len().min(into.remaining());
        let first: Vec<u8> = self.prefix.drain(..count).collect();
        into.put_slice(&first);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Prefixed<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let read = self.poll_bytes(context, into);
        // Bodies have their own time limit. An HTTP/2 client sends other frames between its requests.
        if self.is_http2 || self.activity.is_under_way() {
            self.deadline = None;
            return read;
        }
        if read.is_ready() {
            let begun = self.activity.begun();
            self.unparsed.read(into.filled().get(before..).unwrap_or_default(), begun);
            self.deadline.get_or_insert_with(|| Box::pin(tokio::time::sleep(HEAD_TIME)));
            return read;
        }
        let Some(deadline) = &mut self.deadline else { return Poll::Pending };
        ready!(deadline.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncWrite + Unpin> Prefixed<S> {
    fn poll_unsent(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.unsent.is_empty() {
            let count = ready!(Pin::new(&mut self.stream).poll_write(context, &self.unsent))?;
            if count == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.unsent.drain(..count);
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Prefixed<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_unsent(context))?;
        if !self.is_http2
            && let Some(answer) = self.unparsed.answer(bytes, self.activity.begun())
        {
            self.unsent = answer;
            self.lingers = Some(Box::pin(tokio::time::sleep(LINGER_TIME)));
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_unsent(context))?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_unsent(context))?;
        ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
        let this = &mut *self;
        let Some(lingers) = &mut this.lingers else { return Poll::Ready(Ok(())) };
        let mut unread = [0; 4096];
        loop {
            let mut unread = ReadBuf::new(&mut unread);
            let read = Pin::new(&mut this.stream).poll_read(context, &mut unread);
            match read {
                Poll::Ready(Ok(())) if !unread.filled().is_empty() && !lingers.is_elapsed() => {}
                Poll::Ready(_) => return Poll::Ready(Ok(())),
                Poll::Pending => return lingers.as_mut().poll(context).map(Ok),
            }
        }
    }
}
