//! Hooks in Python: componentize-py takes a snapshot of the interpreter with the hook's modules loaded.

use super::toolchain::{PYTHON_SDK, RUN_MODULE, Tool, scratch, step, unpack};
use anyhow::Context;
use hookbox_componentize::{PYTHON_WORLD, World, componentize, merge, python_powers, write_python_world};
use std::path::Path;

const COMPONENTIZE_PY: Tool = Tool {
    name: "componentize-py, which makes components of Python,",
    ways: &[&["componentize-py"], &["python3", "-c", RUN_MODULE, "componentize_py"]],
    version: "--version",
    install: "pip install componentize-py",
};

/// Makes a component of `hook.py` and its imports, with the powers that they import. Modules in the folder take
/// precedence over those of the SDK.
pub(super) fn build(dir: &Path) -> anyhow::Result<Vec<u8>> {
    let tool = COMPONENTIZE_PY.find()?;
    let scratch = scratch()?;
    let sdk = unpack(&PYTHON_SDK, scratch.path())?;
    let (world, component) = (scratch.path().join("wit"), scratch.path().join("hook.wasm"));
    let powers = python_powers(dir)?;
    write_python_world(&world, &powers)?;
    let mut command = tool.command();
    command.env("PYTHONDONTWRITEBYTECODE", "1").arg("-d").arg(&world).args(["-w", PYTHON_WORLD]);
    command.args(["componentize", "hookbox_component", "--stub-wasi", "-p", ".", "-p"]).arg(sdk);
    step("componentize-py", dir, command.arg("-o").arg(&component))?;
    let made =
        std::fs::read(&component).with_context(|| format!("componentize-py left no `{}`", component.display()))?;
    let merged = merge(&made, &powers).context("what componentize-py made")?;
    componentize(&merged, World::POLICY, false).context("what componentize-py made")
}
