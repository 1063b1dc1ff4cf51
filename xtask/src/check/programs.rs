//! The test programs of the project's workspace.

use crate::tools;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program with the tests of a target.
pub(super) struct TestProgram {
    /// The folder of its package, relative to the root of the project.
    pub(super) package: PathBuf,
    /// The name of the target, such as `suite`.
    pub(super) target: String,
    file: PathBuf,
}

impl TestProgram {
    /// Returns a command that runs the program as cargo would.
    pub(super) fn command(&self) -> Command {
        let dir = tools::root().join(&self.package);
        let mut command = Command::new(&self.file);
        command.env("CARGO_MANIFEST_DIR", &dir).env("HOOKBOX_GUESTS_READY", "1").current_dir(dir);
        command
    }
}

/// A line that cargo prints, as JSON.
#[derive(Deserialize)]
struct Message {
    manifest_path: Option<PathBuf>,
    target: Option<Target>,
    profile: Option<Profile>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

/// Builds the test programs of all packages, not only of the changed ones, so that their dependencies have the same
/// features as in `cargo xtask test`.
pub(super) fn build() -> Result<Vec<TestProgram>> {
    let root = tools::root();
    let mut cargo = tools::cargo(&root);
    cargo.args(["test", "--locked", "--workspace", "--no-run", "--message-format", "json-render-diagnostics"]);
    let output = cargo.stderr(Stdio::inherit()).output().context("`cargo` could not be started")?;
    anyhow::ensure!(output.status.success(), "the tests do not build");
    let mut programs = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines().filter(|line| line.starts_with('{')) {
        let message: Message = serde_json::from_str(line).with_context(|| format!("not understood: {line}"))?;
        if let Message {
            manifest_path: Some(manifest),
            target: Some(target),
            profile: Some(Profile { test: true }),
            executable: Some(file),
        } = message
        {
            let package = manifest.parent().and_then(|dir| dir.strip_prefix(&root).ok()).unwrap_or(Path::new(""));
            programs.push(TestProgram { package: package.to_owned(), target: target.name, file });
        }
    }
    Ok(programs)
}
