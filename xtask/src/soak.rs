//! `cargo xtask soak`: makes a large number of concurrent calls, some of them to hooks that misbehave.

use crate::{dist, guests, tools};
use anyhow::Result;
use std::path::PathBuf;

/// The arguments for `--quick`, a run that takes less than a minute even without optimisation. It judges what is on the
/// heap, and leaves resident memory, which grows for 150,000 calls, to the whole run.
const QUICK: [&str; 2] = ["--calls", "20000"];
/// The arguments for `--quick` with hooks with powers.
const QUICK_POWERS: [&str; 2] = ["--calls", "10000"];
/// The arguments for `--quick` with `--serve`. That run is too short to judge the use of memory, and says so.
const QUICK_SERVE: [&str; 2] = ["--seconds", "20"];

const POWERS: &str = "--powers";

/// Calls hooks without powers, then hooks with powers; with `--powers`, only the latter. With `--serve`, soaks `hookbox
/// serve`. Passes the other arguments on: `--calls N` and `--tasks N`, or, with `--serve`, `--seconds N`,
/// `--connections N` and `--hookbox PATH`. `--quick` makes a short run with the programs that the tests have already
/// built.
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

/// Returns a command that runs a benchmark. The benchmark's own arguments may be added.
fn bench(name: &str, quick: bool) -> std::process::Command {
    let mut cargo = tools::cargo(&tools::root());
    cargo.args(["bench", "--locked", "--bench", name]);
    if quick {
        // The features are those of the whole workspace, with which the tests have built the dependencies.
        cargo.args(["--profile", "dev", "--workspace"]);
    }
    cargo.arg("--");
    cargo
}

/// Builds the program whose server is soaked: as it is installed or, for a quick run, as the tests have built it.
fn hookbox(quick: bool) -> Result<PathBuf> {
    if !quick {
        return dist::build().map(|dist| dist.hookbox);
    }
    tools::step("building hookbox");
    tools::run(tools::cargo(&tools::root()).args(["build", "--locked", "--package", "hookbox-cli"]))?;
    Ok(tools::root().join("target/debug/hookbox"))
}
