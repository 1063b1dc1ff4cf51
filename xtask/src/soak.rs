//! `cargo xtask soak`: makes very many concurrent calls, some to hooks that misbehave.

use crate::{guests, tools};
use anyhow::Result;

/// The arguments for `--quick`: a run that takes half a minute even without optimisation. By the end of its warm-up,
/// the allocator holds most of what it keeps; with fewer calls, a busy machine would still show growth. This is enough
/// to judge memory.
const QUICK: [&str; 2] = ["--calls", "60000"];

/// Passes its arguments on: `--powers`, `--calls N`, `--tasks N`. `--quick` is a short run with what the tests have
/// already built.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let quick = args.iter().any(|arg| arg == "--quick");
    guests::build()?;
    if args.iter().any(|arg| arg == "--powers") {
        guests::build_for_tests()?;
    }
    tools::step("building the soak test");
    let mut cargo = tools::cargo(&tools::root());
    cargo.args(["bench", "--locked", "--bench", "soak"]);
    if quick {
        cargo.args(["--profile", "dev"]);
    }
    cargo.arg("--");
    if quick {
        cargo.args(QUICK);
    }
    tools::run(cargo.args(args.iter().filter(|arg| *arg != "--quick")))
}
