//! `cargo xtask dist`: builds the programs for installation.

use crate::{guests, quickjs, tools};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// The compiler flag for fixed addresses of functions, so that a program needs no relocation when it starts.
pub(crate) const FIXED: &str = "-C relocation-model=static";

/// The features of the installed `hookbox`. It has no compiler, so it starts fast.
pub(crate) const FEATURES: &str = "listen,model,net,report,shared";

/// The two installed programs.
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

/// Builds a `hookbox` that starts fast because it does not contain the compiler, and the separate compiler program.
pub(crate) fn build() -> Result<Dist> {
    let dist = tools::root().join("target/dist");
    std::fs::create_dir_all(&dist).with_context(|| format!("`{}` cannot be made", dist.display()))?;
    // The target is named explicitly, so that code that runs during the build, such as macros, is not built with these
    // flags.
    let target = target(&host()?);
    guests::install_target(&target)?;
    quickjs::build()?;
    guests::build_own()?;
    tools::step("building hookbox");
    let mut lean = cargo("hookbox");
    lean.args(["--target", &target, "--features", FEATURES]);
    if target.ends_with("-musl") {
        lean.env("RUSTFLAGS", FIXED).env_remove("CARGO_ENCODED_RUSTFLAGS");
        let compiler = format!("CC_{}", target.replace('-', "_"));
        if std::env::var_os(&compiler).is_none() {
            // This machine's own compiler would use the headers of another C library.
            let [cc, ar] = quickjs::c_compiler(&target.replace("-unknown", ""))?;
            lean.env(&compiler, cc).env(compiler.replace("CC_", "AR_"), ar);
        }
    }
    tools::run(&mut lean)?;
    tools::step("building hookbox-compiler");
    tools::run(cargo("hookbox-compiler").args(["--features", "compiler"]))?;
    let put = |name: &str, from: &Path| {
        let program = dist.join(name);
        tools::copy(&build_dir().join(from).join("release").join(name), &program).map(|()| program)
    };
    let built =
        Dist { hookbox: put("hookbox", Path::new(&target))?, compiler: put("hookbox-compiler", Path::new(""))? };
    put_own_code(&built.hookbox, &dist, None)?;
    Ok(built)
}

/// Compiles hookbox's own components into a directory, and removes those of an earlier version. The code is for this
/// machine, or for all machines of a target. Returns the files.
pub(crate) fn put_own_code(hookbox: &Path, dir: &Path, target: Option<&str>) -> Result<Vec<PathBuf>> {
    remove_own_code(dir)?;
    let mut command = std::process::Command::new(hookbox);
    command.arg("__own-code").arg(dir).args(target.map(|target| format!("--target={target}")));
    let files = tools::output(&mut command)?;
    Ok(files.lines().map(PathBuf::from).collect())
}

/// Removes the machine code of an earlier version.
pub(crate) fn remove_own_code(dir: &Path) -> Result<()> {
    Ok(own_code(dir)?.iter().try_for_each(std::fs::remove_file)?)
}

/// The files with the machine code of hookbox's own components in a directory.
pub(crate) fn own_code(dir: &Path) -> Result<Vec<PathBuf>> {
    let is_code = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "code");
    Ok(std::fs::read_dir(dir)?.filter_map(|entry| Some(entry.ok()?.path())).filter(is_code).collect())
}

/// Returns the target directory. It is separate from that of other builds, which would otherwise be rebuilt for each
/// change of features.
fn build_dir() -> PathBuf {
    tools::root().join("target/dist-build")
}

fn cargo(program: &str) -> std::process::Command {
    let mut cargo = tools::cargo(&tools::root());
    cargo.args([
        "build",
        "--release",
        "--locked",
        "--package",
        "hookbox-cli",
        "--bin",
        program,
        "--no-default-features",
    ]);
    cargo.arg("--target-dir").arg(build_dir());
    cargo
}

/// Returns the target for `hookbox`. On Linux this is musl, which uses no shared libraries and does not query the
/// processor before `main`. On a virtual machine, that query takes the GNU library as long as the rest of the startup.
fn target(host: &str) -> String {
    match host.split_once('-') {
        Some((arch @ ("x86_64" | "aarch64"), os)) if os.contains("linux") => format!("{arch}-unknown-linux-musl"),
        _ => host.to_owned(),
    }
}

/// Returns this machine's target.
fn host() -> Result<String> {
    let version = tools::rustc(&["-vV"])?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("`rustc -vV` does not name the host")
}
