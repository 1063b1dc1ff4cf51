//! Components and programs that real toolchains build.

use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

/// Where they are. The first test to ask builds them; cargo sees to it that this costs nothing when they are fresh.
static DIR: LazyLock<PathBuf> = LazyLock::new(|| {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(env!("CARGO")).args(["xtask", "guests"]).current_dir(&root).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    root.join("target/guests")
});

pub fn path(file: &str) -> PathBuf {
    DIR.join(file)
}

pub fn read(file: &str) -> Vec<u8> {
    std::fs::read(path(file)).unwrap()
}
