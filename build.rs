//! Embeds the component that runs scripts: `target/guests/quickjs.wasm`, which `cargo xtask guests` builds, or the file
//! that `HOOKBOX_QUICKJS` names. Without it, hookbox reports an error for a config that has a script.

use sha2::{Digest, Sha256};
use std::env;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

const VARIABLE: &str = "HOOKBOX_QUICKJS";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let named = env::var_os(VARIABLE).map(PathBuf::from);
    let file = named.clone().unwrap_or_else(|| root.join("target/guests/quickjs.wasm"));
    let mut runner = fs::read(&file).ok();
    match (&runner, named) {
        (None, Some(_)) => return Err(format!("`{}`, which {VARIABLE} names, cannot be read", file.display()).into()),
        // Cargo treats a missing file as always changed. An empty file stands in for it until it is built.
        (None, None) if root.join("xtask").is_dir() => {
            if let Some(dir) = file.parent() {
                fs::create_dir_all(dir)?;
            }
            fs::write(&file, "")?;
        }
        _ => {}
    }
    if file.exists() {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    let code = match runner.take().filter(|bytes| !bytes.is_empty()) {
        Some(bytes) => {
            let sha256: [u8; 32] = Sha256::digest(&bytes).into();
            let file = file.to_str().ok_or("the path of the runner is not UTF-8")?;
            format!("Some(Runner {{ bytes: include_bytes!({file:?}), sha256: {sha256:?} }})")
        }
        None => "None".to_owned(),
    };
    let out = PathBuf::from(env::var("OUT_DIR")?).join("runner.rs");
    fs::write(
        out,
        format!("/// The component, if hookbox was built with it.\nstatic RUNNER: Option<Runner> = {code};\n"),
    )?;
    Ok(())
}
