//! The system calls of the guard: one `fork`, and the signal handling of the two processes.

#![allow(
    unsafe_code,
    reason = "no safe function forks a process or installs a handler that runs as soon as a signal comes"
)]

use hookbox::agent::Reply;
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::c_int;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering};
use std::{io, mem, ptr};

/// The exclusive upper bound of signal numbers.
const SIGNALS: c_int = 65;

/// The signals that a process causes by a fault of its own. Returning from their handler would repeat the fault.
const FAULTS: [c_int; 7] =
    [libc::SIGABRT, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGSEGV, libc::SIGSYS, libc::SIGTRAP];

/// The signals that get no handler: those whose default does not end a process, SIGKILL, which cannot be handled, and
/// two that Rust programs and this one ignore.
const HARMLESS: [c_int; 11] = [
    libc::SIGCHLD,
    libc::SIGCONT,
    libc::SIGSTOP,
    libc::SIGTSTP,
    libc::SIGTTIN,
    libc::SIGTTOU,
    libc::SIGURG,
    libc::SIGWINCH,
    libc::SIGKILL,
    libc::SIGPIPE,
    libc::SIGXFSZ,
];

/// The worker's process ID, once it runs.
static WORKER: AtomicI32 = AtomicI32::new(0);

/// The reply that the handler of a fault writes before it ends the guard.
static LAST_REPLY: OnceLock<Reply> = OnceLock::new();

/// The two processes after the split.
pub(super) enum Side {
    Guard(Pid),
    Worker,
}

/// Ignores SIGXFSZ, so that a write beyond the limit of the file size fails with an error, which can be handled. By
/// default, the signal ends the process.
pub(in crate::cli) fn ignore_file_size_signal() {
    // SAFETY: No code runs for an ignored signal.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

/// Restores the default of SIGCHLD. If the program that started this one ignores the signal, this one does, too. The
/// system would then drop the exit status of every hook and compiler, so that none of their answers would count.
pub(in crate::cli) fn keep_exit_statuses() {
    // SAFETY: No code runs for this signal by default.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
}

/// The signals that were blocked before [`hold_signals`].
static BEFORE: OnceLock<libc::sigset_t> = OnceLock::new();

/// Blocks signals: one that arrives before there is a guard would end the process without a reply.
pub(in crate::cli) fn hold_signals() {
    // SAFETY: Both sets are variables of this function, and a blocked signal runs no code.
    let before = unsafe {
        let (mut all, mut before) = (mem::zeroed(), mem::zeroed());
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
        before
    };
    let _ = BEFORE.set(before);
}

/// Restores the signal mask from before [`hold_signals`].
pub(in crate::cli) fn release_signals() {
    let Some(before) = BEFORE.get() else { return };
    // SAFETY: The set is never changed, and the unblocked signals act as they always do.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before, ptr::null_mut()) };
}

/// Splits the process in two and releases the signals. If the split fails, the signals stay blocked, because this
/// process has to reply first. The guard passes signals on to the worker, and the worker ends with the guard.
///
/// # Errors
/// Returns an error if the system allows no further process.
pub(super) fn split(last_reply: Reply) -> io::Result<Side> {
    let _ = LAST_REPLY.set(last_reply);
    let guard = rustix::process::getpid();
    // SAFETY: `main` calls this before it starts a thread, so the child may go on as any program does. The blocked
    // signals arrive only when the guard can pass them on.
    let side = unsafe {
        let forked = libc::fork();
        let error = io::Error::last_os_error();
        let side = match forked {
            0 => Ok(Side::Worker),
            // A negative number is not a process ID.
            forked => Some(forked).filter(|forked| *forked > 0).and_then(Pid::from_raw).map(Side::Guard).ok_or(error),
        };
        match &side {
            Ok(Side::Worker) => end_with(guard),
            Ok(Side::Guard(worker)) => {
                WORKER.store(worker.as_raw_nonzero().get(), Ordering::SeqCst);
                handle_signals();
            }
            Err(_) => {}
        }
        side
    };
    if side.is_ok() {
        release_signals();
    }
    side
}

/// Tells the system to kill this process when the guard ends, if the system can do that.
fn end_with(guard: Pid) {
    #[cfg(target_os = "linux")]
    {
        let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
        // If the guard has already ended, no signal will arrive.
        if rustix::process::getppid() != Some(guard) {
            // SAFETY: This call ends the process. Nothing is lost that would have to be flushed: the guard and its copy
            // are gone.
            unsafe { libc::_exit(2) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = guard;
}

/// Installs the guard's handlers: it passes signals on to the worker, except those of its own faults.
///
/// # Safety
/// The process must have no other thread.
unsafe fn handle_signals() {
    for signal in (1..SIGNALS).filter(|signal| !HARMLESS.contains(signal)) {
        let handler: extern "C" fn(c_int) = if FAULTS.contains(&signal) { on_fault } else { pass_on };
        // SAFETY: Both handlers only read atomics and make system calls, as handlers may. Signals that do not exist,
        // and those of the C library, are refused.
        unsafe {
            let mut action: libc::sigaction = mem::zeroed();
            action.sa_sigaction = handler as *const () as libc::sighandler_t;
            action.sa_flags = libc::SA_RESTART;
            libc::sigaction(signal, &raw const action, ptr::null_mut());
        }
    }
}

extern "C" fn pass_on(signal: c_int) {
    let worker = Pid::from_raw(WORKER.load(Ordering::SeqCst));
    let (Some(worker), Some(signal)) = (worker, Signal::from_named_raw(signal)) else { return };
    let _ = kill_process(worker, signal);
}

/// Writes the last reply and ends the guard. The worker may be fine, but only its guard could pass on its answer.
extern "C" fn on_fault(_: c_int) {
    let status = LAST_REPLY.get().map_or(2, |Reply { stdout, stderr, status, .. }| {
        // SAFETY: Each pointer and length come from a slice that is never freed.
        unsafe {
            libc::write(1, stdout.as_ptr().cast(), stdout.len());
            libc::write(2, stderr.as_ptr().cast(), stderr.len());
        }
        *status
    });
    // SAFETY: This call ends the process without running any of its code.
    unsafe { libc::_exit(c_int::from(status)) };
}
