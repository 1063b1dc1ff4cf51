//! Reads a pipe up to a limit, without ever waiting for those who merely hold it open.

use rustix::buffer::spare_capacity;
use rustix::io::Errno;
use std::io;
use tokio::net::unix::pipe::Receiver;

/// The room for one read, in bytes: most answers fit.
const CHUNK: usize = 4 << 10;

/// The most that is read before others get their turn, in bytes: a writer that is fast enough would never leave the
/// pipe empty.
const TURN: usize = 256 << 10;

/// What becomes of what a command writes beyond a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// The command is ended: its answer would not be whole.
    End,
    /// It is read and dropped, so that the command does not notice.
    Discard,
}

/// What was read of a pipe so far.
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

    /// Reads until every writer has closed the pipe, or until more than the limit has come. Can be dropped and
    /// called again.
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
            // Forgets the readiness if there is nothing to read after all.
            let _ = self.pipe.try_io(|| Err::<(), _>(io::ErrorKind::WouldBlock.into()));
        }
    }

    /// Reads what is in the pipe now; false if there may be more. What a process wrote before it ended is there, whoever
    /// still holds the pipe.
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

    /// Whether something was dropped.
    pub(super) const fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// Whether nothing has come.
    pub(super) const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) const fn is_over_limit(&self) -> bool {
        self.bytes.len() > self.limit
    }

    /// Whether every writer has closed the pipe.
    pub(super) const fn is_at_end(&self) -> bool {
        self.at_end
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
