//! The steps from bytes to a component that can be called.

use super::cache::{CodeKey, Found};
use super::compiler::{CompileError, Made};
use super::digest::{ComponentFile, Digest, MAX_COMPONENT_BYTES};
use super::embedded::Embedded;
use super::engines::Metering;
use super::exports;
use super::grants::{Granted, Grants};
use super::imports::Imports;
use super::limits::Limits;
use super::loaded::Loaded;
use super::sandbox::Sandbox;
use super::script::Script;
use super::unchecked::NativeCode;
use crate::protocol::{Code, Failure, Kind};
use bytesize::ByteSize;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;
use wasmtime::Engine;
use wasmtime::component::Component;

/// wasmtime's wording when a component needs more than one place in the pool offers.
const POOL_LIMIT: &str = "in the pooling allocator";

/// The first bytes of every WebAssembly binary.
const MAGIC: &[u8] = b"\0asm";
/// The bytes that follow in a component, and in a core module.
const COMPONENT_VERSION: &[u8] = &[0x0d, 0x00, 0x01, 0x00];
const MODULE_VERSION: &[u8] = &[0x01, 0x00, 0x00, 0x00];

/// A component that was checked, compiled and linked with exactly its grants. It is cheap to clone.
#[derive(Clone)]
pub struct Prepared {
    pub(super) sandbox: Sandbox,
    pub(super) loaded: Arc<Loaded>,
    pub(super) grants: Arc<Granted>,
    pub(super) limits: Limits,
    /// The script to run, if the component is the script runner.
    pub(super) script: Option<Arc<Script>>,
}

impl Prepared {
    /// Returns whether the component has no grants, so that its answer depends on the Input alone.
    #[must_use]
    pub fn is_pure(&self) -> bool {
        self.grants.grants().is_empty()
    }

    /// Returns how the hook is run.
    pub(super) const fn kind(&self) -> Kind {
        if self.script.is_some() { Kind::Script } else { Kind::Component }
    }
}

/// The origin of a component's bytes.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    Bytes(&'a [u8], Digest),
    File(&'a ComponentFile),
    Embedded(&'static Embedded),
}

impl<'a> Source<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Source::Bytes(bytes, Digest::of(bytes))
    }

    pub(super) fn digest(&self) -> Digest {
        match self {
            Source::Bytes(_, digest) => *digest,
            Source::File(file) => file.digest(),
            Source::Embedded(embedded) => embedded.digest(),
        }
    }

    fn read(&self) -> Result<Cow<'a, [u8]>, Failure> {
        match self {
            Source::Bytes(bytes, _) => Ok(Cow::Borrowed(bytes)),
            Source::File(file) => file.read().map(Cow::Owned),
            Source::Embedded(embedded) => Ok(Cow::Borrowed(embedded.bytes)),
        }
    }

    fn name(&self) -> String {
        match self {
            Source::Bytes(bytes, _) => format!("a component of {}", ByteSize(bytes.len() as u64)),
            Source::File(file) => format!("`{}`", file.path().display()),
            Source::Embedded(embedded) => format!("hookbox's own component `{}`", embedded.name),
        }
    }
}

impl Sandbox {
    /// Checks, compiles and links a component. `pin` is the SHA-256 that the component must have, in lower-case hex.
    ///
    /// Compiling takes milliseconds to seconds and blocks the thread, so call this when hooks are loaded.
    ///
    /// # Errors
    /// Returns a failure if the bytes are not the pinned ones, are not a component or not a hook, or need something
    /// that is not granted; also if a grant cannot be given.
    pub fn prepare(
        &self,
        bytes: &[u8],
        pin: Option<&str>,
        grants: Grants,
        limits: Limits,
    ) -> Result<Prepared, Failure> {
        self.prepare_source(&Source::of(bytes), pin, grants, limits)
    }

    /// Like [`prepare`](Sandbox::prepare), for a file. If its machine code is in the cache, the file is not read again.
    ///
    /// # Errors
    /// Returns a failure in the same cases as [`prepare`](Sandbox::prepare), or if the file cannot be read.
    pub fn prepare_file(
        &self,
        file: &ComponentFile,
        pin: Option<&str>,
        grants: Grants,
        limits: Limits,
    ) -> Result<Prepared, Failure> {
        self.prepare_source(&Source::File(file), pin, grants, limits)
    }

    pub(super) fn prepare_source(
        &self,
        source: &Source<'_>,
        pin: Option<&str>,
        grants: Grants,
        limits: Limits,
    ) -> Result<Prepared, Failure> {
        check_pin(source.digest(), pin)?;
        let grants = Arc::new(Granted::new(grants, &self.powers)?);
        let loaded =
            Loaded::new(self, source, limits.metering(), Arc::clone(&grants), Imports::All, exports::find_run)?;
        Ok(Prepared { sandbox: self.clone(), loaded: Arc::new(loaded), grants, limits, script: None })
    }

