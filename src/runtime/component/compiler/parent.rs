//! The side of the process that wants something compiled.

use super::wire::{HEADER_BYTES, Reply, nonce};
use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The most machine code that is taken, in bytes. It is at most a few times as large as the component.
pub(super) const MAX_CODE_BYTES: u64 = 256 << 20;

/// The longest text beside it.
const MAX_TEXT_BYTES: u64 = 64 << 10;

/// How long a compiler may take to end once it has closed its output.
const ENDING: Duration = Duration::from_secs(1);

/// How long a compiler is waited for.
pub(super) struct Patience<'a> {
    pub(super) deadline: Instant,
    /// Something to do once if there is no answer at a point before the deadline.
    pub(super) when_slow: (Instant, &'a dyn Fn()),
    /// Whether the process goes on after the deadline, for others. If not, it is ended.
    pub(super) goes_on: bool,
}

/// How a compiler did not reply.
#[derive(Debug)]
pub(super) enum Lost {
    /// It could not be started.
    NotStarted(io::Error),
    /// It did not come to its end in time.
    Overdue,
    /// It ended without a reply.
    Ended(ExitStatus),
    /// It ended well, and what it printed is not a reply.
    Foreign,
    /// It printed more than it may.
    TooMuch,
    /// The pipe failed.
    Pipe(io::Error),
}

/// Hands a component to a compiler, and waits for its reply.
pub(super) fn converse(mut command: Command, wasm: &[u8], patience: &Patience<'_>) -> Result<Reply, Lost> {
    let nonce = nonce().map_err(Lost::NotStarted)?;
    let mut child = command.spawn().map_err(Lost::NotStarted)?;
    // Files that were handed over to the child are closed here.
    drop(command);
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let sent = [&nonce, wasm].concat();
    // A compiler that ends early leaves the rest unread; why it ended is what counts. The threads end with the process at
    // the latest, which is not waited for if it goes on.
    thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&sent)));
    let (send, out) = channel();
    thread::spawn(move || {
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
    let ended = watch(&mut child, &out, patience);
    if matches!(ended, Err(Lost::Overdue)) && patience.goes_on {
        // Leaves no zombie in a program that lives on.
        thread::spawn(move || child.wait());
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

/// Waits for the output and the end of the compiler.
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
