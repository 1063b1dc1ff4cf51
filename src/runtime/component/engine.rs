//! The engine in which all components of a process run.

use super::cache::Cache;
use super::compiler::Compiler;
use super::limits::Limits;
use super::ticker::Ticker;
use std::sync::Arc;
use std::thread::available_parallelism;
use tokio::sync::Semaphore;
use wasmtime::{Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig};

/// The stack of a guest, in bytes; wasmtime's default. Deeper recursion traps.
const WASM_STACK_BYTES: usize = 512 << 10;

/// The stack of a call, guest and host functions together. It must be well above [`WASM_STACK_BYTES`], or the
/// host's part of it would overflow first, which ends the process.
const ASYNC_STACK_BYTES: usize = 2 << 20;

/// Calls that can run at once, for each core and in all. What is beyond waits, within its time limit: a guest that
/// computes keeps a core busy, so more would only be slower together.
const CALLS_PER_CORE: usize = 8;
const MAX_CALLS: usize = 64;

/// The bytes of a memory that stay in place from one call to the next, zeroed. What a hook touches fits, so that a
/// call meets no page fault; a large memory that one call needed is given back.
const KEEP_MEMORY_BYTES: usize = 4 << 20;
const KEEP_TABLE_BYTES: usize = 4 << 10;

/// Memories that stay in place though no call uses them, beside those that were used last.
const WARM_SLOTS: u32 = 16;

/// The sandbox: one engine for all components. Cheap to clone; one per process is enough.
#[derive(Clone)]
pub struct Sandbox {
    pub(super) engine: Engine,
    pub(super) ticker: Arc<Ticker>,
    /// A place in the pool for each call that runs.
    pub(super) places: Arc<Semaphore>,
    pub(super) compiler: Compiler,
    pub(super) cache: Option<Arc<Cache>>,
}

impl Sandbox {
    /// A sandbox for many calls, for components that this compiler compiles. It sets memory apart once and hands it to
    /// call after call, zeroed in between; where there is no room for that, each call gets its own from the system.
    ///
    /// # Errors
    /// The platform is not one that wasmtime runs on, or has no thread left.
    pub fn new(compiler: Compiler) -> Result<Self, wasmtime::Error> {
        let calls = available_parallelism().map_or(1, usize::from).saturating_mul(CALLS_PER_CORE).min(MAX_CALLS);
        let mut config = config();
        config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool(calls)));
        match Engine::new(&config) {
            Ok(engine) => Ok(Sandbox::with(Ticker::by_thread(&engine)?, engine, calls, compiler)),
            Err(error) => {
                tracing::debug!("no room for a pool: {error:#}");
                let engine = Engine::new(&self::config())?;
                Ok(Sandbox::with(Ticker::by_thread(&engine)?, engine, calls, compiler))
            }
        }
    }

    /// A sandbox for a process of its own that makes a call or two: to set a pool up or to start a thread would take longer
    /// than they do. It uses the signal `SIGALRM` and the timer that goes with it.
    ///
    /// # Errors
    /// The platform is not one that wasmtime runs on, or takes no handler for the signal.
    pub fn for_one_call(compiler: Compiler) -> Result<Self, wasmtime::Error> {
        let engine = Engine::new(&config())?;
        Ok(Sandbox::with(Ticker::by_signal(&engine)?, engine, MAX_CALLS, compiler))
    }

    fn with(ticker: Ticker, engine: Engine, calls: usize, compiler: Compiler) -> Self {
        let places = Arc::new(Semaphore::new(calls));
        Sandbox { engine, ticker: Arc::new(ticker), places, compiler, cache: None }
    }

    /// The same sandbox, which looks into this cache before it compiles.
    #[must_use]
    pub fn cached_in(self, cache: Arc<Cache>) -> Self {
        Sandbox { cache: Some(cache), ..self }
    }
}

/// What compiler and caller of a component must agree on. Proposals that hooks have no use for are not compiled in.
pub(super) fn config() -> Config {
    let mut config = Config::new();
    config
        .epoch_interruption(true)
        // For `limits.fuel`. Epochs are what ends a call in time.
        .consume_fuel(true)
        .max_wasm_stack(WASM_STACK_BYTES)
        .async_stack_size(ASYNC_STACK_BYTES)
        // Hooks have no use for it, and an advisory of its own in 2026.
        .wasm_memory64(false)
        // The same answer on every machine.
        .relaxed_simd_deterministic(true)
        // A trap's backtrace would only say where in somebody else's binary it was. Without one, code can do without
        // what says where in the binary it came from.
        .wasm_backtrace_max_frames(None)
        .generate_address_map(false)
        .native_unwind_info(false);
    config
}

/// Room for this many calls at once, each with as much as [`Limits`] let it have, so that no call is refused for want
/// of room. What is set apart is addresses; memory is taken when it is used.
fn pool(calls: usize) -> PoolingAllocationConfig {
    let Limits { instances, memories, tables, table_elements, .. } = Limits::default();
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(count(calls))
        .total_core_instances(count(calls * instances))
        .total_memories(count(calls * memories))
        .total_tables(count(calls * tables))
        .total_stacks(count(calls))
        .max_core_instances_per_component(count(instances))
        .max_memories_per_component(count(memories))
        .max_tables_per_component(count(tables))
        .table_elements(table_elements)
        .max_memory_size(Limits::MAX_MEMORY_BYTES)
        .max_unused_warm_slots(WARM_SLOTS)
        .linear_memory_keep_resident(KEEP_MEMORY_BYTES)
        .table_keep_resident(KEEP_TABLE_BYTES)
        .pagemap_scan(Enabled::Auto);
    pool
}