    pub(super) fn engine(&self, metering: Metering, cell: usize) -> Result<&Engine, Failure> {
        let failed = |error| Failure::new(Code::Internal, format!("has no sandbox here: {error:#}"));
        self.engines.of(metering, cell).map_err(failed)
    }

    /// Returns the component for the first cell and its code: installed with hookbox, from the cache, or freshly
    /// compiled.
    pub(super) fn component(
        &self,
        source: &Source<'_>,
        metering: Metering,
    ) -> Result<(Component, NativeCode), Failure> {
        let engine = self.engine(metering, 0)?;
        if let (Source::Embedded(embedded), Metering::None) = (source, metering)
            && let Some(code) = embedded.installed()
        {
            match load(&code, engine) {
                Ok(component) => return Ok((component, code)),
                // The installed code was made for another processor.
                Err(failure) => tracing::debug!(name = embedded.name, "the installed code: {}", failure.message),
            }
        }
        let key = CodeKey { component: source.digest(), metering };
        let known = || self.known(&key, engine);
        if let Some(known) = known() {
            return known;
        }
        let bytes = source.read()?;
        check_shape(&bytes)?;
        let (started, name) = (Instant::now(), source.name());
        let made = match &self.cache {
            Some(cache) => self.compiler.compile_and_keep(cache, &key, &bytes, &name, known),
            None => self.compiler.compile(&bytes, metering, &name).map(Made::Code),
        };
        tracing::debug!(bytes = bytes.len(), took = ?started.elapsed(), "component compiled");
        match made.map_err(CompileError::into_failure)? {
            Made::Known(known) => known,
            Made::Code(code) => Ok((load(&code, engine)?, code)),
        }
    }

    /// Compiles a component without looking into the cache.
    pub(super) fn compiled(&self, source: &Source<'_>, metering: Metering) -> Result<NativeCode, Failure> {
        self.compiler.compile(&source.read()?, metering, &source.name()).map_err(CompileError::into_failure)
    }

    /// Looks up a component in the cache.
    fn known(&self, key: &CodeKey, engine: &Engine) -> Option<Result<(Component, NativeCode), Failure>> {
        let cache = self.cache.as_ref()?;
        match cache.look_up(key) {
            Found::Code(code) => match load(&code, engine) {
                Err(failure) if failure.code != Code::Limit => {
                    cache.mismatch(key, &failure.message);
                    None
                }
                loaded => Some(loaded.map(|component| (component, code))),
            },
            Found::Failure(failure) => (!self.compiler.retries()).then_some(Err(failure)),
            Found::Nothing => None,
        }
    }
}

/// Checks a digest against the pin, if there is one.
///
/// # Errors
/// Returns a failure if the digest is not the pinned one.
pub(super) fn check_pin(digest: Digest, pin: Option<&str>) -> Result<(), Failure> {
    let digest = digest.to_string();
    match pin.filter(|pin| *pin != digest) {
        Some(pin) => Err(Failure::new(Code::Pin, format!("is sha256 {digest}, but the config pins {pin}"))),
        None => Ok(()),
    }
}

pub(super) fn load(code: &NativeCode, engine: &Engine) -> Result<Component, Failure> {
    code.load(engine).map_err(|error| {
        let text = one_line(&error);
        // The pool's places are sized for the limits of a call, so a component that exceeds a place exceeds a limit.
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
            "is a core module, not a component: build it with `hookbox build` or for the target wasm32-wasip2, or make a \
             component of it with `wasm-tools component new`",
        ),
        Some(_) => not_a_component("is WebAssembly of a version that is not known, not a component"),
        None if bytes.is_empty() => not_a_component("is an empty file, not a component"),
        None if bytes.trim_ascii_start().starts_with(b"(") => {
            not_a_component("is WebAssembly text, not a component: make it binary with `wasm-tools parse`")
        }
        None => not_a_component("is not WebAssembly"),
    }
}

/// Prefixes of wasmtime's debug dumps, which are dropped from messages.
const DUMPS: [&str; 2] = ["wasm coredump generated", "error while executing at wasm backtrace"];

/// Formats an engine error and its causes on one line.
pub(super) fn one_line(error: &wasmtime::Error) -> String {
    let causes = error.chain().map(|cause| cause.to_string());
    let causes: Vec<String> = causes.filter(|cause| !DUMPS.iter().any(|dump| cause.starts_with(dump))).collect();
    causes.join(": ").split_whitespace().collect::<Vec<_>>().join(" ")
}
