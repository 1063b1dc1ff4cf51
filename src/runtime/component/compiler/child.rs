//! The compiling process.

use super::super::engines::Metering;
use super::attempt::CompileError;
use super::parent::MAX_CODE_BYTES;
use super::wire::{Nonce, Reply, Said};
use super::{COMPILE, FUEL, SUPERVISE, cage, cranelift, supervisor};
use bytesize::ByteSize;
use std::env;
use std::io::{self, Read, Write};
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};

static READY: AtomicBool = AtomicBool::new(false);

/// Returns whether this program becomes the compiler when asked to.
pub(super) fn is_ready() -> bool {
    READY.load(Ordering::Relaxed)
}

/// If the process was started as the compiler, becomes it and never returns.
///
/// A program that uses [`Compiler::this_program`](super::Compiler::this_program) must call this at the start of its
/// `main`, before it opens, reads or prints anything, since the compiler gets bytes that no one has vouched for.
pub fn serve_if_asked() {
    let mut args = env::args_os().skip(1);
    let mode = args.next();
    if mode.as_deref().is_some_and(|mode| mode == COMPILE) {
        let mut limit = || args.next()?.to_str()?.parse().ok();
        let (Some(seconds), Some(bytes)) = (limit(), limit()) else { exit(1) };
        let metering = if args.next().is_some_and(|arg| arg == FUEL) { Metering::Fuel } else { Metering::None };
        exit(i32::from(serve(seconds, bytes, metering).is_err()));
    }
    if mode.is_some_and(|mode| mode == SUPERVISE) {
        exit(i32::from(supervisor::serve(args).is_err()));
    }
    READY.store(true, Ordering::Relaxed);
}

fn serve(seconds: u64, bytes: u64, metering: Metering) -> io::Result<()> {
    let gaps = cage::enter(seconds)?;
    let (nonce, wasm) = read_request()?;
    let gaps = cage::shut(gaps, bytes)?;
    reply(&nonce, &Reply::new(compile(&wasm, metering), gaps))
}

fn compile(wasm: &[u8], metering: Metering) -> Said {
    match cranelift::compile(wasm, metering) {
        Ok(code) if code.len() as u64 > MAX_CODE_BYTES => {
            Said::Refused(format!("was not compiled: it comes to more than {} of code", ByteSize(MAX_CODE_BYTES)))
        }
        Ok(code) => Said::Code(code),
        Err(CompileError::Refused(failure)) => Said::Refused(failure.message),
        Err(CompileError::Failed(failure)) => Said::Failed(failure.message),
    }
}

/// Reads a parent's request.
pub(super) fn read_request() -> io::Result<(Nonce, Vec<u8>)> {
    let mut stdin = io::stdin().lock();
    let (mut nonce, mut wasm) = (Nonce::default(), Vec::new());
    stdin.read_exact(&mut nonce)?;
    stdin.read_to_end(&mut wasm)?;
    Ok((nonce, wasm))
}

pub(super) fn reply(nonce: &Nonce, reply: &Reply) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(&reply.to_bytes(nonce))?;
    stdout.flush()
}
