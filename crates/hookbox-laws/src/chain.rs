//! The engine around one answer: a registry whose commands are not run, but end as a law's test case says.

use async_trait::async_trait;
use hookbox::runtime::shell::{Call, Command, End, HookboxCodec, ShellHook, Spawner};
use hookbox::{HookInfo, Input, Outcome, Registry};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::Arc;
use tokio::runtime::Runtime;

/// A spawner that ends every command with success and this output.
pub(crate) struct Prints(pub(crate) Vec<u8>);

#[async_trait]
impl Spawner for Prints {
    async fn run(&self, _: Call<'_>) -> End {
        succeeded(&self.0)
    }
}

/// Returns the end of a process that printed this and succeeded.
pub(crate) fn succeeded(stdout: &[u8]) -> End {
    End::Ended {
        status: ExitStatus::from_raw(0),
        stdout: stdout.to_vec(),
        stderr: Vec::new(),
        stdout_held: false,
        stderr_held: false,
        truncated: false,
    }
}

/// Returns the Outcome of a chain of one shell hook, which prints this.
pub(crate) fn decide(info: HookInfo, stdout: &[u8], input: Input) -> Outcome {
    let command = Command::new("hook", "/");
    let hook = ShellHook::new(info, command, None, Arc::new(HookboxCodec));
    let registry = Registry::new();
    registry.register(hook.spawned_by(Arc::new(Prints(stdout.to_vec())))).unwrap();
    run(&registry, input)
}

pub(crate) fn run(registry: &Registry, input: Input) -> Outcome {
    thread_local! {
        static RUNTIME: Runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    }
    RUNTIME.with(|runtime| runtime.block_on(registry.run(input)))
}
