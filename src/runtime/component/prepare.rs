//! From bytes to something that can be called.

use super::cache::{CodeKey, Found};
use super::compiler::CompileError;
use super::digest::{ComponentFile, Digest, MAX_COMPONENT_BYTES};
use super::engines::Metering;
use super::grants::Grants;
use super::limits::Limits;
use super::sandbox::Sandbox;
use super::state::State;
use super::unchecked::NativeCode;
use super::{exports, imports};
use crate::protocol::{Code, Failure};
use bytesize::ByteSize;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use std::time::Instant;
use wasmtime::Engine;
use wasmtime::component::{Component, ComponentExportIndex, InstancePre};

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
    /// By cell. What is not there yet is made of `code` by the first call in the cell.
    linked: Arc<[OnceLock<Result<Linked, Failure>>]>,
    code: Option<Arc<NativeCode>>,
    pub(super) grants: Arc<Grants>,
    pub(super) limits: Limits,
}

/// A component as it is loaded and linked in one cell.
pub(super) struct Linked {
    pub(super) engine: Engine,
    pub(super) pre: InstancePre<State>,
    pub(super) run: ComponentExportIndex,
}

impl Prepared {
    /// Whether it has no grants, so that its answer depends on the Input alone.
    #[must_use]
    pub fn is_pure(&self) -> bool {
        self.grants.is_empty()
    }

    /// The component in a cell.
    pub(super) fn linked(&self, cell: usize) -> Result<&Linked, Failure> {
        let lost = || Failure::new(Code::Internal, "is not loaded for this thread".to_owned());
        let place = self.linked.get(cell).ok_or_else(lost)?;
        let linked = place.get_or_init(|| {
            let engine = self.sandbox.engine(self.limits.metering(), cell)?;
            let code = self.code.as_ref().ok_or_else(lost)?;
            Linked::new(engine, &load(code, engine)?, &self.grants)
        });
        linked.as_ref().map_err(Failure::clone)
    }
}

impl Linked {
    fn new(engine: &Engine, component: &Component, grants: &Grants) -> Result<Self, Failure> {
        let run = exports::find_run(component, engine)?;
        let linker = imports::link(component, engine, grants)?;
        let pre = linker.instantiate_pre(component).map_err(|error| {
            Failure::new(Code::Import, format!("does not fit what it imports: {}", one_line(&error)))
        })?;
        Ok(Linked { engine: engine.clone(), pre, run })
    }
}

/// What the bytes of a component come from.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    Bytes(&'a [u8], Digest),
    File(&'a ComponentFile),
}

impl<'a> Source<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Source::Bytes(bytes, Digest::of(bytes))
    }

    pub(super) const fn digest(&self) -> Digest {
        match self {
            Source::Bytes(_, digest) => *digest,
            Source::File(file) => file.digest(),
        }
    }

    fn read(&self) -> Result<Cow<'a, [u8]>, Failure> {
        match self {
            Source::Bytes(bytes, _) => Ok(Cow::Borrowed(bytes)),
            Source::File(file) => file.read().map(Cow::Owned),
        }
    }

    fn name(&self) -> String {
        match self {
            Source::Bytes(bytes, _) => format!("a component of {}", ByteSize(bytes.len() as u64)),
            Source::File(file) => format!("`{}`", file.path().display()),
        }
    }
}

impl Sandbox {
    /// Checks, compiles and links a component. `pin` is the SHA-256 that it must have, in lower-case hex.
    ///
    /// Compiling takes from milliseconds to seconds, and blocks the thread; do it when hooks are loaded.
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
        self.prepare_source(&Source::of(bytes), pin, grants, limits)
    }

    /// As [`prepare`](Sandbox::prepare), for a file. It is not read again if its machine code is in the cache.
    ///
    /// # Errors
    /// As for [`prepare`](Sandbox::prepare), or it cannot be read.
    pub fn prepare_file(
        &self,
        file: &ComponentFile,
        pin: Option<&str>,
        grants: Grants,
        limits: Limits,
    ) -> Result<Prepared, Failure> {
        self.prepare_source(&Source::File(file), pin, grants, limits)
    }

    fn prepare_source(
        &self,
        source: &Source<'_>,
        pin: Option<&str>,
        grants: Grants,
        limits: Limits,
    ) -> Result<Prepared, Failure> {
        let digest = source.digest().to_string();
        if let Some(pin) = pin.filter(|pin| *pin != digest) {
            return Err(Failure::new(Code::Pin, format!("is sha256 {digest}, but the config pins {pin}")));
        }
        let metering = limits.metering();
        let (component, code) = self.component(source, metering)?;
        let first = Linked::new(self.engine(metering, 0)?, &component, &grants)?;
        let cells = self.engines.cells();
        let linked = std::iter::once(OnceLock::from(Ok(first))).chain((1..cells).map(|_| OnceLock::new())).collect();
        let code = (cells > 1).then(|| Arc::new(code.shared()));
        Ok(Prepared { sandbox: self.clone(), linked, code, grants: Arc::new(grants), limits })
    }

    pub(super) fn engine(&self, metering: Metering, cell: usize) -> Result<&Engine, Failure> {
        let failed = |error| Failure::new(Code::Internal, format!("has no sandbox here: {error:#}"));
        self.engines.of(metering, cell).map_err(failed)
    }

    /// The component for the first cell and its code, from the cache or else compiled.
    pub(super) fn component(
        &self,
        source: &Source<'_>,
        metering: Metering,
    ) -> Result<(Component, NativeCode), Failure> {
        let engine = self.engine(metering, 0)?;
        let key = CodeKey { component: source.digest(), metering };
        if let Some(cache) = &self.cache {
            match cache.look_up(&key) {
                Found::Code(code) => match load(&code, engine) {
                    Err(failure) if failure.code != Code::Limit => cache.mismatch(&key, &failure.message),
                    loaded => return loaded.map(|component| (component, code)),
                },
                Found::Failure(failure) if !self.compiler.retries() => return Err(failure),
                Found::Failure(_) | Found::Nothing => {}
            }
        }
        let bytes = source.read()?;
        check_shape(&bytes)?;
        let started = Instant::now();
        let compiled = self.compiler.compile(&bytes, metering, &source.name());
        tracing::debug!(bytes = bytes.len(), took = ?started.elapsed(), "component compiled");
        if let Some(cache) = &self.cache {
            match &compiled {
                Ok(code) => cache.keep_code(&key, code.bytes().unwrap_or_default()),
                Err(CompileError::Refused(failure) | CompileError::Overdue(failure)) => {
                    cache.keep_failure(&key, failure)
                }
                Err(CompileError::Unavailable(_)) => {}
            }
        }
        let code = compiled.map_err(CompileError::into_failure)?;
        Ok((load(&code, engine)?, code))
    }
}

fn load(code: &NativeCode, engine: &Engine) -> Result<Component, Failure> {
    code.load(engine).map_err(|error| {
        let text = one_line(&error);
        // A pool has no place for more than the limits of a call allow.
        match text.contains(POOL_LIMIT) {
            true => Failure::new(Code::Limit, format!("went over a limit: {text}")),
            false => Failure::new(Code::Compile, format!("was compiled to code that cannot be loaded: {text}")),
        }
    })
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

/// An error of the engine with its causes, on one line.
pub(super) fn one_line(error: &wasmtime::Error) -> String {
    let causes: Vec<String> = error.chain().map(|cause| cause.to_string()).collect();
    causes.join(": ").split_whitespace().collect::<Vec<_>>().join(" ")
}
