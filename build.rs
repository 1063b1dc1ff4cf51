//! Embeds the components that are part of hookbox: the files `target/guests/NAME.wasm`, which `cargo xtask guests`
//! builds, or those in the directory that `HOOKBOX_GUESTS` names. The policies are in the `policies` subdirectory. If a
//! component is missing, hookbox reports an error for each config that needs it.

use sha2::{Digest, Sha256};
use std::env;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

const VARIABLE: &str = "HOOKBOX_GUESTS";

/// The interpreter of scripts, the parser of shell commands, and the policies.
const COMPONENTS: [&str; 10] = [
    "quickjs",
    "commands",
    "policies/command-allowlist",
    "policies/injection-scan",
    "policies/mcp-guard",
    "policies/network-egress",
    "policies/no-destructive-commands",
    "policies/no-secret-leaks",
    "policies/package-guard",
    "policies/protect-paths",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let named = env::var_os(VARIABLE).map(PathBuf::from);
    let dir = named.clone().unwrap_or_else(|| root.join("target/guests"));
    let mut list = String::new();
    for name in COMPONENTS {
        let file = dir.join(name).with_extension("wasm");
        let bytes = fs::read(&file).ok();
        match (&bytes, &named) {
            (None, Some(_)) => {
                return Err(format!("{VARIABLE} names a directory in which `{}` cannot be read", file.display()).into());
            }
            // Cargo treats a missing file as always changed, so an empty placeholder is written until the component is
            // built.
            (None, None) if root.join("xtask").is_dir() => {
                fs::create_dir_all(file.parent().unwrap_or(&dir))?;
                fs::write(&file, "")?;
            }
            _ => {}
        }
        if file.exists() {
            println!("cargo::rerun-if-changed={}", file.display());
        }
        if let Some(bytes) = bytes.filter(|bytes| !bytes.is_empty()) {
            let sha256: [u8; 32] = Sha256::digest(&bytes).into();
            let file = file.to_str().ok_or("the path of a component is not UTF-8")?;
            writeln!(list, "Embedded {{ name: {name:?}, bytes: include_bytes!({file:?}), sha256: {sha256:?} }},")?;
        }
    }
    let out = PathBuf::from(env::var("OUT_DIR")?).join("embedded.rs");
    fs::write(out, format!("/// Those that hookbox was built with.\nstatic EMBEDDED: &[Embedded] = &[\n{list}];\n"))?;
    Ok(())
}
