//! The process that requests a compilation.

use super::wire::{HEADER_BYTES, Reply, nonce};
use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The maximum size of machine code that is accepted, in bytes. Machine code is at most a few times as large as its
/// component.
pub(super) const MAX_CODE_BYTES: u64 = 256 << 20;

/// The maximum length of the text that comes with the machine code, in bytes.
const MAX_TEXT_BYTES: u64 = 64 << 10;

/// The time that a compiler may take to end after it has closed its output.
const ENDING: Duration = Duration::from_secs(1);

/// The time to wait for a compiler.
pub(super) struct Patience<'a> {
    pub(super) deadline: Instant,
    /// A function to call once, and when: if there is no answer by this point before the deadline.
    pub(super) when_slow: (Instant, &'a dyn Fn()),
    /// Whether the process continues after the deadline, for other callers. If not, it is killed.
    pub(super) goes_on: bool,
}

/// The reason why a compiler did not reply.
#[derive(Debug)]
pub(super) enum Lost {
    /// The compiler could not be started.
    NotStarted(io::Error),
    /// The compiler did not finish in time.
    Overdue,
    /// The compiler ended without a reply.
    Ended(ExitStatus),
    /// The compiler ended successfully, but its output is not a reply.
    Foreign,
    /// The compiler printed more than allowed.
    TooMuch,
    /// The pipe failed.
    Pipe(io::Error),
}

/// Sends a component to a compiler and waits for the reply.
pub(super) fn converse(mut command: Command, wasm: &[u8], patience: &Patience<'_>) -> Result<Reply, Lost> {
    let nonce = nonce().map_err(Lost::NotStarted)?;
    let mut child = command.spawn().map_err(Lost::NotStarted)?;
    // This closes this process's copies of the files that the child inherited.
    drop(command);
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let sent = [&nonce, wasm].concat();
    // A compiler that ends early leaves the rest unread. The write error is then ignored, since the reason for the end
    // matters more. The threads end with the compiler's process, so they are not joined: the process may continue after
    // the deadline.
    let writer = thread::Builder::new().spawn(move || stdin.map(|mut stdin| stdin.write_all(&sent)));
    let (send, out) = channel();
    let reader = thread::Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        let most = MAX_CODE_BYTES + MAX_TEXT_BYTES + HEADER_BYTES as u64 + 1;
        let read = stdout.map(|stdout| stdout.take(most).read_to_end(&mut bytes));
        let _ = send.send(match read {
            Some(Ok(read)) if read as u64 == most => Err(Lost::TooMuch),
            Some(Ok(_)) => Ok(bytes),
            Some(Err(error)) => Err(Lost::Pipe(error)),
            None => Err(Lost::Pipe(io::ErrorKind::BrokenPipe.into())),
        });
    });
    let ended = match writer.and(reader) {
        Ok(_) => watch(&mut child, &out, patience),
        // This process has as many threads as it may have.
        Err(error) => Err(Lost::NotStarted(error)),
    };
    if matches!(ended, Err(Lost::Overdue)) && patience.goes_on {
        // Wait in a thread, so that the child does not stay a zombie in a long-running program.
        let _ = thread::Builder::new().spawn(move || child.wait());
    } else {
        let _ = child.kill();
        let _ = child.wait();
    }
    let (status, out) = ended?;
    match Reply::read(out, &nonce) {
        Some(reply) if status.success() => Ok(reply),
        None if status.success() => Err(Lost::Foreign),
        _ => Err(Lost::Ended(status)),
    }
}

/// Waits for the output and then for the end of the compiler.
fn watch(
    child: &mut Child,
    out: &Receiver<Result<Vec<u8>, Lost>>,
    patience: &Patience<'_>,
) -> Result<(ExitStatus, Vec<u8>), Lost> {
    let left = |until: Instant| until.saturating_duration_since(Instant::now());
    let (slow, when_slow) = patience.when_slow;
    let received = match out.recv_timeout(left(slow.min(patience.deadline))) {
        Err(RecvTimeoutError::Timeout) if slow < patience.deadline => {
            when_slow();
            out.recv_timeout(left(patience.deadline))
        }
        other => other,
    };
    let out = received.map_err(|_| Lost::Overdue)??;
    let closed = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok((status, out)),
            Ok(None) if closed.elapsed() < ENDING => thread::sleep(Duration::from_micros(200)),
            Ok(None) => return Err(Lost::Overdue),
            Err(error) => return Err(Lost::Pipe(error)),
        }
    }
}
