//! A small process that answers the agent if the process that judges cannot.
//!
//! Some ends of a process leave it no time for an answer: SIGKILL by a system that is out of memory, a failed
//! allocation under `RLIMIT_AS`, an abort, a fault in native code. Several agents then let the tool run. So before
//! anything else, `hookbox hook` splits in two: the worker judges and sends its reply through a pipe; the guard only
//! waits, and passes on a complete reply, or else a deny that was prepared at the start. Handlers of the fatal signals
//! alone could not do that: no process can handle SIGKILL.

mod frame;
mod process;

use super::Exit;
use frame::Kind;
use hookbox::agent::Reply;
use process::Side;
pub(super) use process::{hold_signals, ignore_file_size_signal, keep_exit_statuses, release_signals};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The maximum number of bytes of one read.
const CHUNK: usize = 64 << 10;

/// The worker's end of the pipe. Set only in the worker.
static TO_GUARD: OnceLock<Mutex<File>> = OnceLock::new();

/// Whether the guard has the worker's answer.
static IS_ANSWERED: AtomicBool = AtomicBool::new(false);

/// Splits the process. Returns `None` in the worker, which goes on. In the guard, returns how the guard ends, after it
/// has replied.
///
/// `last_reply` is the reply if the worker ends without one, or takes longer than `longest`. `unsplit` returns the reply
/// if the system allows no worker.
pub(super) fn watch(
    last_reply: Reply,
    unsplit: impl FnOnce(&io::Error) -> Reply,
    longest: Duration,
    deliver: impl Fn(&Reply) -> Exit,
) -> Option<Exit> {
    let started = Instant::now();
    let split = io::pipe().and_then(|pipe| Ok((pipe, process::split(last_reply.clone())?)));
    match split {
        // Without a guard, the agent might get no reply at all.
        Err(error) => Some(deliver(&unsplit(&error))),
        Ok(((_, writes), Side::Worker)) => {
            let _ = TO_GUARD.set(Mutex::new(File::from(OwnedFd::from(writes))));
            None
        }
        Ok(((reads, writes), Side::Guard(worker))) => {
            drop(writes);
            let file = File::from(OwnedFd::from(reads));
            let pipe = Pipe { file, bytes: Vec::new(), end: started + longest, is_closed: false };
            Some(pipe.wait(last_reply, worker, deliver))
        }
    }
}

/// Sends the worker's answer to the guard. Returns `None` if there is no guard.
pub(super) fn answer(reply: &Reply) -> Option<io::Result<()>> {
    let sent = send(Kind::Final, reply)?;
    IS_ANSWERED.store(true, Ordering::SeqCst);
    Some(sent)
}

/// Sends the guard the reply to use if this process ends without an answer.
pub(super) fn prepare(reply: &Reply) {
    // If this fails, the guard still has the reply from the start.
    let _ = send(Kind::Prepared, reply);
}

/// Tells the guard that the worker has finished, and that all its output is already on its own stdout.
pub(super) fn ended(exit: Exit) -> Exit {
    if !IS_ANSWERED.load(Ordering::SeqCst) {
        let mut silence = Reply::silence();
        silence.status = exit.status();
        let _ = answer(&silence);
    }
    exit
}

fn send(kind: Kind, reply: &Reply) -> Option<io::Result<()>> {
    let pipe = TO_GUARD.get()?;
    let mut pipe = pipe.lock().unwrap_or_else(PoisonError::into_inner);
    Some(frame::encode(kind, reply).and_then(|frame| pipe.write_all(&frame)))
}

/// The guard's end of the pipe.
struct Pipe {
    file: File,
    /// The bytes that were read but do not make a complete frame yet.
    bytes: Vec<u8>,
    end: Instant,
    /// Whether the worker has closed its end of the pipe, as it does when it exits.
    is_closed: bool,
}

impl Pipe {
    fn wait(mut self, last_reply: Reply, worker: Pid, deliver: impl Fn(&Reply) -> Exit) -> Exit {
        let mut prepared = last_reply;
        let exit = loop {
            match self.next() {
                Ok(Some((Kind::Prepared, reply))) => prepared = reply,
                Ok(Some((Kind::Final, reply))) => {
                    let exit = deliver(&reply);
                    // The worker may still run hooks in the background, which have their own time limit.
                    while let Ok(Some(_)) = self.next() {}
                    break exit;
                }
                Ok(None) | Err(_) => break deliver(&prepared),
            }
        };
        // The worker's time is up. A worker that has exited must not be killed: its process ID may already belong to
        // another process.
        if !self.is_closed {
            let _ = kill_process(worker, Signal::KILL);
        }
        let _ = rustix::io::retry_on_intr(|| waitpid(Some(worker), WaitOptions::empty()));
        exit
    }

    /// Reads the next complete frame; `None` after the last frame, or if the time is up.
    fn next(&mut self) -> io::Result<Option<(Kind, Reply)>> {
        loop {
            if let Some(frame) = frame::take(&mut self.bytes)? {
                return Ok(Some(frame));
            }
            if !self.is_readable()? {
                return Ok(None);
            }
            let filled = self.bytes.len();
            // A failed allocation must not end the guard when memory is short.
            self.bytes.try_reserve(CHUNK).map_err(io::Error::other)?;
            self.bytes.resize(filled + CHUNK, 0);
            let read = self.file.read(self.bytes.get_mut(filled..).unwrap_or_default());
            let read = match read {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(None),
                read => read.map(Some),
            };
            self.bytes.truncate(filled + read.as_ref().map_or(0, |read| read.unwrap_or_default()));
            if read? == Some(0) {
                self.is_closed = true;
                return Ok(None);
            }
        }
    }

    /// Waits until the pipe is readable. Returns false if the time is up.
    fn is_readable(&self) -> io::Result<bool> {
        loop {
            let left = self.end.saturating_duration_since(Instant::now());
            let left = Timespec::try_from(left).map_err(io::Error::other)?;
            match poll(&mut [PollFd::new(&self.file, PollFlags::IN)], Some(&left)) {
                Ok(ready) => return Ok(ready > 0),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}
