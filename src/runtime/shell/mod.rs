//! Hooks that are external commands: JSON on stdin, JSON on stdout.
//!
//! A shell hook runs with the user's rights. hookbox makes sure that the hook cannot hang, flood its output, or leave
//! processes behind. Each call is one process with its own session and process group. It has no controlling terminal,
//! no descriptors except its three streams, and only the environment it was given. However the call ends, the group
//! ends with it. On Linux the hook's own process also dies when the host does, even if the host dies by SIGKILL;
//! processes that the hook has started do not.

mod call;
mod capture;
mod codec;
mod command;
mod group;
mod process;
#[cfg(target_os = "linux")]
mod spawn;
#[cfg(not(target_os = "linux"))]
#[path = "spawn_portable.rs"]
mod spawn;
#[cfg(target_os = "linux")]
mod vfork;

use super::caller::Caller;
use super::hook::{Hook, HookInfo};
use crate::protocol::{Action, Answer, Failure, Input, Json, Kind};
use async_trait::async_trait;
use std::sync::Arc;

pub use call::{Bounds, Call, End, MAX_STDERR_BYTES, MAX_STDOUT_BYTES, PipeGrace, Spawner};
pub use capture::Overflow;
pub use codec::{Codec, HookboxCodec};
pub(crate) use codec::{PIPE_GRACE, said};
pub use command::{Command, INHERITED_VARS, Inherit};
pub use process::Processes;

/// A hook that is an external command.
pub struct ShellHook {
    info: HookInfo,
    command: Command,
    settings: Option<Json>,
    codec: Arc<dyn Codec>,
    spawner: Arc<dyn Spawner>,
}

impl ShellHook {
    /// Creates a hook that runs `command` for each event. The command receives `settings` as `Input.settings`; `codec`
    /// encodes the payload and interprets the answer.
    pub fn new(info: HookInfo, command: Command, settings: Option<Json>, codec: Arc<dyn Codec>) -> Self {
        ShellHook { info, command, settings, codec, spawner: Arc::new(Processes) }
    }

    /// Sets the spawner that runs the command.
    #[must_use]
    pub fn spawned_by(self, spawner: Arc<dyn Spawner>) -> Self {
        ShellHook { spawner, ..self }
    }
}

#[async_trait]
impl Hook for ShellHook {
    fn info(&self) -> &HookInfo {
        &self.info
    }

    async fn run(&self, input: &Input) -> Result<Action, Failure> {
        self.answer(input, &Caller::default()).await.result
    }

    async fn answer(&self, input: &Input, caller: &Caller) -> Answer {
        let mut command = self.command.clone();
        self.codec.prepare_command(&mut command, input);
        let call = Call {
            command: &command,
            payload: self.codec.payload(input, self.settings.as_ref()).into_bytes(),
            bounds: self.codec.bounds(),
            limit: self.info.timeout,
            caller,
        };
        let end = self.spawner.run(call).await;
        tracing::debug!(end = %end.summary(), "command ended");
        self.codec.answer(input, &self.info, end)
    }

    fn kind(&self) -> Kind {
        Kind::Shell
    }
}
