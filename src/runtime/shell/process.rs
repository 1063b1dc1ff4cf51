//! The execution of a command as a process: starts the process, writes its input, reads its output, and ends it in
//! time.

use super::call::{Call, End, PipeGrace, Spawner};
use super::capture::Capture;
use super::group::{Group, Leader};
use super::spawn::Process;
use crate::runtime::CallerLeft;
use async_trait::async_trait;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::unix::pipe;

/// The spawner that runs each command as a process with its own session and process group.
#[derive(Clone, Copy, Debug, Default)]
pub struct Processes;

#[async_trait]
impl Spawner for Processes {
    async fn run(&self, call: Call<'_>) -> End {
        let command = call.command;
        let program = match command.resolve() {
            Ok(program) => program,
            Err(error) => {
                let given = command.program.clone();
                let has_space = given.as_encoded_bytes().contains(&b' ');
                let hint = has_space.then(|| "arguments go into `args`".to_owned());
                let cwd = command.cwd.clone();
                return End::Broken { program: given.clone().into(), given, cwd, error, hint };
            }
        };
        let (stdout, stderr) = (Vec::new(), Vec::new());
        // A command with a time limit of zero could end before the limit is noticed, so it is not started.
        let has_no_time = call.limit == Some(Duration::ZERO);
        match call.caller.has_left().or(has_no_time.then_some(CallerLeft::Deadline)) {
            Some(CallerLeft::Cancelled) => return End::Cancelled { started: false, stdout, stderr },
            Some(CallerLeft::Deadline) => {
                let limit = call.limit.unwrap_or_default();
                return End::TimedOut { limit, stdout, stderr, truncated: false };
            }
            None => {}
        }
        match run(call, &program).await {
            Ok(end) => end,
            Err(error) => {
                let hint = hint(&error, &program, &command.cwd);
                End::Broken { given: command.program.clone(), program, cwd: command.cwd.clone(), error, hint }
            }
        }
    }
}

async fn run(call: Call<'_>, program: &Path) -> io::Result<End> {
    let Call { command, payload, bounds, limit, caller } = call;
    let (stdout_reader, stdout_writer) = pipe_pair()?;
    let (stderr_reader, stderr_writer) = pipe_pair()?;
    let (stdin_reader, stdin_writer) = io::pipe()?;
    // Only the hook may hold its ends of the pipes; otherwise it would go unnoticed when the hook closes them.
    let streams = [stdin_reader.into(), stdout_writer, stderr_writer];
    let mut leader = Leader::new(Process::start(command, program, streams)?);
    let mut group = Group::led_by(&leader);
    let stdin = pipe::Sender::from_owned_fd(stdin_writer.into())?;
    let mut stdout = Capture::new(stdout_reader, bounds.stdout, bounds.overflow);
    let mut stderr = Capture::new(stderr_reader, bounds.stderr, bounds.overflow);

    let ended = {
        let call = converse(&mut leader, &mut group, stdin, payload, [&mut stdout, &mut stderr], bounds.pipe_grace);
        let in_time = async {
            match limit {
                Some(limit) => tokio::time::timeout(limit, call).await.map_err(|_| CallerLeft::Deadline),
                None => Ok(call.await),
            }
        };
        tokio::select! {
            biased;
            ended = in_time => ended,
            gone = caller.left() => Err(gone),
        }
    };
    let status = match ended {
        Ok(Ok(Some(status))) => status,
        Ok(Ok(None)) => {
            group.terminate(&mut leader).await;
            return Ok(if stdout.is_over_limit() {
                End::Flooded("stdout", bounds.stdout)
            } else {
                End::Flooded("stderr", bounds.stderr)
            });
        }
        Ok(Err(error)) => return Err(error),
        Err(gone) => {
            group.terminate(&mut leader).await;
            // The output so far may explain why the command did not end in time.
            stdout.read_available()?;
            stderr.read_available()?;
            let truncated = stdout.is_truncated() || stderr.is_truncated();
            let (stdout, stderr) = (stdout.into_bytes(), stderr.into_bytes());
            return Ok(match gone {
                CallerLeft::Deadline => {
                    let limit = limit.unwrap_or_default();
                    End::TimedOut { limit, stdout, stderr, truncated }
                }
                CallerLeft::Cancelled => End::Cancelled { started: true, stdout, stderr },
            });
        }
    };
    Ok(End::Ended {
        status,
        stdout_held: !stdout.is_at_end(),
        stderr_held: !stderr.is_at_end(),
        truncated: stdout.is_truncated() || stderr.is_truncated(),
        stdout: stdout.into_bytes(),
        stderr: stderr.into_bytes(),
    })
}

/// Returns what to do about a program that could not be started, if the system's error alone would mislead.
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

/// Writes the payload to the process and reads its output until it ends. Returns `None` if the process has written too
/// much.
async fn converse(
    leader: &mut Leader,
    group: &mut Group,
    stdin: pipe::Sender,
    payload: Vec<u8>,
    [stdout, stderr]: [&mut Capture; 2],
    pipe_grace: PipeGrace,
) -> io::Result<Option<ExitStatus>> {
    let mut feed = std::pin::pin!(feed(stdin, payload));
    let mut fed = false;
    let status = loop {
        tokio::select! {
            // The end of the process is checked first, so that other processes that write to the pipes cannot delay it.
            biased;
            status = leader.wait() => break status?,
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
    group.forget_if_empty();
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

/// Writes the payload and closes stdin. It is not a failure if the child does not read it.
async fn feed(mut stdin: pipe::Sender, payload: Vec<u8>) {
    let _ = stdin.write_all(&payload).await;
}

fn pipe_pair() -> io::Result<(pipe::Receiver, OwnedFd)> {
    let (reader, writer) = io::pipe()?;
    Ok((pipe::Receiver::from_owned_fd(reader.into())?, writer.into()))
}
