//! The instructions for a process that compiles in the background.

use super::super::cache::CodeKey;
use super::super::engines::Metering;
use super::program::Program;
use super::{Effort, FUEL, SUPERVISE};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
#[cfg(feature = "compiler")]
use {super::super::digest::Digest, std::ffi::OsString};

/// The instructions for a supervisor.
pub(super) struct Task {
    pub(super) effort: Effort,
    /// The time that the supervisor's parent waits. After that, the supervisor lowers its priority.
    pub(super) patience: Duration,
    pub(super) untrusted: bool,
    pub(super) key: CodeKey,
    pub(super) cache: PathBuf,
    pub(super) state: PathBuf,
}

const TRUSTED: &str = "trusted";
const UNTRUSTED: &str = "untrusted";
const PLAIN: &str = "plain";

impl Task {
    /// Creates the command that starts a supervisor.
    pub(super) fn command(&self, program: &Program) -> Command {
        let mut command = program.command(SUPERVISE);
        command
            .args([self.effort.time.as_millis().to_string(), self.effort.memory_bytes.to_string()])
            .arg(self.patience.as_millis().to_string())
            .arg(if self.untrusted { UNTRUSTED } else { TRUSTED })
            .arg(if self.key.metering == Metering::Fuel { FUEL } else { PLAIN })
            .arg(self.key.component.to_string())
            .args([&self.cache, &self.state]);
        command
    }

    /// Reads the arguments that [`command`](Task::command) wrote, for a component with this digest.
    #[cfg(feature = "compiler")]
    pub(super) fn read(mut args: impl Iterator<Item = OsString>, component: Digest) -> Option<Self> {
        let mut number = || args.next()?.to_str()?.parse::<u64>().ok();
        let (time, memory_bytes, patience) = (number()?, number()?, number()?);
        let untrusted = args.next()? != TRUSTED;
        let metering = if args.next()? == FUEL { Metering::Fuel } else { Metering::None };
        // If the parent was killed while it sent the component, only a part has arrived.
        let is_whole = args.next()? == component.to_string().as_str();
        let (cache, state) = (args.next()?.into(), args.next()?.into());
        let effort = Effort { time: Duration::from_millis(time), memory_bytes, retry: true };
        let key = CodeKey { component, metering };
        is_whole.then(|| Task { effort, patience: Duration::from_millis(patience), untrusted, key, cache, state })
    }
}
