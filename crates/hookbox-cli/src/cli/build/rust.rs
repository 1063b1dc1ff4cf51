//! Hooks in Rust: `cargo`, with the target that imports nothing.

use super::toolchain::{Tool, step};
use anyhow::{Context, bail};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TARGET: &str = "wasm32-unknown-unknown";

const CARGO: Tool = Tool {
    name: "cargo, Rust's package manager,",
    ways: &[&["cargo"]],
    version: "--version",
    install: "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh",
};

/// The output of `cargo metadata` for the package in a folder.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    target_directory: PathBuf,
}

#[derive(Deserialize)]
struct Package {
    targets: Vec<Target>,
    manifest_path: PathBuf,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    crate_types: Vec<String>,
}

/// Builds the package and returns the resulting wasm file.
pub(super) fn build(dir: &Path) -> anyhow::Result<Vec<u8>> {
    let cargo = CARGO.find()?;
    require_target(dir)?;
    let (library, target_directory) = library(dir, &mut cargo.command())?;
    let mut command = cargo.command();
    command.args(["build", "--release", "--lib", "--target", TARGET]);
    if dir.join("Cargo.lock").is_file() {
        command.arg("--locked");
    }
    step("cargo build", dir, &mut command)?;
    let file = target_directory.join(TARGET).join("release").join(format!("{library}.wasm"));
    std::fs::read(&file).with_context(|| format!("cargo left no `{}`", file.display()))
}

/// Returns the name of the package's library that becomes the component, and cargo's target directory.
fn library(dir: &Path, cargo: &mut Command) -> anyhow::Result<(String, PathBuf)> {
    let args = ["metadata", "--format-version=1", "--no-deps", "--offline"];
    let output = cargo.args(args).current_dir(dir).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("`{}` could not be read: see above", dir.join("Cargo.toml").display());
    }
    let metadata: Metadata = serde_json::from_slice(&output.stdout).context("what cargo says of the package")?;
    let manifest = dir.join("Cargo.toml").canonicalize()?;
    let package = metadata.packages.into_iter().find(|package| package.manifest_path == manifest);
    let targets = package.map(|package| package.targets).unwrap_or_default();
    let is_module = |target: &Target| target.crate_types.iter().any(|kind| kind == "cdylib");
    match targets.into_iter().find(is_module) {
        Some(target) => Ok((target.name.replace('-', "_"), metadata.target_directory)),
        None => bail!(
            "`{}` has no library that becomes a component: add to it\n  [lib]\n  crate-type = [\"cdylib\", \"rlib\"]",
            dir.join("Cargo.toml").display()
        ),
    }
}

/// Makes sure that Rust's standard library for the target is installed.
fn require_target(dir: &Path) -> anyhow::Result<()> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).current_dir(dir).output();
    let output = output.context("`rustc` could not be started")?;
    let sysroot = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    if output.status.success() && !sysroot.join("lib/rustlib").join(TARGET).is_dir() {
        bail!(
            "Rust's standard library for {TARGET} is needed and was not found; install it with:\n  rustup target add {TARGET}"
        );
    }
    Ok(())
}
