//! The process of a hook on systems other than Linux. Such systems have no signal for the death of a parent, so a hook
//! outlives a host that is killed with SIGKILL.

#![allow(
    unsafe_code,
    reason = "no safe function starts a process in a session of its own without the host's descriptors"
)]

use super::command::Command;
use rustix::process::Pid;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::ExitStatus;
use std::{cmp, io};
use tokio::process::Child;

/// The number of descriptors that are marked as close-on-exec, in case the host opened some without `O_CLOEXEC`.
const MAX_CLOSED: u64 = 1 << 16;

/// A process that leads its own session and process group.
#[derive(Debug)]
pub(super) struct Process(Child);

impl Process {
    /// Starts a program with these streams.
    pub(super) fn start(command: &Command, program: &Path, [stdin, stdout, stderr]: [OwnedFd; 3]) -> io::Result<Self> {
        let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current.unwrap_or(MAX_CLOSED);
        let end = i32::try_from(cmp::min(limit, MAX_CLOSED)).unwrap_or(i32::MAX);
        let mut builder = tokio::process::Command::new(program);
        builder
            // The name as it was requested, because programs use this as their own name.
            .arg0(&command.program)
            .args(&command.args)
            .env_clear()
            .envs(command.env.iter().map(|(name, value)| (name, value)))
            .current_dir(&command.cwd)
            .stdin(stdin)
            .stdout(stdout)
            .stderr(stderr);
        let prepare = move || {
            // SAFETY: Both calls are allowed between `fork` and `exec`. On a descriptor that is not open, `fcntl`
            // fails.
            unsafe {
                if libc::setsid() < 0 {
                    return Err(io::Error::last_os_error());
                }
                for descriptor in 3..end {
                    libc::fcntl(descriptor, libc::F_SETFD, libc::FD_CLOEXEC);
                }
            }
            Ok(())
        };
        // SAFETY: `prepare` only makes system calls; it neither allocates nor takes a lock.
        unsafe { builder.pre_exec(prepare) };
        builder.spawn().map(Process)
    }

    /// Returns the process's id, or `None` once the process has been reaped: the id may then be reused for another
    /// process.
    pub(super) fn id(&self) -> Option<Pid> {
        self.0.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw)
    }

    /// Waits for the process to end. This is cancel safe.
    pub(super) async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.0.wait().await
    }
}
