//! The process group of one call.

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use std::time::Duration;
use tokio::process::Child;

/// How long a group has between TERM and KILL. Long enough to remove a lock file, short enough not to matter to
/// who waits for the verdict.
const TERM_GRACE: Duration = Duration::from_millis(100);

/// Ends every process of the group when dropped, so that a call that is given up leaves nothing behind.
pub(super) struct Group(Option<Pid>);

impl Group {
    /// The group that `child` leads.
    pub(super) fn led_by(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Group(id.and_then(Pid::from_raw))
    }

    /// Asks the group to end, then makes it.
    pub(super) async fn terminate(mut self, child: &mut Child) {
        self.signal(Signal::TERM);
        // The leader's end says little about the others: they get their KILL in any case.
        let _ = tokio::time::timeout(TERM_GRACE, child.wait()).await;
        self.signal(Signal::KILL);
        self.0 = None;
        // A process that is stuck in the system ends when that lets go of it; the verdict does not wait for it.
        let _ = tokio::time::timeout(TERM_GRACE, child.wait()).await;
    }

    /// Lets go of the group if nobody is left in it, after its leader has ended: its number may come to mean another one.
    pub(super) fn forget_if_empty(&mut self) {
        if self.0.is_some_and(|group| test_kill_process_group(group).is_err()) {
            self.0 = None;
        }
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self.0 {
            // The only failure is that no process is left.
            let _ = kill_process_group(group, signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}
