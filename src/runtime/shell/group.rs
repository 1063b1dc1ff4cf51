//! The process group of one call, and the process that leads it.

use super::spawn::Process;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use std::io;
use std::process::ExitStatus;
use std::time::Duration;
use tokio::runtime::Handle;

/// The time between TERM and KILL. It is long enough to remove a lock file, and short enough not to matter to someone
/// who waits for the verdict.
const TERM_GRACE: Duration = Duration::from_millis(100);

/// The process that leads a group. If this is dropped before the process has ended, the process is reaped in the
/// background, so that no zombie remains.
pub(super) struct Leader(Option<Process>);

impl Leader {
    pub(super) const fn new(process: Process) -> Self {
        Leader(Some(process))
    }

    /// Waits for the process to end. This is cancel safe.
    pub(super) async fn wait(&mut self) -> io::Result<ExitStatus> {
        match &mut self.0 {
            Some(process) => process.wait().await,
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn id(&self) -> Option<Pid> {
        self.0.as_ref().and_then(Process::id)
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        // A process without an id has already been reaped.
        if let (Some(mut process), Ok(runtime)) =
            (self.0.take().filter(|process| process.id().is_some()), Handle::try_current())
        {
            runtime.spawn(async move { process.wait().await });
        }
    }
}

/// A process group. When this is dropped, every process of the group is killed, so that an abandoned call leaves
/// nothing behind.
pub(super) struct Group(Option<Pid>);

impl Group {
    /// Returns the group that this process leads.
    pub(super) fn led_by(leader: &Leader) -> Self {
        Group(leader.id())
    }

    /// Asks the group to end, then kills it.
    pub(super) async fn terminate(mut self, leader: &mut Leader) {
        self.signal(Signal::TERM);
        // The leader's end says little about the other processes, so the group gets a KILL in any case.
        let _ = tokio::time::timeout(TERM_GRACE, leader.wait()).await;
        self.signal(Signal::KILL);
        self.0 = None;
        // A process that is stuck in a system call ends only when the call returns; the verdict does not wait for that.
        let _ = tokio::time::timeout(TERM_GRACE, leader.wait()).await;
    }

    /// Forgets the group if it is empty after its leader has ended, because its number may be reused for another group.
    pub(super) fn forget_if_empty(&mut self) {
        if self.0.is_some_and(|group| test_kill_process_group(group).is_err()) {
            self.0 = None;
        }
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self.0 {
            // This fails only if no process is left.
            let _ = kill_process_group(group, signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}
