//! One call of a command, and how it can end.

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

/// The most that a shell hook may write to stdout: as much as an Input may hold.
pub const MAX_STDOUT_BYTES: usize = 1 << 20;

/// The most that a shell hook may write to stderr: it is for a reason, not for a log.
pub const MAX_STDERR_BYTES: usize = 64 << 10;

/// One call of a command.
#[derive(Debug)]
pub struct Call<'c> {
    /// What to run.
    pub command: &'c Command,
    /// What it finds on stdin.
    pub payload: Vec<u8>,
    /// How much it may write.
    pub bounds: Bounds,
    /// How long it may take.
    pub limit: Option<Duration>,
    /// Until when somebody waits for it.
    pub caller: &'c Caller,
}

/// The bounds that a hook system sets to what a command writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The most that is kept of stdout, in bytes.
    pub stdout: usize,
    /// The most that is kept of stderr, in bytes.
    pub stderr: usize,
    /// What becomes of more.
    pub overflow: Overflow,
    /// How long others may hold the pipes after the command has ended.
    pub pipe_grace: PipeGrace,
}

/// How long other processes may hold a command's pipes after its end. What the command itself wrote is there at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PipeGrace {
    /// Where it has written to stdout.
    pub with_answer: Duration,
    /// Where it has not: its answer may be on its way through another process, such as `tee`.
    pub without_answer: Duration,
}

/// Runs commands. A seam for tests and for hosts that run processes in a way of their own.
#[async_trait]
pub trait Spawner: Send + Sync {
    /// Runs a command to its end.
    async fn run(&self, call: Call<'_>) -> End;
}

/// How a call of a command ended.
#[derive(Debug)]
pub enum End {
    /// The command ended by itself.
    Ended {
        /// How.
        status: ExitStatus,
        /// What it wrote to stdout.
        stdout: Vec<u8>,
        /// What it wrote to stderr.
        stderr: Vec<u8>,
        /// Whether another process still held stdout, so that more might have come.
        stdout_held: bool,
        /// Whether another process still held stderr.
        stderr_held: bool,
        /// Whether it wrote more than was kept.
        truncated: bool,
    },
    /// It did not end in time and was ended.
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
    /// Its caller gave the event up, and it was ended or not even started.
    Cancelled {
        /// Whether it was started.
        started: bool,
        /// What it had written to stdout.
        stdout: Vec<u8>,
        /// What it had written to stderr.
        stderr: Vec<u8>,
    },
    /// It wrote more than it may to this stream, with this limit in bytes, and was ended.
    Flooded(&'static str, usize),
    /// It could not be started, or its pipes failed.
    Broken {
        /// The program as the hook's config names it.
        given: OsString,
        /// The file that it stands for, as far as it was found.
        program: PathBuf,
        /// The working directory that it should have had.
        cwd: PathBuf,
        /// What the system said.
        error: io::Error,
        /// What to do about it, where that is known.
        hint: Option<String>,
    },
}

impl End {
    /// The end in a few words, without anything that the command wrote.
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
