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
    /// The command to run.
    pub command: &'c Command,
    /// The text that the command reads from stdin.
    pub payload: Vec<u8>,
    /// The bounds of the command's output.
    pub bounds: Bounds,
    /// The time limit of the command.
    pub limit: Option<Duration>,
    /// The caller, which may stop waiting.
    pub caller: &'c Caller,
}

/// The bounds that a hook system sets for a command's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bounds {
    /// The number of bytes of stdout that are kept.
    pub stdout: usize,
    /// The number of bytes of stderr that are kept.
    pub stderr: usize,
    /// What happens to output beyond those bytes.
    pub overflow: Overflow,
    /// The time that other processes may hold the pipes after the command has ended.
    pub pipe_grace: PipeGrace,
}

impl Bounds {
    /// Creates bounds, in bytes.
    #[must_use]
    pub const fn new(stdout: usize, stderr: usize, overflow: Overflow, pipe_grace: PipeGrace) -> Self {
        Bounds { stdout, stderr, overflow, pipe_grace }
    }
}

/// The time that other processes may hold a command's pipes after its end. The command's own output is available
/// immediately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PipeGrace {
    /// The time if the command has written to stdout.
    pub with_answer: Duration,
    /// The time if the command has not written to stdout: its answer may still be on its way through another process,
    /// such as `tee`.
    pub without_answer: Duration,
}

/// A way to run commands. Implement this trait for tests, or in hosts that run processes their own way.
#[async_trait]
pub trait Spawner: Send + Sync {
    /// Runs a command to its end.
    async fn run(&self, call: Call<'_>) -> End;
}

/// The end of a call of a command.
#[derive(Debug)]
#[non_exhaustive]
pub enum End {
    /// The command ended on its own.
    Ended {
        /// The exit status.
        status: ExitStatus,
        /// What the command wrote to stdout.
        stdout: Vec<u8>,
        /// What the command wrote to stderr.
        stderr: Vec<u8>,
        /// Whether another process still held stdout, so there may have been more to come.
        stdout_held: bool,
        /// Whether another process still held stderr.
        stderr_held: bool,
        /// Whether the command wrote more than was kept.
        truncated: bool,
    },
    /// The command did not end in time and was terminated.
    TimedOut {
        /// The hook's time limit.
        limit: Duration,
        /// What the command had written to stdout.
        stdout: Vec<u8>,
        /// What the command had written to stderr.
        stderr: Vec<u8>,
        /// Whether the command wrote more than was kept.
        truncated: bool,
    },
    /// The caller cancelled the event. The command was terminated or not even started.
    Cancelled {
        /// Whether the command was started.
        started: bool,
        /// What the command had written to stdout.
        stdout: Vec<u8>,
        /// What the command had written to stderr.
        stderr: Vec<u8>,
    },
    /// The command wrote too much to this stream, whose limit is given in bytes, and was terminated.
    Flooded(&'static str, usize),
    /// The command could not be started, or its pipes failed.
    Broken {
        /// The program as the hook's config names it.
        given: OsString,
        /// The file that the program resolves to, or the program itself if no file was found.
        program: PathBuf,
        /// The working directory in which the command was to run.
        cwd: PathBuf,
        /// The system's error.
        error: io::Error,
        /// What to do about the error, if known.
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
