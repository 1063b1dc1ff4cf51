//! The streams with which a component writes to files.

use super::Quota;
use bytes::Bytes;
use std::io;
use std::sync::Arc;
use wasmtime_wasi::p2::{DynOutputStream, OutputStream, Pollable, StreamError, StreamResult};

/// A stream into a file that charges the bytes that are written.
pub(super) struct Charged {
    pub(super) file: DynOutputStream,
    /// The limit that the bytes are charged to. `None` if the file belongs to no granted directory.
    pub(super) quota: Option<Arc<Quota>>,
    /// The number of bytes between the end of the file and the start of the stream, to be charged with the first write.
    pub(super) hole: u64,
}

impl Charged {
    fn charge(&mut self, bytes: &Bytes) -> StreamResult<()> {
        let all = self.hole.saturating_add(bytes.len() as u64);
        if !self.quota.as_ref().is_some_and(|quota| quota.take(all)) {
            return Err(StreamError::LastOperationFailed(io::Error::from(io::ErrorKind::QuotaExceeded).into()));
        }
        self.hole = 0;
        Ok(())
    }
}

#[async_trait::async_trait]
impl Pollable for Charged {
    async fn ready(&mut self) {
        self.file.ready().await;
    }
}

#[async_trait::async_trait]
impl OutputStream for Charged {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.charge(&bytes)?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> StreamResult<()> {
        self.file.flush()
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        self.file.check_write()
    }

    async fn blocking_write_and_flush(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.charge(&bytes)?;
        self.file.blocking_write_and_flush(bytes).await
    }

    async fn cancel(&mut self) {
        self.file.cancel().await;
    }
}
