//! The memory of a process with very many hooks.

use super::{INPUT, assert_at_most};
use crate::support::{guests, plain_in};
use hookbox::runtime::component::{Cache, Compiler, ComponentHook, Sandbox};
use hookbox::{Input, Registry, Verdict};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;

/// The variable that tells the measured process where the cache is.
const CHILD: &str = "HOOKBOX_TEST_LOADED";

/// The file in which that process writes what it measured.
const EACH_TAKES: &str = "each-takes";

const TEST: &str = "costs::loaded::many_components_take_no_more_memory_than_they_did";

const COMPONENTS: usize = 100;

/// The limit for each further component that is loaded and has been called: 322 KiB, and room for what the allocator
/// rounds up.
const EACH: usize = 360 << 10;

#[test]
fn many_components_take_no_more_memory_than_they_did() {
    if let Some(dir) = std::env::var_os(CHILD) {
        let dir = Path::new(&dir);
        return std::fs::write(dir.join(EACH_TAKES), measure(dir).to_string()).unwrap();
    }
    let dir = TempDir::new().unwrap();
    hook(&Sandbox::new(Compiler::in_process_for_trusted_bytes()).unwrap().cached_in(cache(dir.path())));
    // The measured process is a separate one, because this one runs other tests, and its compiler leaves traces.
    let mut child = Command::new(std::env::current_exe().unwrap());
    let output = child.args(["--exact", TEST]).env(CHILD, dir.path()).output().unwrap();
    let each = std::fs::read_to_string(dir.path().join(EACH_TAKES));
    let each: usize = each.unwrap_or_else(|error| panic!("{error}: {output:?}")).parse().unwrap();
    assert_at_most("bytes of each component", each as u64, EACH as u64);
}

fn cache(dir: &Path) -> Arc<Cache> {
    Arc::new(Cache::new(&dir.join("cache"), dir.join("state")))
}

fn hook(sandbox: &Sandbox) -> ComponentHook {
    plain_in(sandbox, "rule", &guests::read("rule.wasm"))
}

/// Returns the bytes of memory that each further component takes.
fn measure(dir: &Path) -> usize {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let sandbox = Sandbox::new(Compiler::none()).unwrap().cached_in(cache(dir));
    let load = || {
        let registry = Registry::new();
        registry.register(hook(&sandbox)).unwrap();
        let outcome = runtime.block_on(registry.run_pre(Input::from_slice(INPUT.as_bytes()).unwrap()));
        assert_eq!(outcome.verdict, Verdict::Allow, "{}", outcome.to_json_line());
        registry
    };
    let first = load();
    let before = resident_bytes();
    let more: Vec<Registry> = (0..COMPONENTS).map(|_| load()).collect();
    let after = resident_bytes();
    drop((first, more));
    after.saturating_sub(before) / COMPONENTS
}

fn resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<usize>().unwrap() << 10
}
