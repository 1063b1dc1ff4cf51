//! One call of a command: spawn, feed, listen, and end it in time.

use super::capture::Capture;
use super::command::Command;
use super::group::Group;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::unix::pipe;
use tokio::process::{Child, ChildStdin};

/// The most that a shell hook may write to stdout: as much as an Input may hold.
pub const MAX_STDOUT_BYTES: usize = 1 << 20;

/// The most that a shell hook may write to stderr: it is for a reason, not for a log.
pub const MAX_STDERR_BYTES: usize = 64 << 10;

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
    },
    /// It did not end in time and was ended.
    TimedOut(Duration),
    /// It wrote more than it may to this stream, with this limit in bytes, and was ended.
    Flooded(&'static str, usize),
    /// It could not be started, or its pipes failed.
    Broken {
        /// The program as the hook's config names it.
        given: OsString,
        /// The file that it stands for, as far as it was found.
        program: PathBuf,
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
            End::TimedOut(limit) => format!("timed out after {limit:?}"),
            End::Flooded(stream, limit) => format!("wrote more than {limit} bytes to {stream}"),
            End::Broken { error, .. } => error.to_string(),
        }
    }
}

/// How long other processes may hold a command's pipes after its end. What the command itself wrote is there at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PipeGrace {
    /// Where it has written to stdout.
    pub with_answer: Duration,
    /// Where it has not: its answer may be on its way through another process, such as `tee`.
    pub without_answer: Duration,
}

/// The bounds of one call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// How long the whole of it may take.
    pub(super) limit: Option<Duration>,
    /// How long others may hold the pipes after the command has ended.
    pub(super) pipe_grace: PipeGrace,
}

/// Runs the command with `payload` on its stdin.
pub(super) async fn run(command: &Command, payload: Vec<u8>, bounds: Bounds) -> End {
    let program = match command.resolve() {
        Ok(program) => program,
        Err(error) => {
            let given = command.program.clone();
            let has_space = given.as_encoded_bytes().contains(&b' ');
            let hint = has_space.then(|| "arguments go into `args`".to_owned());
            return End::Broken { program: given.clone().into(), given, error, hint };
        }
    };
    match call(command, &program, payload, bounds).await {
        Ok(end) => end,
        Err(error) => {
            let hint = hint(&error, &program, &command.cwd);
            End::Broken { given: command.program.clone(), program, error, hint }
        }
    }
}

async fn call(command: &Command, program: &Path, payload: Vec<u8>, bounds: Bounds) -> io::Result<End> {
    let (stdout_reader, stdout_writer) = pipe_pair()?;
    let (stderr_reader, stderr_writer) = pipe_pair()?;
    // The builder holds the pipes' writing ends, so it must be gone before their end can be seen.
    let mut child = {
        let mut builder = tokio::process::Command::new(program);
        builder
            .args(&command.args)
            .env_clear()
            .envs(command.env.iter().map(|(name, value)| (name, value)))
            .current_dir(&command.cwd)
            .stdin(Stdio::piped())
            .stdout(stdout_writer)
            .stderr(stderr_writer)
            .process_group(0);
        builder.spawn()?
    };
    let group = Group::led_by(&child);
    let stdin = child.stdin.take();
    let mut stdout = Capture::new(stdout_reader, MAX_STDOUT_BYTES);
    let mut stderr = Capture::new(stderr_reader, MAX_STDERR_BYTES);

    let call = converse(&mut child, stdin, payload, &mut stdout, &mut stderr, bounds.pipe_grace);
    let status = match bounds.limit {
        Some(limit) => match tokio::time::timeout(limit, call).await {
            Ok(status) => status?,
            Err(_) => {
                group.terminate(&mut child).await;
                return Ok(End::TimedOut(limit));
            }
        },
        None => call.await?,
    };
    let Some(status) = status else {
        group.terminate(&mut child).await;
        return Ok(if stdout.is_over_limit() {
            End::Flooded("stdout", MAX_STDOUT_BYTES)
        } else {
            End::Flooded("stderr", MAX_STDERR_BYTES)
        });
    };
    Ok(End::Ended {
        status,
        stdout_held: !stdout.is_at_end(),
        stderr_held: !stderr.is_at_end(),
        stdout: stdout.into_bytes(),
        stderr: stderr.into_bytes(),
    })
}

/// What to do about a program that could not be started, where the system's word alone would mislead.
fn hint(error: &io::Error, program: &Path, cwd: &Path) -> Option<String> {
    match error.kind() {
        io::ErrorKind::NotFound if !cwd.is_dir() => {
            Some(format!("the working directory `{}` does not exist", cwd.display()))
        }
        io::ErrorKind::NotFound if program.is_file() => {
            Some("the interpreter that its first line names does not exist".to_owned())
        }
        _ if error.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) => {
            Some("a script needs a first line such as `#!/bin/sh`".to_owned())
        }
        _ => None,
    }
}

/// Feeds the child and listens to it until it ends, or until it has written too much (`None`).
async fn converse(
    child: &mut Child,
    stdin: Option<ChildStdin>,
    payload: Vec<u8>,
    stdout: &mut Capture,
    stderr: &mut Capture,
    pipe_grace: PipeGrace,
) -> io::Result<Option<ExitStatus>> {
    let mut feed = std::pin::pin!(feed(stdin, payload));
    let mut fed = false;
    let status = loop {
        tokio::select! {
            // The end comes first, so that others who write to the pipes cannot put it off.
            biased;
            status = child.wait() => break status?,
            read = stdout.read_to_end(), if !stdout.is_at_end() => {
                read?;
                if stdout.is_over_limit() {
                    return Ok(None);
                }
            }
            read = stderr.read_to_end(), if !stderr.is_at_end() => {
                read?;
                if stderr.is_over_limit() {
                    return Ok(None);
                }
            }
            () = &mut feed, if !fed => fed = true,
        }
    };
    stdout.read_available()?;
    stderr.read_available()?;
    let grace = if stdout.is_empty() { pipe_grace.without_answer } else { pipe_grace.with_answer };
    if !grace.is_zero() {
        let both = async { tokio::try_join!(stdout.read_to_end(), stderr.read_to_end()) };
        if let Ok(read) = tokio::time::timeout(grace, both).await {
            read?;
        }
    }
    let flooded = stdout.is_over_limit() || stderr.is_over_limit();
    Ok((!flooded).then_some(status))
}

/// Writes the payload and closes stdin. A child that does not read it is no failure.
async fn feed(stdin: Option<ChildStdin>, payload: Vec<u8>) {
    if let Some(mut stdin) = stdin {
        let _ = stdin.write_all(&payload).await;
        let _ = stdin.shutdown().await;
    }
}

fn pipe_pair() -> io::Result<(pipe::Receiver, OwnedFd)> {
    let (reader, writer) = io::pipe()?;
    Ok((pipe::Receiver::from_owned_fd(reader.into())?, writer.into()))
}
