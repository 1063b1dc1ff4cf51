//! The engines of a sandbox.
//!
//! Each core has its own cell. All calls of an engine update the same counters; if several cores write to them, a call
//! takes one and a half times as long. Each cell has two engines: one that counts fuel, for components with a fuel
//! limit, and one for all others, whose code is a fifth smaller and faster without the counting.

use super::limits::Limits;
use std::num::NonZeroUsize;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Semaphore;
use wasmtime::{Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig};

/// The size of a guest's stack, in bytes: wasmtime's default. Deeper recursion traps.
const WASM_STACK_BYTES: usize = 512 << 10;

/// The size of a call's stack, in bytes, which guest and host functions share. It must be well above
/// [`WASM_STACK_BYTES`]; otherwise the host's part would overflow first, which ends the process.
const ASYNC_STACK_BYTES: usize = 2 << 20;

/// The number of bytes of a memory that stay mapped, cleared, from one call to the next. A hook touches four times the
/// size of its Input: the text, the tool's input in it, and the parsed tool's input. So not even the largest Input
/// causes page faults. A host may eventually hold this many bytes for each of the [`WARM_SLOTS_PER_CALL`].
const KEEP_MEMORY_BYTES: usize = 4 << 20;
/// The same for kernels that do not say which pages a call wrote (Linux before 6.7), where all of them are cleared.
const KEEP_UNTRACKED_BYTES: usize = 1 << 20;
const KEEP_TABLE_BYTES: usize = 4 << 10;

/// The number of unused memories that stay mapped for each call that can run at once. The engine distributes them among
/// the cores. A core with fewer than its chain has hooks must map each hook's memory again for every call, which takes
/// three times as long as the call. This leaves room on a core for the hooks of long chains.
const WARM_SLOTS_PER_CALL: usize = 4;

/// The metering of a component: whether its code counts fuel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Metering {
    /// Only time limits the component.
    None,
    /// The component uses up fuel.
    Fuel,
}

/// The engines of a sandbox, by cell.
pub(super) struct Engines {
    cells: Box<[Cell]>,
    /// The number of calls that each engine reserves memory for, if there is room. `None` if each call gets its memory
    /// from the system.
    pool: Option<usize>,
}

/// The state that the calls of one core share. Each engine is created on first use.
#[repr(align(128))]
struct Cell {
    plain: OnceLock<Engine>,
    metered: OnceLock<Engine>,
    /// One place for each call that can run at once.
    places: Semaphore,
}

impl Engines {
    /// Creates engines for `cells` cells. In each cell, `calls` calls can run at once.
    ///
    /// # Errors
    /// Returns an error if wasmtime does not support the platform.
    pub(super) fn new(cells: usize, calls: usize, is_pooled: bool) -> wasmtime::Result<Self> {
        let cell = || Cell { plain: OnceLock::new(), metered: OnceLock::new(), places: Semaphore::new(calls) };
        let cells = std::iter::repeat_with(cell).take(cells.max(1)).collect();
        let engines = Engines { cells, pool: is_pooled.then_some(calls) };
        engines.of(Metering::None, 0)?;
        Ok(engines)
    }

    /// Returns the number of cells.
    pub(super) const fn cells(&self) -> usize {
        self.cells.len()
    }

    /// Returns the cell of this thread. Threads are assigned to cells in the order of their first calls.
    pub(super) fn home(&self) -> usize {
        static THREADS: AtomicUsize = AtomicUsize::new(0);
        thread_local! {
            static NUMBER: usize = THREADS.fetch_add(1, Ordering::Relaxed);
        }
        NUMBER.with(|number| number % self.cells.len())
    }

    /// Returns the places of a cell.
    ///
    /// # Errors
    /// Returns an error if the cell does not exist.
    pub(super) fn places(&self, cell: usize) -> wasmtime::Result<&Semaphore> {
        Ok(&self.cell(cell)?.places)
    }

    /// Returns the engine of a cell. Creates it if necessary.
    ///
    /// # Errors
    /// Returns an error if the cell does not exist, or if no engine can be created.
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

    /// Makes running guests check their deadlines. This is safe to call in a signal handler.
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
    // A process may have less address space than its cells would reserve. Calls are then slower but just as safe.
    Engine::new(&config).or_else(|error| {
        tracing::debug!("no room for a pool: {error:#}");
        on_demand()
    })
}

/// Returns the settings that the compiler and the caller of a component must share. Proposals that hooks do not need
/// are off.
pub(super) fn config(metering: Metering) -> Config {
    let mut config = Config::new();
    config
        .epoch_interruption(true)
        // Fuel is only for `limits.fuel`. Time limits rely on epochs instead.
        .consume_fuel(metering == Metering::Fuel)
        .max_wasm_stack(WASM_STACK_BYTES)
        .async_stack_size(ASYNC_STACK_BYTES)
        // The engine refuses what the pre-check refuses. 64-bit memories had an advisory of their own in 2026. Only
        // multiple memories stay on: where one component calls another, the engine generates a module that has the
        // memories of both.
        .wasm_memory64(false)
        .wasm_tail_call(false)
        .wasm_relaxed_simd(false)
        // Keep only the function that trapped. More frames would only point into a binary that the reader does not
        // have, and without them the code needs no map back to positions in that binary.
        .wasm_backtrace_max_frames(Some(NonZeroUsize::MIN))
        // Keep the state of the trapped guest, so that its last words can be read. Nothing is copied.
        .coredump_on_trap(true)
        .generate_address_map(false)
        .native_unwind_info(false);
    config
}

/// Returns a pool with room for this many calls at once, each with everything that the default [`Limits`] allow, so
/// that no call is refused for lack of room. The pool reserves only addresses; memory is allocated on use.
fn places(calls: usize) -> PoolingAllocationConfig {
    let Limits { instances, memories, tables, table_elements, .. } = Limits::default();
    let is_tracked = PoolingAllocationConfig::is_pagemap_scan_available();
    let keep = if is_tracked { KEEP_MEMORY_BYTES } else { KEEP_UNTRACKED_BYTES };
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
        .linear_memory_keep_resident(keep)
        .table_keep_resident(KEEP_TABLE_BYTES)
        .pagemap_scan(Enabled::Auto);
    pool
}
