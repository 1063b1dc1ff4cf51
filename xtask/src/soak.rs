//! `cargo xtask soak`: makes very many concurrent calls, some to hooks that misbehave.

use crate::{dist, guests, tools};
use anyhow::Result;
use std::path::PathBuf;

/// The arguments for `--quick`: a run that takes half a minute even without optimisation. By the end of its warm-up,
/// the allocator holds most of what it keeps; with fewer calls, a busy machine would still show growth. This is enough
/// to judge memory.
const QUICK: [&str; 2] = ["--calls", "60000"];
/// The same for hooks with powers.
const QUICK_POWERS: [&str; 2] = ["--calls", "10000"];
/// The same for `--serve`. It is too short to judge memory, and says so.
const QUICK_SERVE: [&str; 2] = ["--seconds", "20"];

const POWERS: &str = "--powers";

/// Calls hooks without powers, then hooks with powers; with `--powers`, only the latter. With `--serve`, soaks `hookbox
/// serve`. Passes its other arguments on: `--calls N`, `--tasks N`; with `--serve`, `--seconds N`, `--connections N` and
/// `--hookbox PATH`. `--quick` is a short run with what the tests have already built.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let has = |name: &str| args.iter().any(|arg| arg == name);
    let quick = has("--quick");
    let others: Vec<_> = args.iter().filter(|arg| !["--quick", "--serve", POWERS].contains(&arg.as_str())).collect();
    guests::build()?;
    if has("--serve") {
        return serve(quick, !has("--hookbox"), &others);
    }
    guests::build_for_tests()?;
    tools::step("building the soak test");
    if !has(POWERS) {
        let mut soak = bench("soak", quick);
        tools::run(soak.args(quick.then_some(QUICK).into_iter().flatten()).args(&others))?;
    }
    tools::step("calling hooks with powers");
    let mut soak = bench("soak", quick);
    tools::run(soak.arg(POWERS).args(quick.then_some(QUICK_POWERS).into_iter().flatten()).args(&others))
}

fn serve(quick: bool, build: bool, others: &[&String]) -> Result<()> {
    // The client needs no optimisation.
    let mut soak = bench("soak_serve", true);
    if build {
        soak.arg("--hookbox").arg(hookbox(quick)?);
    }
    tools::step("building the soak test");
    tools::run(soak.args(quick.then_some(QUICK_SERVE).into_iter().flatten()).args(others))
}

/// Runs a benchmark; its own arguments may follow.
fn bench(name: &str, quick: bool) -> std::process::Command {
    let mut cargo = tools::cargo(&tools::root());
    cargo.args(["bench", "--locked", "--bench", name]);
    if quick {
        // With the features of the whole workspace, as the tests have built its dependencies.
        cargo.args(["--profile", "dev", "--workspace"]);
    }
    cargo.arg("--");
    cargo
}

/// The program whose servers are soaked: as it is installed, or as the tests have built it.
fn hookbox(quick: bool) -> Result<PathBuf> {
    if !quick {
        return dist::build().map(|dist| dist.hookbox);
    }
    tools::step("building hookbox");
    tools::run(tools::cargo(&tools::root()).args(["build", "--locked", "--package", "hookbox-cli"]))?;
    Ok(tools::root().join("target/debug/hookbox"))
}
