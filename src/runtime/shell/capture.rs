//! A reader for a pipe, with a limit. It does not wait for processes that merely hold the pipe open.

use rustix::buffer::spare_capacity;
use rustix::io::Errno;
use std::io;
use tokio::net::unix::pipe::Receiver;

/// The buffer space for one read, in bytes. Most answers fit into it.
const CHUNK: usize = 4 << 10;

/// The number of bytes that are read before other tasks get a turn, because a fast enough writer would never leave the
/// pipe empty.
const TURN: usize = 256 << 10;

/// The treatment of output beyond a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Overflow {
    /// The command is terminated, because its answer would be incomplete.
    End,
    /// The output is read and dropped, so the command does not notice.
    Discard,
}

/// The output that has been read from a pipe so far.
pub(super) struct Capture {
    pipe: Receiver,
    bytes: Vec<u8>,
    limit: usize,
    overflow: Overflow,
    truncated: bool,
    at_end: bool,
}

impl Capture {
    pub(super) const fn new(pipe: Receiver, limit: usize, overflow: Overflow) -> Self {
        Capture { pipe, bytes: Vec::new(), limit, overflow, truncated: false, at_end: false }
    }

    /// Reads until every writer has closed the pipe or the limit is exceeded. This is cancel safe.
    pub(super) async fn read_to_end(&mut self) -> io::Result<()> {
        loop {
            if !self.read_available()? {
                tokio::task::yield_now().await;
                continue;
            }
            if self.at_end || self.is_over_limit() {
                return Ok(());
            }
            self.pipe.readable().await?;
            // This clears the readiness if there is nothing to read after all.
            let _ = self.pipe.try_io(|| Err::<(), _>(io::ErrorKind::WouldBlock.into()));
        }
    }

    /// Reads what is in the pipe now. Returns false if there may be more. What is read includes everything that a
    /// process wrote before it ended, even if other processes still hold the pipe.
    pub(super) fn read_available(&mut self) -> io::Result<bool> {
        let mut turn = 0;
        while !self.at_end && !self.is_over_limit() {
            if turn >= TURN {
                return Ok(false);
            }
            self.bytes.reserve(CHUNK);
            match rustix::io::read(&self.pipe, spare_capacity(&mut self.bytes)) {
                Ok(read) => {
                    turn += read;
                    self.at_end = read == 0;
                    self.discard_overflow();
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(true)
    }

    fn discard_overflow(&mut self) {
        if self.overflow == Overflow::Discard && self.bytes.len() > self.limit {
            self.bytes.truncate(self.limit);
            self.truncated = true;
        }
    }

    /// Returns whether output was dropped.
    pub(super) const fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// Returns whether nothing has been read.
    pub(super) const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) const fn is_over_limit(&self) -> bool {
        self.bytes.len() > self.limit
    }

    /// Returns whether every writer has closed the pipe.
    pub(super) const fn is_at_end(&self) -> bool {
        self.at_end
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
