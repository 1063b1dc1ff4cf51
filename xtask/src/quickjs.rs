//! The build of the component that runs scripts, from source: QuickJS with a C compiler, and the rest with the Rust
//! compiler.

use crate::languages::{Language, program_path};
use crate::{guests, reproducible, snapshot, tools};
use anyhow::{Context, Result};
use hookbox_componentize::{World, componentize};
use std::path::PathBuf;

const TARGET: &str = "wasm32-unknown-unknown";

/// Builds the component if its C compiler is installed or can be installed. Otherwise returns what was skipped and why.
/// If the variable `CI` is set, that is an error.
pub(crate) fn build_if_possible() -> Result<Option<String>> {
    match Language::C.install() {
        Err(error) if std::env::var_os("CI").is_none() => Ok(Some(format!("scripts: {error:#}"))),
        installed => installed.and_then(|()| build()).map(|_| None),
    }
}

/// Returns the path of the component.
pub(crate) fn component() -> PathBuf {
    guests::out_dir().join("quickjs.wasm")
}

/// Builds the component. Returns its path.
pub(crate) fn build() -> Result<PathBuf> {
    tools::step("building the interpreter of scripts");
    guests::install_target(TARGET)?;
    let [cc, ar] = c_compiler("wasm32-freestanding")?;
    let mut cargo = tools::cargo(&tools::root().join("guest-sdk/quickjs"));
    reproducible::component(&mut cargo)?;
    cargo.env("CARGO_TARGET_DIR", guests::out_dir()).env("CC_wasm32_unknown_unknown", cc);
    tools::run(cargo.env("AR_wasm32_unknown_unknown", ar).args(["build", "--release", "--locked"]))?;
    let core = guests::out_dir().join(TARGET).join("release/hookbox_quickjs.wasm");
    let component = component();
    let core = std::fs::read(&core).with_context(|| format!("`{}` cannot be read", core.display()))?;
    let ready = snapshot::after(&core, "prepare").context("the interpreter cannot be set up")?;
    let world = World {
        wit: include_str!("../../wit/script/runner.wit"),
        name: "hookbox:script/script-runner@0.1.0",
        powers: &[],
    };
    let made = componentize(&ready, world, false).context("the interpreter")?;
    // An unchanged file is not rewritten, so that nothing that depends on it is rebuilt.
    if std::fs::read(&component).ok().as_ref() != Some(&made) {
        tools::write(&component, &made)?;
    }
    Ok(component)
}

/// Creates a C compiler and its archiver for one of Zig's targets, as programs that take the usual arguments.
pub(crate) fn c_compiler(target: &str) -> Result<[PathBuf; 2]> {
    Language::C.install()?;
    let python = program_path("python");
    // Cargo passes a target name that this compiler does not understand.
    let cc = format!(
        "for a; do shift; case $a in --target=*) ;; *) set -- \"$@\" \"$a\";; esac; done\n\
         exec \"$(dirname \"$0\")/python\" -m ziglang cc -target {target} \"$@\""
    );
    let ar = "exec \"$(dirname \"$0\")/python\" -m ziglang ar \"$@\"";
    let at = |tool: &str| python.with_file_name(format!("{tool}-{target}"));
    Ok([tools::script(&at("cc"), &cc)?, tools::script(&at("ar"), ar)?])
}
