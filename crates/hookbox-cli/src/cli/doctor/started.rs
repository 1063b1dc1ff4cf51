//! Asks hookbox as agents do.

use hookbox::agent::Reply;
use std::ffi::OsString;
use std::fmt;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// How long a program may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long a program may take to print its version.
const VERSION_PATIENCE: Duration = Duration::from_secs(5);

/// How long to wait for the rest of the output once a program has ended. Usually it is already there.
const OUTPUT_PATIENCE: Duration = Duration::from_secs(2);

/// The maximum number of bytes that are read of the output of a program, or of the answer of a server.
pub(super) const MAX_OUTPUT: usize = 1 << 20;

/// How often to check whether a program has ended.
const POLL: Duration = Duration::from_millis(5);

/// The command or server that a hook invokes, as written in the settings.
pub(in crate::cli) enum Started {
    /// A line for a shell, and that shell with its arguments.
    Line(String, OsString, &'static str),
    /// One of hookbox's own programs, and the shell command line in it.
    Program(PathBuf, String),
    /// The URL of a server that is running.
    Request(String),
}

impl fmt::Display for Started {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Started::Line(line, ..) => f.write_str(line),
            Started::Program(program, _) => program.display().fmt(f),
            Started::Request(url) => f.write_str(url),
        }
    }
}

impl Started {
    /// Returns the command as a line for a shell, or `None` if the hook asks a server.
    pub(super) fn line(&self) -> Option<&str> {
        match self {
            Started::Line(line, ..) | Started::Program(_, line) => Some(line),
            Started::Request(_) => None,
        }
    }

    /// Sends this payload to the command or server, and returns the reply. A command runs in the directory of the
    /// project.
    pub(super) fn with(&self, payload: &str, project: &Path) -> Result<Reply, String> {
        let mut command = match self {
            Started::Line(line, shell, option) => {
                let mut command = Command::new(shell);
                command.arg(option).arg(line);
                command
            }
            Started::Program(program, _) => Command::new(program),
            Started::Request(url) => {
                let mut reply = Reply::silence();
                reply.stdout = post(url, payload)?;
                return Ok(reply);
            }
        };
        command.current_dir(project);
        let (stdout, stderr, status) = run(command, payload, PATIENCE)?;
        let mut reply = Reply::silence();
        reply.stdout = stdout;
        reply.stderr = stderr;
        reply.status = u8::try_from(status.ok_or("it was ended by a signal")?).unwrap_or(u8::MAX);
        Ok(reply)
    }
}

#[cfg(feature = "listen")]
use super::posted::post;

#[cfg(not(feature = "listen"))]
fn post(_: &str, _: &str) -> Result<String, String> {
    Err("this hookbox was built without HTTP, so it cannot ask the server".to_owned())
}

/// Returns what a program prints as its version.
pub(super) fn version(program: &Path) -> Option<String> {
    let mut command = Command::new(program);
    command.arg("--version");
    let (stdout, _, status) = run(command, "", VERSION_PATIENCE).ok()?;
    let line = stdout.lines().find(|line| !line.trim().is_empty()).filter(|_| status == Some(0))?;
    Some(line.trim().chars().take(80).collect())
}

fn run(mut command: Command, stdin: &str, patience: Duration) -> Result<(String, String, Option<i32>), String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("it could not be started: {error}"))?;
    if let Some(mut input) = child.stdin.take() {
        // A failure is ignored, because a program does not have to read its stdin.
        let _ = input.write_all(stdin.as_bytes());
    }
    let (stdout, stderr) = (reader(child.stdout.take()), reader(child.stderr.take()));
    let status = wait(&mut child, patience)?;
    let text = |output: mpsc::Receiver<String>| {
        output
            .recv_timeout(OUTPUT_PATIENCE)
            .map_err(|_| "it ended, but another process keeps its output open".to_owned())
    };
    Ok((text(stdout)?, text(stderr)?, status))
}

fn reader(stream: Option<impl Read + Send + 'static>) -> mpsc::Receiver<String> {
    let (sender, output) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(stream) = stream {
            let _ = stream.take(MAX_OUTPUT as u64).read_to_end(&mut bytes);
        }
        let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    output
}

fn wait(child: &mut Child, patience: Duration) -> Result<Option<i32>, String> {
    let deadline = Instant::now() + patience;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.code()),
            Ok(None) if Instant::now() < deadline => thread::sleep(POLL),
            Ok(None) => {
                let _ = child.kill();
                return Err(format!("it did not end within {patience:?}"));
            }
            Err(error) => return Err(error.to_string()),
        }
    }
}
