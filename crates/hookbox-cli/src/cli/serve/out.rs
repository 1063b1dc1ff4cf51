//! The writer of answers to stdout. A client that does not read its answers does not block other work.

use rustix::event::{PollFd, PollFlags, poll};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tokio::sync::Notify;

/// How many bytes of answers may wait to be written. While more are waiting, no requests are read.
const MAX_WAITING: usize = 8 << 20;

/// The number of bytes that a pipe that is reported as writable takes without blocking (`PIPE_BUF` on Linux).
const AT_ONCE: usize = 4096;

/// The answers on their way to the client.
#[derive(Clone)]
pub(super) struct Out(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    /// Notified when the client has gone.
    gone: Notify,
    file: File,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Vec<u8>>,
    bytes: usize,
    /// Whether the other thread is writing.
    is_writing: bool,
    /// Whether the client has gone.
    is_broken: bool,
}

impl Out {
    /// Starts the thread that writes the answers.
    ///
    /// # Errors
    /// Returns an error if the system cannot start a thread.
    pub(super) fn start(file: File) -> io::Result<Self> {
        let shared = Shared { state: Mutex::default(), changed: Condvar::new(), gone: Notify::new(), file };
        let out = Out(Arc::new(shared));
        let writer = out.clone();
        thread::Builder::new().name("hookbox-answers".to_owned()).spawn(move || writer.write())?;
        Ok(out)
    }

    /// Sends a line. Never blocks.
    pub(super) fn send(&self, line: String) {
        let state = self.lock();
        if state.is_broken {
            return;
        }
        let line = line.into_bytes();
        // Waking the other thread takes longer than writing here.
        let is_idle = state.waiting.is_empty() && !state.is_writing;
        if is_idle && line.len() <= AT_ONCE && self.can_be_written() {
            match (&self.0.file).write(&line) {
                Ok(written) if written == line.len() => return,
                Ok(written) => return self.queue(state, line.get(written..).unwrap_or_default().to_vec()),
                Err(error) if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => {}
                Err(_) => return self.broken(state),
            }
        }
        self.queue(state, line);
    }

    /// Waits until there is room for more answers. Returns false if the client has gone.
    pub(super) fn wait_for_room(&self) -> bool {
        let mut state = self.lock();
        while state.bytes > MAX_WAITING && !state.is_broken {
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        !state.is_broken
    }

    /// Waits until everything is written, but not longer than `most`.
    pub(super) fn flush(&self, most: Duration) {
        let is_due = |state: &mut State| (!state.waiting.is_empty() || state.is_writing) && !state.is_broken;
        let _ = self.0.changed.wait_timeout_while(self.lock(), most, is_due);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn queue(&self, mut state: MutexGuard<'_, State>, line: Vec<u8>) {
        state.bytes += line.len();
        state.waiting.push_back(line);
        self.0.changed.notify_all();
    }

    /// Waits until a write shows that the client has gone.
    pub(super) async fn gone(&self) {
        self.0.gone.notified().await;
    }

    fn broken(&self, mut state: MutexGuard<'_, State>) {
        self.0.gone.notify_one();
        state.is_broken = true;
        state.waiting.clear();
        state.bytes = 0;
        self.0.changed.notify_all();
    }

    fn can_be_written(&self) -> bool {
        let mut fds = [PollFd::new(&self.0.file, PollFlags::OUT)];
        let now = rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 };
        matches!(poll(&mut fds, Some(&now)), Ok(1)) && fds.iter().all(|fd| fd.revents() == PollFlags::OUT)
    }

    /// Writes all bytes, even if another process has made the pipe non-blocking.
    fn write_all(&self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match (&self.0.file).write(bytes) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    // If waiting fails, the next write says why.
                    let _ = poll(&mut [PollFd::new(&self.0.file, PollFlags::OUT)], None);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn write(&self) {
        loop {
            let mut state = self.lock();
            while state.waiting.is_empty() && !state.is_broken {
                state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            let Some(line) = state.waiting.pop_front() else { return };
            state.is_writing = true;
            drop(state);
            let written = self.write_all(&line);
            let mut state = self.lock();
            state.is_writing = false;
            if written.is_err() {
                return self.broken(state);
            }
            state.bytes = state.bytes.saturating_sub(line.len());
            drop(state);
            self.0.changed.notify_all();
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use std::io::Read;
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    /// A socket may accept only a part of a line, which may end within a character.
    #[test]
    fn a_line_is_whole_even_if_a_part_of_it_is_written_first() {
        for before in ["", "1", "12"] {
            let (ours, mut theirs) = UnixStream::pair().unwrap();
            rustix::net::sockopt::set_socket_send_buffer_size(&ours, 1).unwrap();
            ours.set_nonblocking(true).unwrap();
            let out = Out::start(File::from(OwnedFd::from(ours))).unwrap();
            let line = format!("{before}{}\n", "\u{20ac}".repeat(1300));
            out.send(line.clone());
            let mut told = vec![0; line.len()];
            theirs.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
            theirs.read_exact(&mut told).unwrap();
            assert_eq!(String::from_utf8(told).unwrap(), line);
            out.broken(out.lock());
        }
    }
}
