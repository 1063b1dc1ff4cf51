//! Reads from a client that asks again at once without sleeping in between.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fs::File;
use std::io::{self, Read};
use std::time::{Duration, Instant};

/// How soon the next request of a client comes that is worth looking out for: to wake a thread takes 25 µs and more, and the
/// clients take up to 100 µs between their calls.
const SOON: Duration = Duration::from_micros(150);

/// Stdin. After a read that had soon something to read, the next one first looks for it for a moment; others sleep at
/// once, so that a client that asks now and then costs nothing.
pub(super) struct Eager {
    file: File,
    is_busy: bool,
}

impl Eager {
    pub(super) const fn new(file: File) -> Self {
        Eager { file, is_busy: false }
    }

    /// Waits for something to read, but not for long.
    fn look(&self) {
        let started = Instant::now();
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        while started.elapsed() < SOON {
            let mut fds = [PollFd::new(&self.file, PollFlags::IN)];
            if !matches!(poll(&mut fds, Some(&now)), Ok(0)) {
                return;
            }
            // The client may have to run on this processor.
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
        // Twice the time, since this includes to be woken.
        self.is_busy = started.elapsed() < SOON * 2;
        read
    }
}
