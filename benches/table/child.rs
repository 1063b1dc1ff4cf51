//! Child processes of this program, for measurements that its other work would disturb.

use crate::{counts, idle, loaded, reloads};
use hookbox::runtime::component::{Cache, Compiler, Sandbox};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Returns the figure that a child with these arguments measures.
pub(crate) fn figure(args: &[&str]) -> f64 {
    let mut child = Command::new(std::env::current_exe().unwrap());
    let output = child.arg("--child").args(args).stderr(Stdio::inherit()).output().unwrap();
    assert!(output.status.success(), "the child {args:?} ended with {}", output.status);
    String::from_utf8(output.stdout).unwrap().trim().parse().unwrap()
}

/// Runs this process as a child.
pub(crate) fn run(args: &[String]) {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let figure = match args.as_slice() {
        ["calls", calls] => counts::child(calls.parse().unwrap()),
        ["idle", cache] => idle::child(&loading(Path::new(cache))),
        ["loaded", cache] => loaded::child(&loading(Path::new(cache))),
        ["reloads", what, home] => reloads::child(what, Path::new(home)),
        _ => panic!("no child does {args:?}"),
    };
    println!("{figure}");
}

/// Returns the cache in this directory. From it, a child loads components without running the compiler, which would
/// leave traces in its memory.
pub(crate) fn cache(dir: &Path) -> Arc<Cache> {
    Arc::new(Cache::new(&dir.join("cache"), dir.join("state")))
}

fn loading(dir: &Path) -> Sandbox {
    Sandbox::new(Compiler::none()).unwrap().cached_in(cache(dir))
}
