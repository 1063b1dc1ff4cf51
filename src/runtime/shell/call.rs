//! One call of a command, and the ways it can end.

use super::capture::Overflow;
use super::command::Command;
use crate::runtime::Caller;
use async_trait::async_trait;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

/// The maximum output of a shell hook on stdout, in bytes: the maximum size of an Input.
pub const MAX_STDOUT_BYTES: usize = 1 << 20;

/// The maximum output of a shell hook on stderr, in bytes: it is for a reason, not for a log.
pub const MAX_STDERR_BYTES: usize = 64 << 10;

/// One call of a command.
#[derive(Debug)]
#[non_exhaustive]
pub struct Call<'c> {
    /// What to run.
    pub command: &'c Command,
    /// What the command reads from stdin.
    pub payload: Vec<u8>,
    /// How much it may write.
    pub bounds: Bounds,
    /// How long it may take.
    pub limit: Option<Duration>,
    /// How long the caller waits for it.
    pub caller: &'c Caller,
}

/// The bounds that a hook system sets for a command's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bounds {
    /// How much of stdout is kept, in bytes.
    pub stdout: usize,
    /// How much of stderr is kept, in bytes.
    pub stderr: usize,
    /// What happens to output beyond that.
    pub overflow: Overflow,
    /// How long other processes may hold the pipes after the command has ended.
    pub pipe_grace: PipeGrace,
}

impl Bounds {
    /// Creates bounds, in bytes.
    #[must_use]
    pub const fn new(stdout: usize, stderr: usize, overflow: Overflow, pipe_grace: PipeGrace) -> Self {
        Bounds { stdout, stderr, overflow, pipe_grace }
    }
}

/// How long other processes may hold a command's pipes after its end. The command's own output is available
/// immediately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PipeGrace {
    /// If the command has written to stdout.
    pub with_answer: Duration,
    /// If it has not: its answer may still be on its way through another process, such as `tee`.
    pub without_answer: Duration,
}

/// Runs commands. Implement this for tests, or in hosts that run processes their own way.
#[async_trait]
pub trait Spawner: Send + Sync {
    /// Runs a command to its end.
    async fn run(&self, call: Call<'_>) -> End;
}

/// How a call of a command ended.
#[derive(Debug)]
#[non_exhaustive]
pub enum End {
    /// The command ended on its own.
    Ended {
        /// Its exit status.
        status: ExitStatus,
        /// What it wrote to stdout.
        stdout: Vec<u8>,
        /// What it wrote to stderr.
        stderr: Vec<u8>,
        /// Whether another process still held stdout, so there may have been more to come.
        stdout_held: bool,
        /// Whether another process still held stderr.
        stderr_held: bool,
        /// Whether it wrote more than was kept.
        truncated: bool,
    },
    /// It did not end in time and was terminated.
    TimedOut {
        /// The hook's time limit.
        limit: Duration,
        /// What it had written to stdout.
        stdout: Vec<u8>,
        /// What it had written to stderr.
        stderr: Vec<u8>,
        /// Whether it wrote more than was kept.
        truncated: bool,
    },
    /// The caller cancelled the event. The command was terminated or not even started.
    Cancelled {
        /// Whether it was started.
        started: bool,
        /// What it had written to stdout.
        stdout: Vec<u8>,
        /// What it had written to stderr.
        stderr: Vec<u8>,
    },
    /// It wrote more than it may to this stream, whose limit is given in bytes, and was terminated.
    Flooded(&'static str, usize),
    /// It could not be started, or its pipes failed.
    Broken {
        /// The program as named in the hook's config.
        given: OsString,
        /// The file that it resolves to, as far as it was found.
        program: PathBuf,
        /// The working directory that was intended.
        cwd: PathBuf,
        /// The system's error.
        error: io::Error,
        /// What to do about it, if known.
        hint: Option<String>,
    },
}

impl End {
    /// Summarizes the end in a few words, without any output of the command.
    pub(super) fn summary(&self) -> impl fmt::Display {
        match self {
            End::Ended { status, .. } => status.to_string(),
            End::TimedOut { limit, .. } => format!("timed out after {limit:?}"),
            End::Cancelled { .. } => "was given up".to_owned(),
            End::Flooded(stream, limit) => format!("wrote more than {limit} bytes to {stream}"),
            End::Broken { error, .. } => error.to_string(),
        }
    }
}
