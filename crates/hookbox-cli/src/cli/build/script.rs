//! Hooks in JavaScript and TypeScript: one script that bundles all imports, inside the interpreter.

use super::toolchain::{scratch, step};
use crate::author::{Language, script_component};
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(super) fn build(dir: &Path, language: Language) -> anyhow::Result<Vec<u8>> {
    let source = dir.join(language.marker());
    let text = match language {
        Language::TypeScript => bundle(dir, &source)?,
        _ => read(&source)?,
    };
    script_component(language.marker(), &text)
}

fn read(script: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(script).with_context(|| format!("`{}` cannot be read", script.display()))
}

/// Bundles the file and its imports into one script, without types.
fn bundle(dir: &Path, source: &Path) -> anyhow::Result<String> {
    let scratch = scratch()?;
    let bundled = scratch.path().join("hook.js");
    let mut command = Command::new(esbuild(dir)?);
    command.arg(source.canonicalize()?).args([
        "--bundle",
        "--format=esm",
        "--target=es2023",
        "--external:hookbox:*",
        "--log-level=warning",
    ]);
    step("esbuild", dir, command.arg(format!("--outfile={}", bundled.display())))?;
    read(&bundled)
}

/// Returns the path of the project's own esbuild, or of the one in the `PATH`.
fn esbuild(dir: &Path) -> anyhow::Result<PathBuf> {
    let own = dir.canonicalize()?.join("node_modules/.bin/esbuild");
    for program in [own, PathBuf::from("esbuild")] {
        let probe = Command::new(&program).arg("--version").stdin(Stdio::null()).output();
        if probe.is_ok_and(|output| output.status.success()) {
            return Ok(program);
        }
    }
    bail!(
        "esbuild is needed and was not found; install it with:\n  npm install      (in `{}`; npm comes with Node.js)",
        dir.display()
    )
}
