//! The toolchain of TypeScript: a bundler, which turns a hook's files into one script, and the compiler, which checks
//! the types.

use crate::tools;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the folder in which npm installs the packages.
fn folder() -> PathBuf {
    tools::root().join("target/tools/node")
}

fn program(name: &str) -> Command {
    Command::new(folder().join("node_modules/.bin").join(name))
}

pub(super) fn probe() -> Command {
    // esbuild runs without Node.js; `tsc` does not.
    let mut probe = program("tsc");
    probe.arg("--version");
    probe
}

pub(super) fn install(packages: &[&str]) -> Result<()> {
    std::fs::create_dir_all(folder())?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"]).arg(folder());
    tools::run(npm.args(packages)).context("install Node.js with npm (Debian, Ubuntu: `apt-get install nodejs npm`)")
}

/// Bundles a hook and its imports into one script.
pub(super) fn bundle(hook: &Path, out: &Path) -> Result<()> {
    let mut esbuild = program("esbuild");
    esbuild.arg(hook).args([
        "--bundle",
        "--format=esm",
        "--target=es2023",
        "--external:hookbox:*",
        "--log-level=warning",
    ]);
    tools::run(esbuild.arg(format!("--outfile={}", out.display())))
}

/// Returns a command that checks the type declarations for editors, and code that uses them.
pub(super) fn check(tests: &Path) -> Command {
    let mut tsc = program("tsc");
    tsc.arg("--project").arg(tests);
    tsc
}
