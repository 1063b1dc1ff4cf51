//! Builds whose bytes do not depend on where the clone and cargo's home are.

use crate::tools;
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable with the compiler flags for components. cargo adds them to the flags in `.cargo/config.toml` of the
/// component's workspace, which `RUSTFLAGS` would replace.
const COMPONENT_FLAGS: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";

/// Sets the flags and the compiler with which a component has the same bytes in every clone.
pub(crate) fn component(cargo: &mut Command) -> Result<()> {
    cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    cargo.env(COMPONENT_FLAGS, remap().join(" ")).env("RUSTC_WRAPPER", rustc()?);
    Ok(())
}

/// Returns the flags that replace the paths of this clone and of cargo's home by fixed names.
pub(crate) fn remap() -> Vec<String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let named = |path: &Path, name: &str| format!("--remap-path-prefix={}={name}", path.display());
    let mut flags = vec![named(&tools::root(), "/hookbox")];
    flags.extend(home.map(|home| named(&home, "/cargo")));
    flags
}

/// Writes a wrapper of `rustc` for workspaces that use a package outside of them, as each component uses the SDK.
///
/// Symbol names contain a hash of what cargo passes as `-C metadata`. For a package outside of the workspace, that depends
/// on its absolute path. This compiler passes the crate's name instead.
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
