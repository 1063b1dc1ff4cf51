//! The compiler itself.

use super::super::engines::{Metering, config};
use super::super::{one_line, precheck};
use crate::protocol::{Code, Failure};
use wasmtime::Engine;

/// Compiles a component for this machine.
///
/// # Errors
/// It is not a valid component, or one that is too much for the compiler.
pub(super) fn compile(wasm: &[u8], metering: Metering) -> Result<Vec<u8>, Failure> {
    precheck::check(wasm)?;
    let engine = Engine::new(&config(metering))
        .map_err(|error| Failure::new(Code::Internal, format!("has no compiler here: {error:#}")))?;
    engine
        .precompile_component(wasm)
        .map_err(|error| Failure::new(Code::Compile, format!("was refused by the compiler: {}", one_line(&error))))
}
