//! The limits on the resources of a call.

use super::engines::Metering;
use crate::protocol::MAX_ACTION_BYTES;
use std::time::Duration;
use wasmtime::ResourceLimiter;

/// The maximum time limit of a component. The agent waits for the answer; a hook that needs longer should be async.
pub const MAX_TIMEOUT: Duration = Duration::from_secs(60);

/// The resources that a call of a component may use. A call always has limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of all linear memories together. Default: 64 MiB, enough for interpreters of other languages.
    pub memory_bytes: usize,
    /// Fuel, about one unit per instruction. Default: unlimited, since time is limited anyway.
    pub fuel: Option<u64>,
    /// Bytes of the answer, and of each value that the guest passes to the host. Default: 2 MiB, enough for an Action
    /// that repeats the largest Input with escapes.
    pub output_bytes: usize,
    /// Elements of all tables together. Default: 100,000, which is 800 kB.
    pub table_elements: usize,
    /// Core instances. Default: 64. Toolchains make about ten from one program, Python's makes forty.
    pub instances: usize,
    /// Linear memories. Default: 16.
    pub memories: usize,
    /// Tables. Default: 64.
    pub tables: usize,
    /// Live handles, and separately host resources. Default: 1,024 of each.
    pub handles: usize,
    /// Bytes kept for the log of each of stdout and stderr; the rest is counted and dropped. Default: 64 KiB.
    pub stdio_bytes: usize,
    /// Random bytes that a single host call may return. Default: 64 KiB.
    pub random_bytes: u64,
}

impl Limits {
    /// The maximum memory that a config may ask for.
    pub const MAX_MEMORY_BYTES: usize = 1 << 30;
    /// The maximum answer size that a config may ask for: the largest that is parsed as an Action.
    pub const MAX_OUTPUT_BYTES: usize = MAX_ACTION_BYTES;

    /// Sets the maximum memory.
    #[must_use]
    pub const fn with_memory_bytes(self, memory_bytes: usize) -> Self {
        Limits { memory_bytes, ..self }
    }

    /// Sets the maximum fuel.
    #[must_use]
    pub const fn with_fuel(self, fuel: u64) -> Self {
        Limits { fuel: Some(fuel), ..self }
    }

    /// Sets the maximum answer size.
    #[must_use]
    pub const fn with_output_bytes(self, output_bytes: usize) -> Self {
        Limits { output_bytes, ..self }
    }

    pub(super) const fn metering(&self) -> Metering {
        if self.fuel.is_some() { Metering::Fuel } else { Metering::None }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            memory_bytes: 64 << 20,
            fuel: None,
            output_bytes: MAX_ACTION_BYTES,
            table_elements: 100_000,
            instances: 64,
            memories: 16,
            tables: 64,
            handles: 1024,
            stdio_bytes: 64 << 10,
            random_bytes: 64 << 10,
        }
    }
}

/// The resources that a call has used of its [`Limits`].
///
/// wasmtime's own limiter bounds each memory and each table separately, so a component with ninety memories could use
/// ninety times the limit. This limiter bounds the total.
pub(super) struct Usage {
    limits: Limits,
    memory_bytes: usize,
    table_elements: usize,
    refused: Option<Refused>,
}

/// The first request that exceeded a limit. The guest may have survived it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// This many bytes of memory in total.
    Memory(usize),
    /// This many table elements in total.
    TableElements(usize),
}

impl Usage {
    pub(super) const fn new(limits: Limits) -> Self {
        Usage { limits, memory_bytes: 0, table_elements: 0, refused: None }
    }

    pub(super) const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the bytes of all memories. Memories never shrink, so at the end of a call this is the peak.
    pub(super) const fn memory_bytes(&self) -> usize {
        self.memory_bytes
    }

    pub(super) const fn refused(&self) -> Option<Refused> {
        self.refused
    }
}

impl ResourceLimiter for Usage {
    fn memory_growing(&mut self, current: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        let total = self.memory_bytes.saturating_add(desired.saturating_sub(current));
        if total > self.limits.memory_bytes {
            self.refused.get_or_insert(Refused::Memory(total));
            return Ok(false);
        }
        // If the system then refuses the growth, the total stays too high, which only makes the limit stricter.
        self.memory_bytes = total;
        Ok(true)
    }

    fn table_growing(&mut self, current: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        let total = self.table_elements.saturating_add(desired.saturating_sub(current));
        if total > self.limits.table_elements {
            self.refused.get_or_insert(Refused::TableElements(total));
            return Ok(false);
        }
        self.table_elements = total;
        Ok(true)
    }

    fn instances(&self) -> usize {
        self.limits.instances
    }

    fn memories(&self) -> usize {
        self.limits.memories
    }

    fn tables(&self) -> usize {
        self.limits.tables
    }
}
