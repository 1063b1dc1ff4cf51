//! The programs of a package, built for any system.

use super::{System, macos, scratch};
use crate::languages::{Language, install_program};
use crate::targets::{ZIGBUILD, zig_path};
use crate::{dist, guests, quickjs, reproducible, tools};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version of cargo-auditable, which puts the list of dependencies into each program, where `cargo audit bin` finds
/// it. Earlier versions do not work with Zig.
const AUDITABLE: &str = "0.7.7";

pub(super) struct Programs {
    pub(super) hookbox: PathBuf,
    pub(super) compiler: PathBuf,
    /// The machine code of hookbox's own components.
    pub(super) own_code: Vec<PathBuf>,
}

/// Builds a hookbox that runs on this machine and has a compiler for all systems.
pub(super) fn build_host() -> Result<PathBuf> {
    quickjs::build()?;
    guests::build_own()?;
    tools::step("building a compiler for all systems");
    let dir = tools::root().join("target/package-build/host");
    let mut cargo = tools::cargo(&tools::root());
    cargo.args(["build", "--locked", "--package", "hookbox-cli", "--bin", "hookbox", "--features", "cross"]);
    tools::run(cargo.arg("--target-dir").arg(&dir))?;
    Ok(dir.join("debug/hookbox"))
}

/// Builds the programs for a system. `host` is the hookbox that [`build_host`] returned.
pub(super) fn build(system: &System, host: &Path) -> Result<Programs> {
    guests::install_target(system.target)?;
    Language::C.install()?;
    install_program("cargo-zigbuild", ZIGBUILD)?;
    let built = |name: &str, features: &str| -> Result<PathBuf> {
        tools::step(&format!("building {name} for {}", system.target));
        tools::run(&mut cargo(system, name, features)?)?;
        let program = build_dir().join(system.target).join("release").join(name);
        if system.is_macos() {
            macos::check(&program)?;
        }
        Ok(program)
    };
    let (hookbox, compiler) = (built("hookbox", dist::FEATURES)?, built("hookbox-compiler", "compiler")?);
    tools::step(&format!("compiling hookbox's own components for {}", system.target));
    let code = scratch(&format!("{}-code", system.target))?;
    Ok(Programs { hookbox, compiler, own_code: dist::put_own_code(host, &code, Some(system.target))? })
}

/// Strips the programs that were built for the tests, and finds the machine code beside them.
pub(super) fn given(hookbox: &Path) -> Result<Programs> {
    let dir = scratch("given")?;
    let strip = |program: &Path| -> Result<PathBuf> {
        let stripped = dir.join(program.file_name().unwrap_or_default());
        tools::run(Command::new("strip").arg("-o").arg(&stripped).arg(program))?;
        Ok(stripped)
    };
    let own_code = dist::own_code(hookbox.parent().context("it has no directory")?)?;
    ensure!(!own_code.is_empty(), "there is no machine code beside `{}`: run `cargo xtask test`", hookbox.display());
    let compiler = hookbox.with_file_name("hookbox-compiler");
    Ok(Programs { hookbox: strip(hookbox)?, compiler: strip(&compiler)?, own_code })
}

fn cargo(system: &System, program: &str, features: &str) -> Result<Command> {
    let mut cargo = Command::new(tools::install("cargo-auditable", AUDITABLE, &[])?);
    // cargo-auditable calls cargo-zigbuild instead of cargo.
    cargo.current_dir(tools::root()).env("PATH", zig_path()?).env("CARGO", "cargo-zigbuild");
    cargo.args(["auditable", "build", "--locked", "--release", "--package", "hookbox-cli", "--bin", program]);
    cargo.args(["--no-default-features", "--features", features, "--target", system.target]);
    cargo.arg("--target-dir").arg(build_dir());
    let mut flags = reproducible::remap();
    if system.is_macos() {
        macos::set_up(&mut cargo);
    } else {
        flags.push(dist::FIXED.to_owned());
    }
    cargo.env("RUSTFLAGS", flags.join(" ")).env_remove("CARGO_ENCODED_RUSTFLAGS");
    Ok(cargo)
}

fn build_dir() -> PathBuf {
    tools::root().join("target/package-build/cargo")
}
