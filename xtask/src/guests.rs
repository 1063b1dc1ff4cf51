//! The guest examples, built as components.

use crate::tools;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Gives a component without any import.
const PURE_TARGET: &str = "wasm32-unknown-unknown";
/// Rust's stock target for components, whose standard library imports WASI.
const WASI_TARGET: &str = "wasm32-wasip2";

/// Where components are put.
fn out_dir() -> PathBuf {
    tools::root().join("target/guests")
}

/// A cargo command in the guest example's directory.
pub(crate) fn cargo() -> Command {
    let mut cargo = tools::cargo(&tools::root().join("guest-examples/rust"));
    cargo.env("CARGO_TARGET_DIR", out_dir());
    cargo
}

/// Builds the guest example for both targets and as a program of this machine. Returns the pure component.
pub(crate) fn build() -> Result<PathBuf> {
    tools::step("building the guest example");
    for target in [PURE_TARGET, WASI_TARGET] {
        install_target(target)?;
        tools::run(cargo().args(["build", "--release", "--locked", "--lib", "--target", target]))?;
    }
    tools::run(cargo().args(["build", "--release", "--locked", "--bins"]))?;
    let built = |dir: &str, file: &str| out_dir().join(dir).join("release").join(file);
    let pure = out_dir().join("no_destructive_commands.wasm");
    copy(&built(PURE_TARGET, "no_destructive_commands.wasm"), &pure)?;
    copy(&built(WASI_TARGET, "no_destructive_commands.wasm"), &out_dir().join("no_destructive_commands.wasip2.wasm"))?;
    copy(&built("", "no-destructive-commands"), &out_dir().join("no-destructive-commands"))?;
    Ok(pure)
}

/// Builds the components that only tests use.
pub(crate) fn build_for_tests() -> Result<()> {
    tools::step("building the test guests");
    let mut build = tools::cargo(&tools::root().join("tests/guests"));
    build.env("CARGO_TARGET_DIR", out_dir());
    tools::run(build.args(["build", "--release", "--locked", "--examples", "--target", WASI_TARGET]))?;
    let examples = out_dir().join(WASI_TARGET).join("release/examples");
    for name in ["plain", "files", "clocks"] {
        copy(&examples.join(format!("{name}.wasm")), &out_dir().join(format!("{name}.wasm")))?;
    }
    Ok(())
}

/// Copies a file so that whoever reads it at the same time sees the old one or the new one whole.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let unfinished = to.with_extension(format!("{}.tmp", std::process::id()));
    std::fs::copy(from, &unfinished).with_context(|| format!("`{}` cannot be copied", from.display()))?;
    std::fs::rename(&unfinished, to).with_context(|| format!("`{}` cannot be written", to.display()))
}

/// Installs a target's standard library unless it is there.
fn install_target(target: &str) -> Result<()> {
    let rustc = Command::new("rustc").args(["--print", "sysroot"]).current_dir(tools::root()).output();
    let output = rustc.context("`rustc` could not be started: install Rust with rustup")?;
    if !output.status.success() {
        bail!("`rustc` ended with {}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
    }
    let sysroot = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    if sysroot.join("lib/rustlib").join(target).join("lib").is_dir() {
        return Ok(());
    }
    let mut rustup = Command::new("rustup");
    match rustup.args(["target", "add", target]).current_dir(tools::root()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => bail!("`rustup target add {target}` ended with {status}"),
        Err(error) => bail!("the target {target} is missing, and `rustup` could not be started: {error}"),
    }
}
