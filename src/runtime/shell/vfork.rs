//! Starts a process like `posix_spawn`, with additional steps that `posix_spawn` cannot express.
//!
//! A hook must die with hookbox even if hookbox is killed with SIGKILL, and only the new process itself can ask the
//! system for that, after it starts and before it executes its program. The standard library's way to run such a step
//! (`pre_exec`) makes it copy the host's page tables with `fork`: a call of `sh -c true` then takes 1.2 times as long
//! with little memory in use, 3.6 times with 100 MiB, and 9 times with 300 MiB. Here the new process borrows the host's
//! memory until it executes its program, so the steps add no cost regardless of the host's size.

#![allow(unsafe_code, reason = "no safe function starts a process that takes steps of its own before its program")]

use rustix::process::{Pid, WaitOptions, getpid, waitpid};
use std::ffi::{CString, c_char, c_int, c_void};
use std::os::fd::{AsRawFd, OwnedFd};
use std::{io, mem, ptr};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// The program to start, with its arguments and surroundings. The streams' descriptors must be above 2.
pub(super) struct Image {
    pub(super) program: CString,
    pub(super) args: Vec<CString>,
    pub(super) env: Vec<CString>,
    pub(super) cwd: CString,
    pub(super) streams: [OwnedFd; 3],
}

/// The size of the new process's stack until it executes its program. The process only makes a few system calls on it.
const STACK_BYTES: usize = 64 << 10;

/// The upper bound of signal numbers, exclusive.
const SIGNALS: c_int = 65;

/// The number of descriptors that are closed one by one if the kernel cannot close them all in one call (before Linux
/// 5.9).
const MAX_CLOSED: u64 = 1 << 16;

/// An [`Image`] in the form that the system needs. It is built before the start because the new process must not
/// allocate.
struct Plan {
    program: *const c_char,
    args: *const *const c_char,
    env: *const *const c_char,
    cwd: *const c_char,
    streams: [c_int; 3],
    parent: c_int,
    /// The end of the range of descriptors to close, if each is closed individually.
    end: c_int,
    /// The error number, or 0 if no error occurred.
    error: c_int,
}

/// Starts a process in its own session, without descriptors above 2, and with no signal blocked or handled. The process
/// is killed when the calling *thread* ends.
pub(super) fn start(image: &Image) -> io::Result<Pid> {
    let pointers =
        |texts: &[CString]| texts.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect::<Vec<*const c_char>>();
    let (args, env) = (pointers(&image.args), pointers(&image.env));
    let descriptors = rustix::process::getrlimit(rustix::process::Resource::Nofile).current.unwrap_or(MAX_CLOSED);
    let mut plan = Plan {
        program: image.program.as_ptr(),
        args: args.as_ptr(),
        env: env.as_ptr(),
        cwd: image.cwd.as_ptr(),
        streams: image.streams.each_ref().map(AsRawFd::as_raw_fd),
        parent: getpid().as_raw_nonzero().get(),
        end: c_int::try_from(descriptors.min(MAX_CLOSED)).unwrap_or(c_int::MAX),
        error: 0,
    };
    let mut stack: Vec<u128> = Vec::with_capacity(STACK_BYTES / size_of::<u128>());
    let top = stack.as_mut_ptr().wrapping_add(stack.capacity());
    // SAFETY: The new process runs `prepare` on its own stack, in this process's memory. Until the new process executes
    // another program or ends, this thread does not continue (`CLONE_VFORK`), so everything that `plan` points to stays
    // valid and nothing else accesses it. None of the host's signal handlers run in the new process: all signals are
    // blocked until it has dropped the handlers.
    let (started, error) = unsafe {
        let (mut all, mut before) = (mem::zeroed(), mem::zeroed());
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
        let started = libc::clone(prepare, top.cast(), flags, (&raw mut plan).cast());
        let error = io::Error::last_os_error();
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, ptr::null_mut());
        (started, error)
    };
    let process = Some(started).filter(|id| *id > 0).and_then(Pid::from_raw).ok_or(error)?;
    if plan.error != 0 {
        // The new process has already ended. Reap it.
        let _ = rustix::io::retry_on_intr(|| waitpid(Some(process), WaitOptions::empty()));
        return Err(io::Error::from_raw_os_error(plan.error));
    }
    Ok(process)
}

/// Registers a process's descriptor, so a task can wait until it is readable.
pub(super) fn watch(descriptor: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
    // SAFETY: An `OwnedFd` stays open until it is dropped, which the `AsyncFd` does, and its number does not change.
    unsafe { Ok(AsyncFd::register_with_interest(descriptor, Interest::READABLE)?) }
}

/// Prepares the new process and executes its program. This may only make system calls: a lock of the host may be held,
/// and would never be released here.
extern "C" fn prepare(plan: *mut c_void) -> c_int {
    let plan = plan.cast::<Plan>();
    // SAFETY: See `start`. Each call is allowed between `vfork` and `exec`.
    unsafe {
        drop_signal_handlers();
        libc::setsid();
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        // If the host has already ended, the signal would never be sent.
        if libc::getppid() != (*plan).parent {
            libc::_exit(127);
        }
        for (number, stream) in (0..).zip((*plan).streams) {
            if libc::dup2(stream, number) < 0 {
                return fail(plan);
            }
        }
        close_beyond_streams((*plan).end);
        if libc::chdir((*plan).cwd) < 0 {
            return fail(plan);
        }
        let mut none = mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut());
        libc::execve((*plan).program, (*plan).args, (*plan).env);
        fail(plan)
    }
}

/// Reports the last error to the host, and exits.
///
/// # Safety
/// Same as for [`prepare`].
unsafe fn fail(plan: *mut Plan) -> c_int {
    // SAFETY: The host waits, and reads `plan` only after this process has ended.
    unsafe {
        (*plan).error = io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO);
        libc::_exit(127)
    }
}

/// Resets signals to the default: every signal that has a handler, since the handler is the host's; and SIGPIPE, which
/// Rust programs ignore, and SIGXFSZ, which `hookbox` ignores, since a new program would keep ignoring them.
///
/// # Safety
/// Same as for [`prepare`].
unsafe fn drop_signal_handlers() {
    for signal in 1..SIGNALS {
        // SAFETY: The table of handlers belongs to this process alone; calls fail for signals that do not exist.
        unsafe {
            let mut action: libc::sigaction = mem::zeroed();
            let is_known = libc::sigaction(signal, ptr::null(), &raw mut action) == 0;
            let is_kept = match action.sa_sigaction {
                libc::SIG_DFL => true,
                libc::SIG_IGN => signal != libc::SIGPIPE && signal != libc::SIGXFSZ,
                _ => false,
            };
            if is_known && !is_kept {
                action = mem::zeroed();
                libc::sigaction(signal, &raw const action, ptr::null_mut());
            }
        }
    }
}

/// Closes the descriptors that a library of the host opened without `O_CLOEXEC`.
///
/// # Safety
/// Same as for [`prepare`].
unsafe fn close_beyond_streams(end: c_int) {
    // SAFETY: The table of descriptors belongs to this process alone.
    unsafe {
        if libc::syscall(libc::SYS_close_range, 3, c_int::MAX, 0) != 0 {
            for descriptor in 3..end {
                libc::close(descriptor);
            }
        }
    }
}
