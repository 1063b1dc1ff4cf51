//! `cargo xtask targets`: checks that hookbox builds for the systems on which it is not tested here.

use crate::languages::{Language, install_program, program_path};
use crate::{dist, guests, quickjs, tools};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The target that `--link` links for. Only Apple may distribute the linking tools for macOS.
const LINKED: &str = "aarch64-unknown-linux-musl";

const TARGETS: [&str; 2] = [LINKED, "aarch64-apple-darwin"];

/// The package of cargo-zigbuild, which compiles the few lines of C in the engine and links for another system. It
/// brings a C compiler.
pub(crate) const ZIGBUILD: &str = "cargo-zigbuild==0.24.0";

/// Checks the library and the programs for these targets, or for all. With `--link`, links `hookbox` for [`LINKED`],
/// and compiles the C code.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let (mut link, mut targets) = (false, Vec::new());
    for arg in args {
        match TARGETS.into_iter().find(|target| target == arg) {
            Some(target) => targets.push(target),
            None if arg == "--link" => link = true,
            None => bail!("usage: cargo xtask targets [--link] [{}]", TARGETS.join(" | ")),
        }
    }
    if targets.is_empty() {
        targets.extend(TARGETS);
    }
    for target in &targets {
        guests::install_target(target)?;
    }
    tools::step(&format!("checking for {}", targets.join(" and ")));
    let mut check = tools::cargo(&tools::root());
    check.args([
        "check",
        "--locked",
        "--workspace",
        "--exclude",
        "hookbox-laws",
        "--exclude",
        "xtask",
        "--lib",
        "--bins",
    ]);
    let [cc, ar] = stubs()?;
    for target in targets {
        let suffix = target.replace('-', "_");
        check.args(["--target", target]).env(format!("CC_{suffix}"), &cc).env(format!("AR_{suffix}"), &ar);
    }
    tools::run(&mut check)?;
    if link { self::link() } else { Ok(()) }
}

/// Creates a C compiler and an archiver whose output is empty. A check does not link, so a real C compiler is needed
/// only for `--link`.
fn stubs() -> Result<[PathBuf; 2]> {
    let dir = tools::root().join("target/tools");
    std::fs::create_dir_all(&dir)?;
    let stub = |name: &str, lines: &str| tools::script(&dir.join(name), lines);
    let cc = stub("cc-stub", "while [ $# -gt 0 ]; do [ \"$1\" = -o ] && : >\"$2\"; shift; done")?;
    // The name of the archive is the argument after the operation.
    Ok([cc, stub("ar-stub", ": >\"$2\"")?])
}

fn link() -> Result<()> {
    // The library embeds these components.
    quickjs::build()?;
    guests::build_own()?;
    Language::C.install()?;
    install_program("cargo-zigbuild", ZIGBUILD)?;
    tools::step(&format!("linking for {LINKED}"));
    let lean = ["--package", "hookbox-cli", "--bin", "hookbox", "--no-default-features", "--features", dist::FEATURES];
    tools::run(zigbuild(&tools::root().join("target/check"))?.args(lean).args(["--target", LINKED]))
}

/// Returns a cargo command that links for other systems, with a separate directory for its builds.
fn zigbuild(build_dir: &Path) -> Result<Command> {
    let mut command = Command::new(program_path("cargo-zigbuild"));
    command.current_dir(tools::root()).env("PATH", zig_path()?).args(["zigbuild", "--locked"]);
    command.arg("--target-dir").arg(build_dir);
    Ok(command)
}

/// Returns a `PATH` in which cargo-zigbuild is found, and in which it finds Zig, which it looks for in the first
/// Python.
pub(crate) fn zig_path() -> Result<OsString> {
    let program = program_path("cargo-zigbuild");
    let dir = program.parent().context("the folder of the tools has no parent")?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    Ok(std::env::join_paths(std::iter::once(dir.to_owned()).chain(std::env::split_paths(&path)))?)
}
