//! A guest's stdout and stderr.

use bytes::Bytes;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use tokio::io::AsyncWrite;
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi_io::poll::Pollable;
use wasmtime_wasi_io::streams::{OutputStream, StreamResult};

/// The maximum size of one write, in bytes. It bounds how much the host allocates for the guest at a time.
const PERMIT_BYTES: usize = 64 << 10;

/// A stream that keeps the first bytes and counts the rest. It never refuses a write: a full pipe would make a plain
/// `println!` fail, and with it a hook that merely prints too much.
#[derive(Clone)]
pub(super) struct Output(Arc<Mutex<Kept>>);

struct Kept {
    bytes: Vec<u8>,
    limit: usize,
    dropped: usize,
}

impl Output {
    pub(super) fn new(limit: usize) -> Self {
        Output(Arc::new(Mutex::new(Kept { bytes: Vec::new(), limit, dropped: 0 })))
    }

    fn take(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let room = kept.limit.saturating_sub(kept.bytes.len()).min(bytes.len());
        let (keep, drop) = bytes.split_at(room);
        kept.bytes.extend_from_slice(keep);
        kept.dropped = kept.dropped.saturating_add(drop.len());
    }

    /// Returns what was written, with a note about dropped bytes, or `None` if nothing was written.
    pub(super) fn text(&self) -> Option<String> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::from_utf8_lossy(&kept.bytes).into_owned();
        if kept.dropped > 0 {
            text.push_str(&format!("… ({} bytes more)", kept.dropped));
        }
        (!text.is_empty()).then_some(text)
    }
}

impl IsTerminal for Output {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Output {
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(self.clone())
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }
}

impl AsyncWrite for Output {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.take(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[async_trait::async_trait]
impl Pollable for Output {
    async fn ready(&mut self) {}
}

impl OutputStream for Output {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.take(&bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(PERMIT_BYTES)
    }
}
