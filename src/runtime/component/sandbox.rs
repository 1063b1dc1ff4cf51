//! The sandbox in which all components of a process run.

use super::cache::Cache;
use super::compiler::Compiler;
use super::engines::Engines;
use super::script::Runners;
use super::ticker::Ticker;
use crate::protocol::{Code, Failure};
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

/// Calls that can run at once on each core. What is beyond waits, within its time limit: a guest that computes keeps a core
/// busy, so more would only be slower together.
const CALLS_PER_CORE: usize = 8;
/// The most cores that have memory of their own set apart: 64 calls at once in all.
const MAX_CELLS: usize = 8;
/// Calls that can run at once where no memory is set apart.
const MAX_CALLS: usize = MAX_CELLS * CALLS_PER_CORE;

/// The sandbox of all components. Cheap to clone; one per process is enough.
#[derive(Clone)]
pub struct Sandbox {
    pub(super) engines: Arc<Engines>,
    pub(super) ticker: Arc<Ticker>,
    pub(super) compiler: Compiler,
    pub(super) cache: Option<Arc<Cache>>,
    /// What runs scripts, once a script was prepared.
    pub(super) runners: Arc<Runners>,
}

impl Sandbox {
    /// A sandbox for many calls, for components that this compiler compiles. It sets memory apart once and hands it to
    /// call after call, zeroed in between; where there is no room for that, each call gets its own from the system.
    ///
    /// # Errors
    /// The platform is not one that wasmtime runs on, or has no thread left.
    pub fn new(compiler: Compiler) -> Result<Self, Failure> {
        let cells = available_parallelism().map_or(1, usize::from).min(MAX_CELLS);
        let engines = Arc::new(Engines::new(cells, CALLS_PER_CORE, true).map_err(unavailable)?);
        Ok(Sandbox::with(Ticker::by_thread(&engines).map_err(unavailable)?, engines, compiler))
    }

    /// A sandbox for a process of its own that makes a call or two: to set a pool up or to start a thread would take longer
    /// than they do. It uses the signal `SIGALRM` and the timer that goes with it.
    ///
    /// # Errors
    /// The platform is not one that wasmtime runs on, or takes no handler for the signal.
    pub fn for_one_call(compiler: Compiler) -> Result<Self, Failure> {
        let engines = Arc::new(Engines::new(1, MAX_CALLS, false).map_err(unavailable)?);
        Ok(Sandbox::with(Ticker::by_signal(&engines).map_err(unavailable)?, engines, compiler))
    }

    fn with(ticker: Ticker, engines: Arc<Engines>, compiler: Compiler) -> Self {
        Sandbox { engines, ticker: Arc::new(ticker), compiler, cache: None, runners: Arc::default() }
    }

    /// The same sandbox for one component, with this much left of the time that several share to be compiled in.
    pub(crate) fn for_component(&self, left: Duration, untrusted: bool) -> Self {
        Sandbox { compiler: self.compiler.for_component(left, untrusted), ..self.clone() }
    }

    /// The same sandbox for somebody who does not wait: what is not compiled yet is compiled in the background.
    pub(crate) fn without_waiting(&self) -> Self {
        Sandbox { compiler: self.compiler.without_waiting(), ..self.clone() }
    }

    /// Whether a compilation goes on when its time is over.
    pub(crate) fn compiles_in_background(&self) -> bool {
        self.cache.as_ref().is_some_and(|cache| cache.fault().is_none()) && self.compiler.goes_on()
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
