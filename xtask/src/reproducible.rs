//! Builds that give the same bytes wherever the clone and cargo's home are.

use crate::tools;
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Tells cargo which linker and flags to use for components. The workspaces of the components add flags of their own in
/// `.cargo/config.toml`, which `RUSTFLAGS` would replace.
const COMPONENT_FLAGS: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";

/// Makes a build of a component reproducible.
pub(crate) fn component(cargo: &mut Command) -> Result<()> {
    cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    cargo.env(COMPONENT_FLAGS, remap().join(" ")).env("RUSTC_WRAPPER", rustc()?);
    Ok(())
}

/// The flags that keep the paths of this machine out of what is built.
pub(crate) fn remap() -> Vec<String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let named = |path: &Path, name: &str| format!("--remap-path-prefix={}={name}", path.display());
    let mut flags = vec![named(&tools::root(), "/hookbox")];
    flags.extend(home.map(|home| named(&home, "/cargo")));
    flags
}

/// Creates a `rustc` for crates that depend on a package outside of their workspace, as each component depends on the SDK.
///
/// The names of symbols contain a hash of what cargo passes as `-C metadata`, and for such a package cargo hashes its
/// absolute path. The crate's name takes its place.
fn rustc() -> Result<PathBuf> {
    let dir = tools::root().join("target/tools");
    std::fs::create_dir_all(&dir)?;
    let root = tools::quote(&tools::root().to_string_lossy());
    let lines = format!(
        "case $CARGO_MANIFEST_DIR in\n\
         {root}/*) for arg; do shift; case $arg in metadata=*) arg=metadata=$CARGO_CRATE_NAME ;; esac; \
         set -- \"$@\" \"$arg\"; done ;;\n\
         esac\n\
         exec \"$@\""
    );
    tools::script(&dir.join("reproducible-rustc"), &lines)
}
