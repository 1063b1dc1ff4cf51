//! `cargo xtask dist`: the programs as they are meant to be installed.

use crate::tools;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// What each `hookbox run` pays before its `main`, gone: the loader of shared libraries, and the relocations. Both are
/// Linux's.
const FIXED_AND_STATIC: &str = "-C target-feature=+crt-static -C relocation-model=static";

/// The two programs.
pub(crate) struct Dist {
    pub(crate) hookbox: PathBuf,
    compiler: PathBuf,
}

pub(crate) fn run() -> Result<()> {
    let Dist { hookbox, compiler } = build()?;
    for program in [hookbox, compiler] {
        let bytes = program.metadata().with_context(|| format!("`{}` is not there", program.display()))?.len();
        println!("{:>6.1} MB  {}", bytes as f64 / 1e6, program.display());
    }
    Ok(())
}

/// Builds a `hookbox` that starts fast because it does not contain the compiler, and the compiler to stand beside it.
pub(crate) fn build() -> Result<Dist> {
    let dist = tools::root().join("target/dist");
    std::fs::create_dir_all(&dist).with_context(|| format!("`{}` cannot be made", dist.display()))?;
    // The target is named so that what runs while it is built, as macros do, is not built that way.
    let host = host()?;
    tools::step("building hookbox");
    let mut lean = cargo("hookbox", "cli");
    lean.args(["--target", &host]);
    if host.contains("linux") {
        lean.env("RUSTFLAGS", FIXED_AND_STATIC).env_remove("CARGO_ENCODED_RUSTFLAGS");
    }
    tools::run(&mut lean)?;
    tools::step("building hookbox-compiler");
    tools::run(&mut cargo("hookbox-compiler", "compiler"))?;
    let put = |name: &str, from: &Path| {
        let program = dist.join(name);
        tools::copy(&build_dir().join(from).join("release").join(name), &program).map(|()| program)
    };
    Ok(Dist { hookbox: put("hookbox", Path::new(&host))?, compiler: put("hookbox-compiler", Path::new(""))? })
}

/// Apart from what else is built, which would have to be built again for each change of features.
fn build_dir() -> PathBuf {
    tools::root().join("target/dist-build")
}

fn cargo(program: &str, features: &str) -> std::process::Command {
    let mut cargo = tools::cargo(&tools::root());
    cargo.args(["build", "--release", "--locked", "--bin", program, "--no-default-features", "--features", features]);
    cargo.arg("--target-dir").arg(build_dir());
    cargo
}

/// This machine's target.
fn host() -> Result<String> {
    let version = tools::rustc(&["-vV"])?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("`rustc -vV` does not name the host")
}
