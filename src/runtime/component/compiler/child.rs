//! The side of the process that compiles.

use super::super::engines::Metering;
use super::{COMPILE, FUEL, REFUSED, cranelift};
use rustix::process::{Resource, Rlimit, setrlimit};
use std::env;
use std::io::{self, Read, Write};
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many threads compile. Each has memory set apart for it, so that those of a large machine would take all that
/// the limit allows.
const THREADS: usize = 4;

static READY: AtomicBool = AtomicBool::new(false);

/// Whether this program would become the compiler if it were asked to.
pub(super) fn is_ready() -> bool {
    READY.load(Ordering::Relaxed)
}

/// Turns the process into the compiler if it was started as one, and then does not return. A program that uses
/// [`Compiler::this_program`](super::Compiler::this_program) must call it at the start of its `main`, before it has read
/// anything, since it is given bytes that nobody has vouched for.
pub fn serve_if_asked() {
    let mut args = env::args_os().skip(1);
    if args.next().is_some_and(|arg| arg == COMPILE) {
        let mut limit = || args.next()?.to_str()?.parse().ok();
        let (Some(seconds), Some(bytes)) = (limit(), limit()) else { exit(1) };
        let metering = if args.next().is_some_and(|arg| arg == FUEL) { Metering::Fuel } else { Metering::None };
        exit(serve(seconds, bytes, metering).unwrap_or(1));
    }
    READY.store(true, Ordering::Relaxed);
}

fn serve(seconds: u64, bytes: u64, metering: Metering) -> io::Result<i32> {
    confine(seconds, bytes)?;
    rayon::ThreadPoolBuilder::new().num_threads(THREADS).build_global().map_err(io::Error::other)?;
    let mut wasm = Vec::new();
    io::stdin().lock().read_to_end(&mut wasm)?;
    let (status, out) = match cranelift::compile(&wasm, metering) {
        Ok(code) => (0, code),
        Err(failure) => (REFUSED, failure.message.into_bytes()),
    };
    let mut stdout = io::stdout().lock();
    stdout.write_all(&out)?;
    stdout.flush()?;
    Ok(status)
}

/// Takes from the process what compiling does not need.
#[cfg_attr(
    not(target_os = "linux"),
    allow(unused_variables, reason = "elsewhere the system does not hold to that limit")
)]
fn confine(seconds: u64, bytes: u64) -> io::Result<()> {
    let limit = |resource, most| setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
    limit(Resource::Core, 0)?;
    // Without it a file could be made, if the compiler were made to do what it should not.
    limit(Resource::Fsize, 0)?;
    limit(Resource::Cpu, seconds.saturating_mul(THREADS as u64))?;
    // Elsewhere the system takes no heed of it.
    #[cfg(target_os = "linux")]
    {
        limit(Resource::As, bytes)?;
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    }
    Ok(())
}
