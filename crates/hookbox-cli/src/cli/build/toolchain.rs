//! Runs the programs that compile hooks.

use anyhow::{Context, bail};
use include_dir::{Dir, include_dir};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use tempfile::TempDir;

/// The code with which `python3 -c` runs the module that the first argument names. With `-m`, Python would look for the
/// module in the current directory first, and so run code from the hook's folder outside the sandbox.
pub(super) const RUN_MODULE: &str = "import sys; sys.path = [path for path in sys.path if path]; \
     import runpy; runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)";

/// A program, the ways to call it, and how to install it.
pub(super) struct Tool {
    /// The name of the program, for people.
    pub name: &'static str,
    /// The ways to call it, best first: a program and its leading arguments.
    pub ways: &'static [&'static [&'static str]],
    /// An argument that makes it print its version and do nothing else.
    pub version: &'static str,
    /// The commands that install it.
    pub install: &'static str,
}

impl Tool {
    /// Returns the first way that works, ready for further arguments.
    ///
    /// # Errors
    /// Returns an error if the tool is not installed.
    pub(super) fn find(&self) -> anyhow::Result<Found> {
        for way in self.ways {
            let found = Found { way };
            let probe = found.command().arg(self.version).stdin(Stdio::null()).output();
            if probe.is_ok_and(|output| output.status.success()) {
                return Ok(found);
            }
        }
        bail!("{} is needed and was not found; install it with:\n  {}", self.name, self.install.replace('\n', "\n  "))
    }
}

/// An installed tool.
pub(super) struct Found {
    way: &'static [&'static str],
}

impl Found {
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(self.way.first().copied().unwrap_or_default());
        command.args(self.way.iter().skip(1));
        command
    }
}

/// Runs a step of a build in a folder, and prints its name and duration to stderr. The step's own output also goes to
/// stderr, so that stdout contains only the result.
///
/// # Errors
/// Returns an error if the step could not be started or failed. The step's own messages come before the error.
pub(super) fn step(what: &str, dir: &Path, command: &mut Command) -> anyhow::Result<()> {
    let started = Instant::now();
    super::say(&format!("{what} ..."));
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command
        .current_dir(dir)
        .stdin(Stdio::null())
        .stdout(Stdio::from(std::io::stderr()))
        .status()
        .with_context(|| format!("`{program}` could not be started"))?;
    if !status.success() {
        bail!("{what} failed: `{program}` ended with {status}");
    }
    super::say(&format!("{what}: {:.1} s", started.elapsed().as_secs_f64()));
    Ok(())
}

/// Creates a temporary folder for a build's intermediate files. It is not in the hook's own folder, where a link could
/// lead to files that must not change.
///
/// # Errors
/// Returns an error if the folder cannot be created.
pub(super) fn scratch() -> anyhow::Result<TempDir> {
    TempDir::with_prefix("hookbox-build-").context("no folder for the files of the build")
}

/// The SDKs that a build can supply to projects without a copy of them.
pub(super) static C_SDK: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../guest-sdk/c");
pub(super) static PYTHON_SDK: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../guest-sdk/python");

/// Unpacks an SDK next to a build's intermediate files.
///
/// # Errors
/// Returns an error if the SDK cannot be written.
pub(super) fn unpack(sdk: &Dir<'_>, scratch: &Path) -> anyhow::Result<PathBuf> {
    let to = scratch.join("hookbox");
    std::fs::create_dir(&to).with_context(|| format!("`{}` cannot be made", to.display()))?;
    sdk.extract(&to).with_context(|| format!("`{}` cannot be written", to.display()))?;
    Ok(to)
}
