//! The sandbox in which all components of a process run.

use super::cache::Cache;
use super::compiler::Compiler;
use super::engines::Engines;
use super::powers::Powers;
use super::powers::net::Networks;
use super::script::Runners;
use super::ticker::Ticker;
use crate::protocol::{Code, Failure};
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

/// The number of calls that can run at once on each core. Further calls wait, within their time limits: a guest that
/// computes keeps a core busy, so running more at once would only slow all of them down.
const CALLS_PER_CORE: usize = 8;
/// The maximum number of cores with reserved memory: 64 calls at once in total.
const MAX_CELLS: usize = 8;
/// The number of calls that can run at once if no memory is reserved.
const MAX_CALLS: usize = MAX_CELLS * CALLS_PER_CORE;

/// The sandbox of all components. It is cheap to clone, and one per process is enough.
#[derive(Clone)]
pub struct Sandbox {
    pub(super) engines: Arc<Engines>,
    pub(super) ticker: Arc<Ticker>,
    pub(super) compiler: Compiler,
    pub(super) cache: Option<Arc<Cache>>,
    /// The script runners. Each is linked when the first script that needs it is prepared.
    pub(super) runners: Arc<Runners>,
    pub(super) powers: Arc<Powers>,
}

impl Sandbox {
    /// Creates a sandbox for many calls, with this compiler. The sandbox reserves memory once and reuses it for all
    /// calls, cleared in between. If there is no room for that, each call gets its memory from the system.
    ///
    /// # Errors
    /// Returns a failure if wasmtime does not support the platform, or if no thread can be started.
    pub fn new(compiler: Compiler) -> Result<Self, Failure> {
        let cells = available_parallelism().map_or(1, usize::from).min(MAX_CELLS);
        let engines = Arc::new(Engines::new(cells, CALLS_PER_CORE, true).map_err(unavailable)?);
        let powers = Powers { networks: Networks::kept_alive(), ..Powers::default() };
        Ok(Sandbox::with(Ticker::by_thread(&engines).map_err(unavailable)?, engines, compiler, powers))
    }

    /// Creates a sandbox for a process that makes only a call or two: setting up a pool or starting a thread would take
    /// longer than the calls. The sandbox uses the signal `SIGALRM` and its timer.
    ///
    /// # Errors
    /// Returns a failure if wasmtime does not support the platform, or if the signal handler cannot be installed.
    pub fn for_one_call(compiler: Compiler) -> Result<Self, Failure> {
        let engines = Arc::new(Engines::new(1, MAX_CALLS, false).map_err(unavailable)?);
        Ok(Sandbox::with(Ticker::by_signal(&engines).map_err(unavailable)?, engines, compiler, Powers::default()))
    }

    fn with(ticker: Ticker, engines: Arc<Engines>, compiler: Compiler, powers: Powers) -> Self {
        Sandbox {
            engines,
            ticker: Arc::new(ticker),
            compiler,
            cache: None,
            runners: Arc::default(),
            powers: Arc::new(powers),
        }
    }

    /// Returns the same sandbox for one component, with the rest of the time that several components share for
    /// compilation.
    pub(crate) fn for_component(&self, left: Duration, untrusted: bool) -> Self {
        Sandbox { compiler: self.compiler.for_component(left, untrusted), ..self.clone() }
    }

    /// Returns the same sandbox for a caller that does not wait: components not yet compiled are compiled in the
    /// background.
    pub(crate) fn without_waiting(&self) -> Self {
        Sandbox { compiler: self.compiler.without_waiting(), ..self.clone() }
    }

    /// Returns whether a compilation continues in the background when its time is over.
    pub(crate) fn compiles_in_background(&self) -> bool {
        self.cache.as_ref().is_some_and(|cache| !cache.is_broken()) && self.compiler.goes_on()
    }

    pub(crate) fn cache(&self) -> Option<&Cache> {
        self.cache.as_deref()
    }

    /// Makes the sandbox look into this cache before it compiles.
    #[must_use]
    pub fn cached_in(self, cache: Arc<Cache>) -> Self {
        Sandbox { cache: Some(cache), ..self }
    }
}

fn unavailable(error: impl Into<wasmtime::Error>) -> Failure {
    Failure::new(Code::Internal, format!("has no sandbox here: {:#}", error.into()))
}
