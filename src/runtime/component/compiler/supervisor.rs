//! The process between an agent's call and the compiler: it outlives the call and stores the result.
//!
//! The supervisor only passes the component on and trusts nothing in it. It has its own session, and none of the
//! agent's streams. Its stderr is the lock that shows that it is running.

use super::super::cache::{Cache, Turn};
use super::super::digest::Digest;
use super::attempt::{CompileError, compile_with};
use super::child::{read_request, reply};
use super::parent::Patience;
use super::program::Program;
use super::task::Task;
use super::wire::{CageGaps, Reply, Said};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::time::Instant;

/// The niceness once no one waits, which gives about a tenth of the CPU share of a process that someone waits for. With
/// less, on a busy machine the time limit would pass before the compilation finished, and the hook would deny for as
/// long as the machine is busy.
const NICE: i32 = 10;

/// Compiles the component on stdin and stores the result.
pub(super) fn serve(args: impl Iterator<Item = OsString>) -> io::Result<()> {
    // Killing the agent's processes must not kill this one.
    rustix::process::setsid()?;
    // It outlives the agent, which may wait for the end of a pipe that it passed on by accident.
    #[cfg(target_os = "linux")]
    super::super::unchecked::close_inherited();
    let (nonce, wasm) = read_request()?;
    let task = Task::read(args, Digest::of(&wasm)).ok_or(io::ErrorKind::InvalidInput)?;
    let cache = Cache::at(task.cache.clone(), task.state.clone());
    let said = compile(&task, &cache, &wasm);
    cache.end_turn(&task.key);
    // Usually no one waits for the reply any more.
    let _ = reply(&nonce, &Reply { fault: cache.fault(), ..Reply::new(said, CageGaps::default()) });
    Ok(())
}

fn compile(task: &Task, cache: &Cache, wasm: &[u8]) -> Said {
    let _only = match task.untrusted.then(|| cache.take_untrusted_turn()) {
        None => None,
        Some(Ok(Turn::Ours(lock))) => Some(lock),
        Some(Ok(Turn::Theirs(_))) => return Said::Busy,
        Some(Err(error)) => return Said::Failed(format!("was not compiled: {error}")),
    };
    let program = match Program::this() {
        Ok(program) => program,
        Err(failure) => return Said::Failed(failure.message),
    };
    let now = Instant::now();
    let patience =
        Patience { deadline: now + task.effort.time, when_slow: (now + task.patience, &make_room), goes_on: false };
    match compile_with(&program, &task.effort, wasm, task.key.metering, &patience) {
        Ok(code) => {
            cache.keep_code(&task.key, &code);
            Said::Code(code)
        }
        Err(CompileError::Refused(failure)) => {
            cache.keep_failure(&task.key, &failure);
            Said::Refused(failure.message)
        }
        Err(CompileError::Failed(failure)) => Said::Failed(failure.message),
    }
}

/// Gives other work priority over this process and the compiler, whose process group this process leads. Called once no
/// one waits.
fn make_room() {
    let _ = rustix::process::setpriority_pgrp(None, NICE);
    // On Linux each session is a separate scheduling group, and priorities only count within a group.
    let _ = fs::write("/proc/self/autogroup", NICE.to_string());
}
