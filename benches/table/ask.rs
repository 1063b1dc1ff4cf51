//! Helpers that ask the hooks of a registry repeatedly.

use hookbox::runtime::component::{Compiler, ComponentHook, Grants, Limits, Sandbox};
use hookbox::{Event, Hook, HookInfo, Input, Outcome, Registry, Verdict};
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// A tool call of about 300 bytes.
pub(crate) const INPUT: &str = r#"{"event":"pre_tool","session_id":"0d3f5c1e-8a7b-4c39-9f61-2b7a1c0e5d44","pwd":"/home/me/src/project","tool_name":"bash","tool_use_id":"call_7f3a9b","turn":12,"tool_input":{"command":"cargo test --workspace --locked -- --nocapture 2>&1 | tail -50","description":"Run the tests","timeout":120000}}"#;

/// The number of consecutive calls that count as one measurement of a warm call. Together they take about as long as a
/// process.
pub(crate) const WARM_CALLS: u32 = 200;

/// A time limit longer than a call needs on any machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A registry and the runtime to ask it.
pub(crate) struct Asker {
    pub(crate) runtime: Runtime,
    pub(crate) registry: Registry,
}

impl Asker {
    pub(crate) fn of(hooks: impl IntoIterator<Item = impl Hook + 'static>) -> Self {
        let registry = Registry::new();
        hooks.into_iter().for_each(|hook| registry.register(hook).unwrap());
        Asker { runtime: runtime(), registry }
    }

    /// Asks about this Input once, and checks that it is allowed.
    pub(crate) fn allowing(self, input: &str) -> Self {
        let outcome = self.ask(input);
        assert_eq!(outcome.verdict, Verdict::Allow, "{}", outcome.to_json_line());
        self
    }

    pub(crate) fn ask(&self, input: &str) -> Outcome {
        self.runtime.block_on(self.registry.run_pre(Input::from_slice(input.as_bytes()).unwrap()))
    }

    /// Reads the Input and asks about it this many times. Returns the nanoseconds per call.
    pub(crate) fn calls(&self, input: &str, calls: u32) -> f64 {
        self.runtime.block_on(async {
            let started = Instant::now();
            for _ in 0..calls {
                let input = Input::from_slice(input.as_bytes()).unwrap();
                black_box(self.registry.run_pre(input).await);
            }
            started.elapsed().as_nanos() as f64 / f64::from(calls)
        })
    }
}

pub(crate) fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

pub(crate) fn sandbox() -> Sandbox {
    Sandbox::new(Compiler::in_process_for_trusted_bytes()).unwrap()
}

/// Reads one of the components that `cargo xtask guests` builds.
pub(crate) fn guest(name: &str) -> Vec<u8> {
    let file = Path::new(crate::GUESTS).join(name);
    std::fs::read(&file).unwrap_or_else(|error| panic!("`{}` (from `cargo xtask guests`): {error}", file.display()))
}

/// Reads the rule, built as an author who cares about speed would build it.
pub(crate) fn rule() -> Vec<u8> {
    guest("rule.wasm")
}

pub(crate) fn hook(sandbox: &Sandbox, component: &[u8]) -> ComponentHook {
    let prepared = sandbox.prepare(component, None, Grants::default(), Limits::default()).unwrap();
    ComponentHook::new(info(PATIENCE), prepared, None)
}

pub(crate) fn info(timeout: Duration) -> HookInfo {
    let mut info = HookInfo::new("hook", [Event::PreTool]);
    info.timeout = Some(timeout);
    info
}
