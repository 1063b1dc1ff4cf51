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

/// How many calls can run at once on each core. Others wait, within their time limits: a guest that computes keeps a
/// core busy, so running more at once would only slow all of them down.
const CALLS_PER_CORE: usize = 8;
/// The maximum number of cores with reserved memory: 64 calls at once in total.
const MAX_CELLS: usize = 8;
/// How many calls can run at once if no memory is reserved.
const MAX_CALLS: usize = MAX_CELLS * CALLS_PER_CORE;

/// The sandbox of all components. Cheap to clone; one per process is enough.
#[derive(Clone)]
pub struct Sandbox {
    pub(super) engines: Arc<Engines>,
    pub(super) ticker: Arc<Ticker>,
    pub(super) compiler: Compiler,
    pub(super) cache: Option<Arc<Cache>>,
    /// The script runners, once a script has been prepared.
    pub(super) runners: Arc<Runners>,
    pub(super) powers: Arc<Powers>,
}

impl Sandbox {
    /// A sandbox for many calls, using this compiler. It reserves memory once and reuses it for call after call, zeroed
    /// in between. If there is no room for that, each call gets its memory from the system.
    ///
    /// # Errors
    /// wasmtime does not support the platform, or no thread can be started.
    pub fn new(compiler: Compiler) -> Result<Self, Failure> {
        let cells = available_parallelism().map_or(1, usize::from).min(MAX_CELLS);
        let engines = Arc::new(Engines::new(cells, CALLS_PER_CORE, true).map_err(unavailable)?);
        let powers = Powers { networks: Networks::kept_alive(), ..Powers::default() };
        Ok(Sandbox::with(Ticker::by_thread(&engines).map_err(unavailable)?, engines, compiler, powers))
    }

    /// A sandbox for a process that makes only a call or two: setting up a pool or starting a thread would take longer
    /// than the calls. It uses the signal `SIGALRM` and its timer.
    ///
    /// # Errors
    /// wasmtime does not support the platform, or the signal handler cannot be installed.
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

    /// The same sandbox for one component, with what remains of the time that several components share for compilation.
    pub(crate) fn for_component(&self, left: Duration, untrusted: bool) -> Self {
        Sandbox { compiler: self.compiler.for_component(left, untrusted), ..self.clone() }
    }

    /// The same sandbox for a caller that does not wait: components not yet compiled are compiled in the background.
    pub(crate) fn without_waiting(&self) -> Self {
        Sandbox { compiler: self.compiler.without_waiting(), ..self.clone() }
    }

    /// Whether a compilation continues in the background when its time is over.
    pub(crate) fn compiles_in_background(&self) -> bool {
        self.cache.as_ref().is_some_and(|cache| cache.fault().is_none()) && self.compiler.goes_on()
    }

    pub(crate) fn cache(&self) -> Option<&Cache> {
        self.cache.as_deref()
    }

    /// The same sandbox, which looks into this cache before it compiles.
    #[must_use]
    pub fn cached_in(self, cache: Arc<Cache>) -> Self {
        Sandbox { cache: Some(cache), ..self }
    }
}

fn unavailable(error: impl Into<wasmtime::Error>) -> Failure {
    Failure::new(Code::Internal, format!("has no sandbox here: {:#}", error.into()))
}
