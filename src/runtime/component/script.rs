//! Hooks written in plain JavaScript. A component inside hookbox runs them with an interpreter. A script can compute
//! and log, and use a store if it is granted one.

use super::call::RunResult;
use super::digest::ComponentFile;
use super::embedded::Embedded;
use super::engines::Metering;
use super::grants::{Granted, Grants};
use super::imports::Imports;
use super::limits::Limits;
use super::loaded::Loaded;
use super::prepare::{Prepared, Source, check_pin};
use super::sandbox::Sandbox;
use super::state::State;
use crate::protocol::{Code, Failure};
use regex::Regex;
use std::io;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;
use wasmtime::component::{Component, ComponentExportIndex, Instance};
use wasmtime::{Engine, Store};

/// The maximum size of a script, in bytes. It is parsed for each call: a megabyte takes a good part of a second.
pub const MAX_SCRIPT_BYTES: u64 = 1 << 20;

const INTERFACE: &str = "hookbox:script/runner@0.1.0";
const FUNCTION: &str = "run";

/// Returns the component that runs scripts, or `None` if hookbox was built without it. The component exports
/// `hookbox:script/runner@0.1.0` and imports every power that a component made from a script may use.
#[must_use]
pub fn script_runner() -> Option<&'static [u8]> {
    embedded().ok().map(|embedded| embedded.bytes)
}

fn embedded() -> Result<&'static Embedded, Failure> {
    Embedded::find("quickjs", "what runs scripts")
}

pub(super) struct Script {
    /// The script's name in errors: the name of its file.
    name: String,
    source: String,
    /// Whether the script is granted a store.
    has_store: bool,
}

/// A script runner, or `None` until it is linked.
type Runner = Mutex<Option<Arc<Loaded>>>;

/// The linked runners, shared by all scripts: for each kind of engine, one without a store and one with a store.
#[derive(Default)]
pub(super) struct Runners {
    plain: [Runner; 2],
    metered: [Runner; 2],
}

impl Sandbox {
    /// Prepares a script for calls. `pin` is the SHA-256 that its text must have, in lower-case hex. The script itself
    /// is not parsed before its first call.
    ///
    /// # Errors
    /// Returns a failure if the script is not the pinned one, is not text, is too large, or is granted something other
    /// than a store or a store that cannot be given; also if this hookbox was built without the script runner.
    pub fn prepare_script(
        &self,
        file: &ComponentFile,
        pin: Option<&str>,
        grants: Grants,
        limits: Limits,
    ) -> Result<Prepared, Failure> {
        check_pin(file.digest(), pin)?;
        if file.size() > MAX_SCRIPT_BYTES {
            let limit = MAX_SCRIPT_BYTES >> 20;
            return Err(Failure::new(Code::Unreadable, format!("has {} bytes; the limit is {limit} MiB", file.size())));
        }
        let source = String::from_utf8(file.read()?).map_err(|error| not_a_script(&error))?;
        let name = file.path().file_name().map_or_else(|| "script".into(), |name| name.to_string_lossy().into_owned());
        let has_store = grants.store.is_some();
        if !(Grants { store: None, ..grants.clone() }).is_empty() {
            let message = "cannot be given what its entry grants: a script can have a `store` and nothing else";
            return Err(Failure::new(Code::Grant, message));
        }
        let grants = Arc::new(Granted::new(grants, &self.powers)?);
        Ok(Prepared {
            sandbox: self.clone(),
            loaded: self.runner(limits.metering(), &grants)?,
            grants,
            limits,
            script: Some(Arc::new(Script { name, source, has_store })),
        })
    }

