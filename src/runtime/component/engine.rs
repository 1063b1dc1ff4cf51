//! The engine in which all components of a process run.

use super::ticker::Ticker;
use std::sync::Arc;
use wasmtime::{Config, Engine};

/// The stack of a guest, in bytes; wasmtime's default. Deeper recursion traps.
const WASM_STACK_BYTES: usize = 512 << 10;

/// The stack of a call, guest and host functions together. It must be well above [`WASM_STACK_BYTES`], or the
/// host's part of it would overflow first, which ends the process.
const ASYNC_STACK_BYTES: usize = 2 << 20;

/// The sandbox: one engine for all components. Cheap to clone; one per process is enough.
#[derive(Clone)]
pub struct Sandbox {
    pub(super) engine: Engine,
    pub(super) ticker: Arc<Ticker>,
}

impl Sandbox {
    /// Makes the engine. Its compiler is Cranelift; proposals that hooks have no use for are not compiled in.
    ///
    /// # Errors
    /// The platform is not one that wasmtime runs on, or has no thread left.
    pub fn new() -> Result<Self, wasmtime::Error> {
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
            // A trap's backtrace would only say where in somebody else's binary it was.
            .wasm_backtrace_max_frames(None);
        let engine = Engine::new(&config)?;
        Ok(Sandbox { ticker: Arc::new(Ticker::start(&engine)?), engine })
    }
}
