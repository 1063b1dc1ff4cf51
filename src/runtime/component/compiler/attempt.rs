//! One run of the compiler, and the interpretation of its end.

use super::super::engines::Metering;
use super::parent::{Lost, MAX_CODE_BYTES, Patience, converse};
use super::program::{Program, not_started};
use super::task::Task;
use super::wire::{CageGaps, Reply, Said};
use super::{COMPILE, Effort, FUEL};
use crate::protocol::{Code, Failure, os_words};
use bytesize::ByteSize;
use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// The reason why there is no machine code.
#[derive(Debug)]
pub(in super::super) enum CompileError {
    /// The component is refused; this version of hookbox would refuse it again.
    Refused(Failure),
    /// There is no code this time: time or memory ran out, the compiler crashed, or there is no compiler.
    Failed(Failure),
}

impl CompileError {
    pub(super) fn failed(message: impl Into<String>) -> Self {
        CompileError::Failed(Failure::new(Code::Compile, message))
    }

    pub(in super::super) fn into_failure(self) -> Failure {
        match self {
            CompileError::Refused(failure) | CompileError::Failed(failure) => failure,
        }
    }
}

/// Compiles in a process that ends when this function returns.
pub(super) fn compile_with(
    program: &Program,
    effort: &Effort,
    wasm: &[u8],
    metering: Metering,
    patience: &Patience<'_>,
) -> Result<Vec<u8>, CompileError> {
    match direct(program, effort, wasm, metering, patience) {
        Ok(Reply { said: Said::Code(code), .. }) => Ok(code),
        Ok(Reply { said: Said::Refused(why), .. }) => Err(CompileError::Refused(Failure::new(Code::Compile, why))),
        Ok(Reply { said: Said::Failed(why), .. }) => Err(CompileError::failed(why)),
        Ok(Reply { said: Said::Busy, .. }) => Err(lost(&Lost::Foreign, program, effort)),
        Err(error) => Err(lost(&error, program, effort)),
    }
}

/// Returns what the compiler's cage lacks on this system, or `None` if that cannot be determined.
pub(super) fn cage_gaps(program: &Program, effort: &Effort, patience: &Patience<'_>) -> Option<CageGaps> {
    // The compiler enters the cage before it looks at its input.
    direct(program, effort, &[], Metering::None, patience).ok().map(|reply| reply.gaps)
}

fn direct(
    program: &Program,
    effort: &Effort,
    wasm: &[u8],
    metering: Metering,
    patience: &Patience<'_>,
) -> Result<Reply, Lost> {
    let mut command = program.command(COMPILE);
    command
        .args([effort.time.as_secs().max(1).to_string(), effort.memory_bytes.to_string()])
        .args((metering == Metering::Fuel).then_some(FUEL));
    converse(command, wasm, patience)
}

/// The result of a supervisor within its parent's patience.
pub(super) enum Supervised {
    Code(Vec<u8>),
    /// The supervisor is still compiling.
    Overdue,
    /// Another supervisor is compiling an untrusted component, and there may be only one.
    Busy,
}

/// Compiles in a process that continues after this one stops waiting. That process holds `lock` until it ends. The
/// second value is a fault of the cache.
pub(super) fn compile_in_background(
    program: &Program,
    task: &Task,
    wasm: &[u8],
    lock: File,
    patience: &Patience<'_>,
) -> (Result<Supervised, CompileError>, Option<String>) {
    let mut command = task.command(program);
    command.stderr(lock);
    match converse(command, wasm, patience) {
        Ok(Reply { said, fault, .. }) => {
            let made = match said {
                Said::Code(code) => Ok(Supervised::Code(code)),
                Said::Busy => Ok(Supervised::Busy),
                Said::Refused(why) => Err(CompileError::Refused(Failure::new(Code::Compile, why))),
                Said::Failed(why) => Err(CompileError::failed(why)),
            };
            (made, fault)
        }
        Err(Lost::Overdue) => (Ok(Supervised::Overdue), None),
        Err(error) => (Err(lost(&error, program, &task.effort)), None),
    }
}

fn lost(lost: &Lost, program: &Program, effort: &Effort) -> CompileError {
    let hint = if effort.retry { "" } else { "; `hookbox check` compiles it with more time and memory" };
    let why = match lost {
        Lost::NotStarted(error) => {
            return CompileError::Failed(not_started(&program.path, &os_words(error)));
        }
        Lost::Overdue => format!("it took more than {}{hint}", humantime::format_duration(effort.time)),
        Lost::Ended(status) => format!("{}{hint}", spell(*status, effort)),
        Lost::TooMuch => format!("it comes to more than {} of code", ByteSize(MAX_CODE_BYTES)),
        Lost::Foreign => {
            format!("what `{}` printed is not the reply of a compiler of this version", program.path.display())
        }
        Lost::Pipe(error) => format!("the compiler was lost: {}", os_words(error)),
    };
    CompileError::failed(format!("was not compiled: {why}"))
}

/// Describes why a compiler ended without a reply.
fn spell(status: ExitStatus, effort: &Effort) -> String {
    use rustix::process::Signal;
    let is = |signal: Signal| status.signal() == Some(signal.as_raw());
    if is(Signal::ABORT) {
        // The compiler aborts only if it runs out of memory.
        format!("it took more than {} of memory", ByteSize(effort.memory_bytes))
    } else if is(Signal::XCPU) || is(Signal::KILL) {
        "the compiler was stopped, since it took too much".to_owned()
    } else if is(Signal::SYS) {
        "the compiler tried what its cage forbids, and was stopped".to_owned()
    } else {
        format!("the compiler crashed ({status})")
    }
}
