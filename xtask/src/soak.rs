//! `cargo xtask soak`: very many calls at once, some of them of hooks that misbehave.

use crate::{guests, tools};
use anyhow::Result;

/// Hands its arguments on: `--calls N`.
pub(crate) fn run(args: &[String]) -> Result<()> {
    guests::build()?;
    tools::step("building the soak test");
    let mut cargo = tools::cargo(&tools::root());
    tools::run(cargo.args(["bench", "--locked", "--bench", "soak", "--"]).args(args))
}
