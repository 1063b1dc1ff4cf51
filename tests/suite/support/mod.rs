//! Shared by the tests.

pub mod allocations;
pub mod component;
pub mod guests;
pub mod processes;
pub mod project;
#[path = "../../../crates/hookbox-net/tests/suite/support/server.rs"]
pub mod server;
pub mod terminal;

use hookbox::config::Loader;
use hookbox::runtime::component::{Compiler, ComponentHook, Grants, Limits, Sandbox};
use hookbox::{Code, Event, HookInfo, Input, Outcome, Registry};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

/// Returns the root of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The variable that names the file in which tests note what they skipped. `cargo xtask test` counts and lists them at
/// the end.
const SKIPPED: &str = "HOOKBOX_SKIPPED_TESTS";

/// Notes that the current test skips something, and why.
pub fn skip(why: &str) {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    eprintln!("{test} is skipped: {why}");
    if let Some(file) = std::env::var_os(SKIPPED) {
        // Each note is a single write, since tests run concurrently.
        let mut file = std::fs::File::options().append(true).create(true).open(file).unwrap();
        file.write_all(format!("{test}\t{why}\n").as_bytes()).unwrap();
    }
}

/// Whether the tests run as root. If not, a test that needs root is skipped.
pub fn is_root() -> bool {
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        skip("it needs root, to give files away");
    }
    is_root
}

/// One sandbox for all tests, like in a program.
pub static SANDBOX: LazyLock<Sandbox> =
    LazyLock::new(|| Sandbox::new(Compiler::in_process_for_trusted_bytes()).unwrap());

/// Creates a loader that compiles the tests' own components.
pub fn loader(dir: impl Into<PathBuf>) -> Loader {
    Loader::new(dir).compiler(Compiler::in_process_for_trusted_bytes())
}

/// Creates an Input for a tool call of `bash`.
pub fn bash(command: &str) -> Input {
    let tool_input = serde_json::json!({ "command": command }).to_string();
    Input::pre_tool("bash", &tool_input).unwrap()
}

/// Creates a component hook on `pre_tool` with these limits and grants.
pub fn hook(name: &str, wasm: &[u8], limits: Limits, grants: Grants, timeout: Duration) -> ComponentHook {
    let prepared = SANDBOX.prepare(wasm, None, grants, limits).unwrap();
    let mut info = HookInfo::new(name, [Event::PreTool]);
    info.timeout = Some(timeout);
    ComponentHook::new(info, prepared, None)
}

/// Creates a component hook with the defaults.
pub fn plain(name: &str, wasm: &[u8]) -> ComponentHook {
    hook(name, wasm, Limits::default(), Grants::default(), Duration::from_secs(5))
}

/// Creates the same hook in another sandbox.
pub fn plain_in(sandbox: &Sandbox, name: &str, wasm: &[u8]) -> ComponentHook {
    let prepared = sandbox.prepare(wasm, None, Grants::default(), Limits::default()).unwrap();
    ComponentHook::new(HookInfo::new(name, [Event::PreTool]), prepared, None)
}

/// Returns the answer of a registry with only this hook to a harmless call.
pub async fn ask(hook: ComponentHook) -> Outcome {
    let registry = Registry::new();
    registry.register(hook).unwrap();
    registry.run_pre(bash("ls")).await
}

/// Returns the code of the only hook's failure.
#[track_caller]
pub fn code(outcome: &Outcome) -> Option<Code> {
    assert_eq!(outcome.hooks.len(), 1, "{outcome:?}");
    outcome.hooks[0].code
}
