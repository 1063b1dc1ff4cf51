//! Hooks in C: a compiler for WebAssembly, with the SDK's sources next to the hook's own.

use super::toolchain::{C_SDK, RUN_MODULE, Tool, scratch, step, unpack};
use anyhow::Context;
use hookbox_componentize::{World, componentize};
use std::path::{Path, PathBuf};

const ZIG: Tool = Tool {
    name: "zig, which has a C compiler for WebAssembly,",
    ways: &[&["zig"], &["python3", "-c", RUN_MODULE, "ziglang"]],
    version: "version",
    install: "pip install ziglang",
};

/// The compiler flags. The stack is small because each call begins with a zeroed one. A function that may end without
/// returning an answer is an error. `zig` would remove `assert` from an optimized program, and the C library's own
/// `assert` would print text that no one reads.
const FLAGS: &str = include_str!("../../../../../guest-sdk/c/flags");

/// Compiles all C files of the folder.
pub(super) fn build(dir: &Path) -> anyhow::Result<Vec<u8>> {
    let zig = ZIG.find()?;
    let mut sources = sources(dir)?;
    let mut command = zig.command();
    command.arg("cc").args(FLAGS.split_whitespace()).arg("-I.");
    let scratch = scratch()?;
    // By default, the cache is in the hook's folder if that has a `build.zig`.
    command.env("ZIG_LOCAL_CACHE_DIR", scratch.path().join("cache"));
    if !dir.join("hookbox.h").is_file() {
        let sdk = unpack(&C_SDK, scratch.path())?;
        command.arg("-I").arg(&sdk);
        sources.extend(self::sources(&sdk)?);
    }
    let core = scratch.path().join("hook.core.wasm");
    step("zig cc", dir, command.args(&sources).arg("-o").arg(&core))?;
    let core = std::fs::read(&core).with_context(|| format!("zig left no `{}`", core.display()))?;
    componentize(&core, World::POLICY, false)
}

/// Returns the C files in a folder, by their full paths.
fn sources(dir: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let unreadable = || format!("`{}` cannot be read", dir.display());
    let mut sources = Vec::new();
    for entry in dir.canonicalize().with_context(unreadable)?.read_dir().with_context(unreadable)? {
        let path = entry.with_context(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "c") {
            sources.push(path);
        }
    }
    sources.sort();
    Ok(sources)
}
