//! Components and programs built by real toolchains.

use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

/// The variable that says that `cargo xtask test` has built the guests.
const READY: &str = "HOOKBOX_GUESTS_READY";

/// The directory of the guests. If the tests run on their own, the first access builds them.
static DIR: LazyLock<PathBuf> = LazyLock::new(|| {
    let root = crate::support::root();
    if std::env::var_os(READY).is_some() {
        return root.join("target/guests");
    }
    let output = Command::new(env!("CARGO")).args(["xtask", "guests"]).current_dir(&root).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    root.join("target/guests")
});

pub fn path(file: &str) -> PathBuf {
    DIR.join(file)
}

/// Whether this machine could build the file. It may lack a toolchain, as `cargo xtask guests` reports; CI has all of
/// them. If the file was not built, the caller skips what needs it.
#[track_caller]
pub fn is_built(file: &str) -> bool {
    // An empty file represents the script runner until it is built.
    let is_built = path(file).metadata().is_ok_and(|metadata| metadata.len() > 0);
    assert!(is_built || std::env::var_os("CI").is_none(), "{file} was not built");
    if !is_built {
        super::skip(&format!("`{file}` was not built"));
    }
    is_built
}

/// Whether scripts can run.
#[track_caller]
pub fn run_scripts() -> bool {
    is_built("quickjs.wasm")
}

pub fn read(file: &str) -> Vec<u8> {
    std::fs::read(path(file)).unwrap()
}