    /// Returns the runner for a script with these grants. Each call gets the store of its own script.
    fn runner(&self, metering: Metering, grants: &Arc<Granted>) -> Result<Arc<Loaded>, Failure> {
        let runner = embedded()?;
        let [without_store, with_store] = match metering {
            Metering::None => &self.runners.plain,
            Metering::Fuel => &self.runners.metered,
        };
        let place = if grants.store().is_some() { with_store } else { without_store };
        // A second caller waits for the first instead of compiling the same component.
        let mut loaded = place.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loaded) = &*loaded {
            return Ok(Arc::clone(loaded));
        }
        let runner =
            Loaded::new(self, &Source::Embedded(runner), metering, Arc::clone(grants), Imports::Granted, find_run)?;
        Ok(Arc::clone(loaded.insert(Arc::new(runner))))
    }
}

fn find_run(component: &Component, _: &Engine) -> Result<ComponentExportIndex, Failure> {
    let interface = component.get_export_index(None, INTERFACE);
    let run = interface.and_then(|interface| component.get_export_index(Some(&interface), FUNCTION));
    run.ok_or_else(|| Failure::new(Code::Internal, format!("cannot be run: its runner does not export `{INTERFACE}`")))
}

impl Prepared {
    /// Parses a script as each call does, without calling its hook. Does nothing for a component.
    ///
    /// # Errors
    /// Returns a failure if the text is not a valid script or has no hook, or if its top-level code fails or takes
    /// longer than `limit`.
    pub(crate) fn probe_script(&self, limit: Duration) -> Result<(), Failure> {
        if self.script.is_none() {
            return Ok(());
        }
        // Loading a script only computes, so it needs no grants.
        let without_grants = Prepared { grants: Arc::new(Granted::default()), ..self.clone() };
        let probe = || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
            Ok(runtime.block_on(without_grants.call("", None, limit)).map(drop))
        };
        // The caller's thread may belong to a runtime, and runtimes cannot be nested.
        let probed = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().spawn_scoped(scope, probe)?;
            thread.join().unwrap_or_else(|_| Err(io::Error::other("its thread panicked")))
        });
        probed.unwrap_or_else(|error| Err(Failure::new(Code::Internal, format!("could not be read: {error}"))))
    }

    /// Whether this is a script whose text reads `tool.commands` outside of comments, in one of the usual ways to write
    /// that.
    pub(crate) fn reads_commands(&self) -> bool {
        static READS: LazyLock<Option<Regex>> = LazyLock::new(|| {
            let member = r#"\btool\s*(?:\??\.\s*commands\b|(?:\?\.\s*)?\[\s*["'`]commands["'`]\s*\])"#;
            let taken_out =
                r"\{[^{}]*\bcommands\b[^{}]*\}\s*=[^=>;\n][^;\n]*\btool\b|\btool\s*:\s*\{[^{}]*\bcommands\b";
            let comment = r"(?m:^|[\s;,{}()])//.*|(?s:/\*.*?\*/)";
            Regex::new(&format!("{comment}|({member}|{taken_out})")).ok()
        });
        let reads = |script: &Arc<Script>| {
            let mut found = READS.iter().flat_map(|reads| reads.captures_iter(&script.source));
            found.any(|found| found.get(1).is_some())
        };
        self.script.as_ref().is_some_and(reads)
    }
}

impl Script {
    /// Runs the script in an instance of the runner.
    pub(super) async fn run(
        &self,
        instance: &Instance,
        store: &mut Store<State>,
        run: ComponentExportIndex,
        input: &str,
    ) -> wasmtime::Result<RunResult> {
        let run = instance.get_typed_func::<(&str, &str, &str, bool), RunResult>(&mut *store, run)?;
        run.call_async(&mut *store, (&self.name, &self.source, input, self.has_store)).await
    }
}

/// Creates the failure for a file that is not text.
fn not_a_script(error: &std::string::FromUtf8Error) -> Failure {
    let bytes = error.as_bytes();
    if bytes.starts_with(b"\0asm") {
        return Failure::new(Code::Script, "is WebAssembly: name it as `component`");
    }
    let valid = error.utf8_error().valid_up_to();
    let line = bytes.iter().take(valid).filter(|byte| **byte == b'\n').count() + 1;
    Failure::new(Code::Script, format!("is not a script: it is not UTF-8 from line {line} on"))
}
