//! Measures the resources that a long-lived program holds after many reloads.

use crate::GUESTS;
use crate::child;
use crate::proc;
use crate::row::{Figure, Goal, Unit, print};
use hookbox::config::{Loader, Reload};
use hookbox::runtime::component::Compiler;
use hookbox::{Input, Verdict};
use std::fs;
use std::path::Path;

pub(crate) const MEMORY: &str = "1,000 reloads, resident bytes more / 5 MB";
pub(crate) const FILES: &str = "1,000 reloads, open files more / limit";

const RELOADS: usize = 1000;

/// The number of reloads that are not counted, because the allocator and the pools keep the memory that the first
/// reloads used.
const WARM_UP: usize = 100;

const CONFIG: &str = "[hooks.rule]\nevents = [\"pre_tool\"]\ncomponent = \"rule.wasm\"\n";

pub(crate) fn rows(wanted: &dyn Fn(&str) -> bool) {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join(".agents")).unwrap();
    fs::copy(Path::new(GUESTS).join("rule.wasm"), dir.path().join(".agents/rule.wasm")).unwrap();
    fs::write(dir.path().join(".agents/hooks.toml"), CONFIG).unwrap();
    // This fills the cache, so that the child has no compiler in its memory.
    let loaded = loader(dir.path()).compiler(Compiler::in_process_for_trusted_bytes()).load();
    assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
    drop(loaded);
    let more = |what: &str| child::figure(&["reloads", what, dir.path().to_str().unwrap()]);
    if wanted(MEMORY) {
        print(MEMORY, Unit::Bytes, [more("memory"), 5e6].map(Figure::exactly), Goal::AtMost(1.0));
    }
    if wanted(FILES) {
        print(FILES, Unit::Count, [more("files"), 0.0].map(Figure::exactly), Goal::AtMost(0.0));
    }
}

fn loader(home: &Path) -> Loader {
    Loader::new(home).home(home).compiler(Compiler::none()).cache(child::cache(home))
}

/// Returns how much more the process holds after the reloads than before: bytes of memory, or open files.
pub(crate) fn child(what: &str, home: &Path) -> f64 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let hooks = Reload::start(loader(home), |_| {}).unwrap();
    let measure = || if what == "memory" { proc::resident_bytes() } else { open_files() };
    let reload = |times: usize| {
        for _ in 0..times {
            runtime.block_on(hooks.reload());
            let outcome = runtime.block_on(hooks.run(Input::pre_tool("bash", r#"{"command":"ls"}"#).unwrap()));
            assert_eq!((outcome.verdict, outcome.hooks.len()), (Verdict::Allow, 1), "{outcome:?}");
        }
    };
    reload(WARM_UP);
    let before = measure();
    reload(RELOADS);
    (measure() - before).max(0.0)
}

fn open_files() -> f64 {
    fs::read_dir("/proc/self/fd").unwrap().count() as f64
}
