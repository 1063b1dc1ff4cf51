//! Runs other programs and writes files.

use anyhow::{Context, Result, bail};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// The cargo that runs this, in a directory.
pub(crate) fn cargo(dir: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(dir);
    cargo
}

/// Prints the next step.
pub(crate) fn step(what: &str) {
    eprintln!("\n── {what}");
}

/// Runs a program; an error if it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("`{program}` could not be started"))?;
    if !status.success() {
        let args: Vec<_> = command.get_args().map(|arg| arg.to_string_lossy().into_owned()).collect();
        bail!("`{program} {}` ended with {status}", args.join(" "));
    }
    Ok(())
}

/// The output of the compiler that builds the project.
pub(crate) fn rustc(args: &[&str]) -> Result<String> {
    let output = Command::new("rustc").args(args).current_dir(root()).output();
    let output = output.context("`rustc` could not be started: install Rust with rustup")?;
    if !output.status.success() {
        bail!("`rustc` ended with {}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Copies a file atomically: a reader finds either the old or the new content.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    put(to, |unfinished| {
        std::fs::copy(from, unfinished).with_context(|| format!("`{}` cannot be copied", from.display())).map(drop)
    })
}

/// Writes a file atomically, like [`copy`].
pub(crate) fn write(to: &Path, bytes: &[u8]) -> Result<()> {
    put(to, |unfinished| Ok(std::fs::write(unfinished, bytes)?))
}

/// Creates an executable shell script from these lines. Returns its path.
pub(crate) fn script(to: &Path, lines: &str) -> Result<PathBuf> {
    put(to, |unfinished| {
        std::fs::write(unfinished, format!("#!/bin/sh\n{lines}\n"))?;
        Ok(std::fs::set_permissions(unfinished, Permissions::from_mode(0o755))?)
    })?;
    Ok(to.to_owned())
}

/// Creates a file next to its destination and renames it, so a reader finds either the old or the new content.
pub(crate) fn put(to: &Path, make: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let failed = || format!("`{}` cannot be written", to.display());
    let dir = to.parent().with_context(failed)?;
    let file = tempfile::Builder::new().permissions(Permissions::from_mode(0o666)).tempfile_in(dir);
    let unfinished = file.with_context(failed)?.into_temp_path();
    make(&unfinished)?;
    unfinished.persist(to).with_context(failed)
}
