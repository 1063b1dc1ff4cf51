//! Translates the null adapter at build time, so that no program needs a parser of WebAssembly's text format for it.

use std::path::PathBuf;
use std::{env, fs};

const ADAPTER: &str = "../../guest-sdk/adapter/null.wat";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed={ADAPTER}");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo names no OUT_DIR")?);
    fs::write(out.join("null.wasm"), wat::parse_file(ADAPTER)?)?;
    Ok(())
}
