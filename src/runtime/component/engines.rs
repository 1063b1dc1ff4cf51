//! The engines of a sandbox.
//!
//! Each core has a cell of its own. All calls of an engine write to what the engine counts, and where several cores write to
//! the same places a call takes half as long again. In a cell there are two engines: one that counts fuel, for the
//! components that are to have a limit of it, and one for all others, whose code is a fifth smaller and faster for it.

use super::limits::Limits;
use std::num::NonZeroUsize;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Semaphore;
use wasmtime::{Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig};

/// The stack of a guest, in bytes; wasmtime's default. Deeper recursion traps.
const WASM_STACK_BYTES: usize = 512 << 10;

/// The stack of a call, guest and host functions together. It must be well above [`WASM_STACK_BYTES`], or the
/// host's part of it would overflow first, which ends the process.
const ASYNC_STACK_BYTES: usize = 2 << 20;

/// The bytes of a memory that stay in place from one call to the next, zeroed. What a hook touches fits, so that a
/// call meets no page fault; what a large Input needed beyond is given back, for else the host would hold as much for
/// each of the [`WARM_SLOTS_PER_CALL`] as the largest call has ever needed.
const KEEP_MEMORY_BYTES: usize = 1 << 20;
const KEEP_TABLE_BYTES: usize = 4 << 10;

/// Memories that stay in place though no call uses them, for each call that can run at once. The engine shares them out
/// among the cores, and a core whose share is smaller than the chain that it works on has to map each hook's memory anew
/// for every call, which takes three times as long as the call: on a core there is room for the hooks of long chains.
const WARM_SLOTS_PER_CALL: usize = 4;

/// Whether the code of a component counts what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Metering {
    /// Only time limits it.
    None,
    /// It uses up fuel.
    Fuel,
}

/// The engines of a sandbox, by cell.
pub(super) struct Engines {
    cells: Box<[Cell]>,
    /// For how many calls at once each engine sets memory apart, if there is room; none if each call gets its own from the
    /// system.
    pool: Option<usize>,
}

/// What the calls of one core share. Each engine is made when it is needed first.
#[repr(align(128))]
struct Cell {
    plain: OnceLock<Engine>,
    metered: OnceLock<Engine>,
    /// A place for each call that can run at once.
    places: Semaphore,
}

impl Engines {
    /// Engines for so many cells, in each of which so many calls can run at once.
    ///
    /// # Errors
    /// The platform is not one that wasmtime runs on.
    pub(super) fn new(cells: usize, calls: usize, is_pooled: bool) -> wasmtime::Result<Self> {
        let cell = || Cell { plain: OnceLock::new(), metered: OnceLock::new(), places: Semaphore::new(calls) };
        let cells = std::iter::repeat_with(cell).take(cells.max(1)).collect();
        let engines = Engines { cells, pool: is_pooled.then_some(calls) };
        engines.of(Metering::None, 0)?;
        Ok(engines)
    }

    /// How many cells there are.
    pub(super) const fn cells(&self) -> usize {
        self.cells.len()
    }

    /// The cell of this thread. Threads are dealt out to the cells in the order of their first calls.
    pub(super) fn home(&self) -> usize {
        static THREADS: AtomicUsize = AtomicUsize::new(0);
        thread_local! {
            static NUMBER: usize = THREADS.fetch_add(1, Ordering::Relaxed);
        }
        NUMBER.with(|number| number % self.cells.len())
    }

    /// The places of a cell.
    ///
    /// # Errors
    /// There is no such cell.
    pub(super) fn places(&self, cell: usize) -> wasmtime::Result<&Semaphore> {
        Ok(&self.cell(cell)?.places)
    }

    /// # Errors
    /// There is no such cell, or no engine can be made.
    pub(super) fn of(&self, metering: Metering, cell: usize) -> wasmtime::Result<&Engine> {
        let cell = self.cell(cell)?;
        let made = match metering {
            Metering::None => &cell.plain,
            Metering::Fuel => &cell.metered,
        };
        match made.get() {
            Some(engine) => Ok(engine),
            None => {
                let engine = engine(metering, self.pool)?;
                Ok(made.get_or_init(|| engine))
            }
        }
    }

    fn cell(&self, cell: usize) -> wasmtime::Result<&Cell> {
        self.cells.get(cell).ok_or_else(|| wasmtime::format_err!("there is no cell {cell}"))
    }

    /// Makes running guests look at their deadlines. It does nothing that a signal handler may not do.
    pub(super) fn tick(&self) {
        for cell in &self.cells {
            for engine in [&cell.plain, &cell.metered].into_iter().filter_map(OnceLock::get) {
                engine.increment_epoch();
            }
        }
    }
}

fn engine(metering: Metering, pool: Option<usize>) -> wasmtime::Result<Engine> {
    let on_demand = || Engine::new(&config(metering));
    let Some(calls) = pool else { return on_demand() };
    let mut config = config(metering);
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(places(calls)));
    // A process may have fewer addresses than its cells would like to set apart. Calls are slower then, and no less safe.
    Engine::new(&config).or_else(|error| {
        tracing::debug!("no room for a pool: {error:#}");
        on_demand()
    })
}

/// What compiler and caller of a component must agree on. Proposals that hooks have no use for are not compiled in.
pub(super) fn config(metering: Metering) -> Config {
    let mut config = Config::new();
    config
        .epoch_interruption(true)
        // For `limits.fuel`. Epochs are what ends a call in time.
        .consume_fuel(metering == Metering::Fuel)
        .max_wasm_stack(WASM_STACK_BYTES)
        .async_stack_size(ASYNC_STACK_BYTES)
        // What the pre-check refuses, the engine does not take either. 64-bit memories had an advisory of their own in 2026.
        // Only several memories stay: where one component calls another, the engine makes a module that has both of theirs.
        .wasm_memory64(false)
        .wasm_tail_call(false)
        .wasm_relaxed_simd(false)
        // In which function it was that trapped. More would only say where in somebody else's binary that is, so that code
        // can do without what says where in the binary it came from.
        .wasm_backtrace_max_frames(Some(NonZeroUsize::MIN))
        // What is left of the guest, so that its last words can be read. Nothing is copied.
        .coredump_on_trap(true)
        .generate_address_map(false)
        .native_unwind_info(false);
    config
}

/// Room for this many calls at once, each with as much as [`Limits`] let it have, so that no call is refused for want
/// of room. What is set apart is addresses; memory is taken when it is used.
fn places(calls: usize) -> PoolingAllocationConfig {
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
        .max_memories_per_module(count(memories))
        .max_tables_per_component(count(tables))
        .max_tables_per_module(count(tables))
        .table_elements(table_elements)
        .max_memory_size(Limits::MAX_MEMORY_BYTES)
        .max_unused_warm_slots(count(calls * WARM_SLOTS_PER_CALL))
        .linear_memory_keep_resident(KEEP_MEMORY_BYTES)
        .table_keep_resident(KEEP_TABLE_BYTES)
        .pagemap_scan(Enabled::Auto);
    pool
}
