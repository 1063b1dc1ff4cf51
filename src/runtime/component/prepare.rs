//! From bytes to something that can be called.

use super::engine::Sandbox;
use super::grants::Grants;
use super::limits::Limits;
use super::state::State;
use super::{exports, imports, precheck};
use crate::protocol::{Code, Failure};
use sha2::{Digest, Sha256};
use std::fmt;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use wasmtime::component::{Component, ComponentExportIndex, InstancePre};

/// The largest component, in bytes. What Python's toolchain makes has 18 MB.
pub const MAX_COMPONENT_BYTES: usize = 64 << 20;

/// How wasmtime words that a component needs more than a place of the pool has.
const POOL_LIMIT: &str = "in the pooling allocator";

/// What every binary begins with.
const MAGIC: &[u8] = b"\0asm";
/// What follows in a component, and in a core module.
const COMPONENT_VERSION: &[u8] = &[0x0d, 0x00, 0x01, 0x00];
const MODULE_VERSION: &[u8] = &[0x01, 0x00, 0x00, 0x00];

/// A component that was checked, compiled and linked with exactly its grants. Cheap to clone.
#[derive(Clone)]
pub struct Prepared {
    pub(super) sandbox: Sandbox,
    pub(super) pre: InstancePre<State>,
    pub(super) run: ComponentExportIndex,
    pub(super) grants: Arc<Grants>,
    pub(super) limits: Limits,
}

impl Prepared {
    /// Whether it has no grants, so that its answer depends on the Input alone.
    #[must_use]
    pub fn is_pure(&self) -> bool {
        self.grants.is_empty()
    }
}

impl Sandbox {
    /// Checks, compiles and links a component. `pin` is the SHA-256 that it must have, in lower-case hex.
    ///
    /// Compiling takes from milliseconds to seconds of CPU; do it when hooks are loaded.
    ///
    /// # Errors
    /// The bytes are not the pinned ones, not a component, not a hook, or need what is not granted.
    pub fn prepare(
        &self,
        bytes: &[u8],
        pin: Option<&str>,
        grants: Grants,
        limits: Limits,
    ) -> Result<Prepared, Failure> {
        if let Some(pin) = pin {
            let actual = digest(bytes);
            if actual != pin {
                return Err(Failure::new(Code::Pin, format!("is sha256 {actual}, but the config pins {pin}")));
            }
        }
        let started = Instant::now();
        let component = self.compile(bytes)?;
        tracing::debug!(bytes = bytes.len(), took = ?started.elapsed(), "component compiled");
        let run = exports::find_run(&component, &self.engine)?;
        let linker = imports::link(&component, &self.engine, &grants)?;
        let pre = linker.instantiate_pre(&component).map_err(|error| {
            Failure::new(Code::Import, format!("does not fit what it imports: {}", one_line(&error)))
        })?;
        Ok(Prepared { sandbox: self.clone(), pre, run, grants: Arc::new(grants), limits })
    }

    pub(super) fn compile(&self, bytes: &[u8]) -> Result<Component, Failure> {
        check_shape(bytes)?;
        precheck::check(bytes)?;
        Component::from_binary(&self.engine, bytes).map_err(|error| {
            let text = one_line(&error);
            // A pool has no place for more than the limits of a call allow.
            match text.contains(POOL_LIMIT) {
                true => Failure::new(Code::Limit, format!("went over a limit: {text}")),
                false => Failure::new(Code::Compile, format!("was refused by the compiler: {text}")),
            }
        })
    }
}

fn check_shape(bytes: &[u8]) -> Result<(), Failure> {
    let not_a_component = |what: &str| Err(Failure::new(Code::NotAComponent, what.to_owned()));
    if bytes.len() > MAX_COMPONENT_BYTES {
        let limit = MAX_COMPONENT_BYTES >> 20;
        return Err(Failure::new(Code::Unreadable, format!("has {} bytes; the limit is {limit} MiB", bytes.len())));
    }
    match bytes.strip_prefix(MAGIC) {
        Some(rest) if rest.starts_with(COMPONENT_VERSION) => Ok(()),
        Some(rest) if rest.starts_with(MODULE_VERSION) => not_a_component(
            "is a core module, not a component: build it for the target wasm32-wasip2, or make a component of it with \
             `wasm-tools component new`",
        ),
        Some(_) => not_a_component("is WebAssembly of a version that is not known, not a component"),
        None if bytes.is_empty() => not_a_component("is an empty file, not a component"),
        None if bytes.trim_ascii_start().starts_with(b"(") => {
            not_a_component("is WebAssembly text, not a component: make it binary with `wasm-tools parse`")
        }
        None => not_a_component("is not WebAssembly"),
    }
}

/// Reads a component's file, of at most [`MAX_COMPONENT_BYTES`].
///
/// # Errors
/// It is no regular file, too large, or cannot be read.
pub fn read_file(path: &Path) -> Result<Vec<u8>, Failure> {
    let unreadable = |why: &dyn fmt::Display| Failure::new(Code::Unreadable, format!("`{}`: {why}", path.display()));
    let meta = fs::metadata(path).map_err(|error| unreadable(&error))?;
    if !meta.is_file() {
        return Err(unreadable(&"not a file"));
    }
    if meta.len() > MAX_COMPONENT_BYTES as u64 {
        return Err(unreadable(&format_args!("has {} bytes; the limit is {MAX_COMPONENT_BYTES}", meta.len())));
    }
    let mut bytes = Vec::new();
    // It may grow while it is read. What is cut off is no valid component.
    let read = fs::File::open(path).and_then(|file| file.take(MAX_COMPONENT_BYTES as u64).read_to_end(&mut bytes));
    read.map_err(|error| unreadable(&error))?;
    Ok(bytes)
}

/// The SHA-256 of the bytes in lower-case hex: what a config pins.
#[must_use]
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An error of the engine with its causes, on one line.
pub(super) fn one_line(error: &wasmtime::Error) -> String {
    let causes: Vec<String> = error.chain().map(|cause| cause.to_string()).collect();
    causes.join(": ").split_whitespace().collect::<Vec<_>>().join(" ")
}
