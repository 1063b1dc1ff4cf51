//! The programs of a package, for any system.

use super::{System, scratch};
use crate::languages::{Language, install_program};
use crate::targets::{ZIGBUILD, zigbuild};
use crate::{dist, guests, quickjs, tools};
use anyhow::Result;
use std::path::PathBuf;
use std::process::Command;

/// What `hookbox` is built with. It has no compiler, so it starts fast.
const FEATURES: &str = "http,model,net,report,shared";

pub(super) struct Programs {
    pub(super) hookbox: PathBuf,
    pub(super) compiler: PathBuf,
    /// The machine code of hookbox's own components; none if the programs do not run here.
    pub(super) own_code: Vec<PathBuf>,
}

pub(super) fn build(system: &System) -> Result<Programs> {
    guests::install_target(system.target)?;
    quickjs::build()?;
    guests::build_own()?;
    Language::C.install()?;
    install_program("cargo-zigbuild", ZIGBUILD)?;
    tools::step(&format!("building hookbox for {}", system.target));
    tools::run(&mut cargo(system, "hookbox", FEATURES)?)?;
    tools::step(&format!("building hookbox-compiler for {}", system.target));
    tools::run(&mut cargo(system, "hookbox-compiler", "compiler")?)?;
    let at = |name: &str| build_dir().join(system.target).join("release").join(name);
    let mut programs = Programs { hookbox: at("hookbox"), compiler: at("hookbox-compiler"), own_code: Vec::new() };
    if system.target.starts_with(std::env::consts::ARCH) {
        // Side by side, where the one finds the other.
        let dir = scratch(&format!("{}-code", system.target))?;
        programs.own_code = dist::put_own_code(&programs.hookbox, &dir)?;
    }
    Ok(programs)
}

fn cargo(system: &System, program: &str, features: &str) -> Result<Command> {
    let mut cargo = zigbuild("zigbuild", &build_dir())?;
    cargo.args(["--release", "--package", "hookbox-cli", "--bin", program, "--no-default-features"]);
    cargo.args(["--features", features, "--target", system.target]);
    // The same bytes wherever the clone and cargo's home are.
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let mut flags = vec![dist::FIXED.to_owned(), format!("--remap-path-prefix={}=/hookbox", tools::root().display())];
    flags.extend(home.map(|home| format!("--remap-path-prefix={}=/cargo", home.display())));
    cargo.env("RUSTFLAGS", flags.join(" ")).env_remove("CARGO_ENCODED_RUSTFLAGS");
    Ok(cargo)
}

fn build_dir() -> PathBuf {
    tools::root().join("target/package-build/cargo")
}
