//! A reader that does not sleep between the requests of a client that sends the next one at once.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fs::File;
use std::io::{self, Read};
use std::time::{Duration, Instant};

/// How long to watch for a client's next request without sleeping: waking a thread takes 25 µs and more, and clients
/// take up to 100 µs between their calls.
const SOON: Duration = Duration::from_micros(150);

/// Stdin. If a read got its bytes soon, the next read first watches for bytes for a moment. All other reads sleep at
/// once, so that a client that rarely sends requests costs nothing.
pub(super) struct Eager {
    file: File,
    is_busy: bool,
}

impl Eager {
    pub(super) const fn new(file: File) -> Self {
        Eager { file, is_busy: false }
    }

    /// Watches for something to read, but not for longer than [`SOON`].
    fn look(&self) {
        let started = Instant::now();
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        while started.elapsed() < SOON {
            let mut fds = [PollFd::new(&self.file, PollFlags::IN)];
            if !matches!(poll(&mut fds, Some(&now)), Ok(0)) {
                return;
            }
            // The client may need this processor to run.
            std::thread::yield_now();
        }
    }
}

impl Read for Eager {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let started = Instant::now();
        if self.is_busy {
            self.look();
        }
        let read = self.file.read(into);
        // Twice the time, because the measured time includes waking this thread.
        self.is_busy = started.elapsed() < SOON * 2;
        read
    }
}
