//! The side of the process that wants something compiled.

use super::super::engines::Metering;
use super::super::unchecked::NativeCode;
use super::{COMPILE, CompileError, Effort, FUEL, REFUSED};
use crate::protocol::{Code, Failure, os_words};
use bytesize::ByteSize;
use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// When whoever waits should be told why.
const SLOW: Duration = Duration::from_secs(1);

/// The most machine code that is taken, in bytes. It is at most a few times as large as the component.
const MAX_CODE_BYTES: u64 = 256 << 20;

/// How long a compiler may take to end once it has closed its output.
const ENDING: Duration = Duration::from_secs(1);

/// Compiles in a process of its own.
pub(super) fn compile(
    program: &Path,
    effort: &Effort,
    wasm: &[u8],
    metering: Metering,
    on_slow: &dyn Fn(),
) -> Result<NativeCode, CompileError> {
    let mut child = start(program, effort, metering).map_err(|error| {
        let (program, why) = (program.display(), os_words(&error));
        CompileError::Unavailable(Failure::new(
            Code::Compile,
            format!("was not compiled: the compiler `{program}` could not be started ({why})"),
        ))
    })?;
    let deadline = Instant::now() + effort.time;
    let ended = thread::scope(|scope| {
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        // A compiler that ends early leaves the rest unread; why it ended is what counts.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(wasm)));
        let (send, out) = channel();
        scope.spawn(move || {
            let mut bytes = Vec::new();
            let read = stdout.map(|stdout| stdout.take(MAX_CODE_BYTES + 1).read_to_end(&mut bytes));
            let _ = send.send(match read {
                Some(Ok(_)) => Ok(bytes),
                Some(Err(error)) => Err(error),
                None => Err(io::ErrorKind::BrokenPipe.into()),
            });
        });
        let ended = watch(&mut child, &out, deadline, on_slow);
        // Lets the threads come to their end, and leaves no zombie.
        let _ = child.kill();
        let _ = child.wait();
        ended
    });
    let refused = |message: String| CompileError::Refused(Failure::new(Code::Compile, message));
    let hint = if effort.retry { "" } else { "; `hookbox check` compiles it with more time and memory" };
    match ended {
        Ok((_, out)) if out.len() as u64 > MAX_CODE_BYTES => {
            Err(refused(format!("was not compiled: it comes to more than {} of code", ByteSize(MAX_CODE_BYTES))))
        }
        Ok((status, out)) if status.success() => Ok(NativeCode::compiled(out)),
        Ok((status, out)) if status.code() == Some(REFUSED) => Err(refused(String::from_utf8_lossy(&out).into_owned())),
        Ok((status, _)) => Err(refused(format!("was not compiled: {}{hint}", spell(status, effort)))),
        Err(Unfinished::Overdue) => {
            let time = humantime::format_duration(effort.time);
            let message = format!("was not compiled: it took more than {time}{hint}");
            Err(CompileError::Overdue(Failure::new(Code::Compile, message)))
        }
        Err(Unfinished::Lost(error)) => {
            let message = format!("was not compiled: the compiler was lost: {}", os_words(&error));
            Err(CompileError::Unavailable(Failure::new(Code::Compile, message)))
        }
    }
}

fn start(program: &Path, effort: &Effort, metering: Metering) -> io::Result<Child> {
    Command::new(program)
        .arg(COMPILE)
        .args([effort.time.as_secs().max(1).to_string(), effort.memory_bytes.to_string()])
        .args((metering == Metering::Fuel).then_some(FUEL))
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
}

/// How a compiler did not come to an end of its own.
enum Unfinished {
    Overdue,
    Lost(io::Error),
}

/// Waits for the output and the end of the compiler.
fn watch(
    child: &mut Child,
    out: &Receiver<io::Result<Vec<u8>>>,
    deadline: Instant,
    on_slow: &dyn Fn(),
) -> Result<(ExitStatus, Vec<u8>), Unfinished> {
    let left = || deadline.saturating_duration_since(Instant::now());
    let received = match out.recv_timeout(left().min(SLOW)) {
        Err(RecvTimeoutError::Timeout) if !left().is_zero() => {
            on_slow();
            out.recv_timeout(left())
        }
        other => other,
    };
    let out = match received {
        Ok(Ok(out)) => out,
        Ok(Err(error)) => return Err(Unfinished::Lost(error)),
        Err(_) => return Err(Unfinished::Overdue),
    };
    let closed = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok((status, out)),
            Ok(None) if closed.elapsed() < ENDING => thread::sleep(Duration::from_micros(200)),
            Ok(None) => return Err(Unfinished::Overdue),
            Err(error) => return Err(Unfinished::Lost(error)),
        }
    }
}

/// Why a compiler ended that said nothing.
fn spell(status: ExitStatus, effort: &Effort) -> String {
    use rustix::process::Signal;
    let is = |signal: Signal| status.signal() == Some(signal.as_raw());
    if is(Signal::ABORT) {
        // The only thing that makes it give up by itself.
        format!("it took more than {} of memory", ByteSize(effort.memory_bytes))
    } else if is(Signal::XCPU) || is(Signal::KILL) {
        "the compiler was stopped, since it took too much".to_owned()
    } else {
        format!("the compiler crashed ({status})")
    }
}
