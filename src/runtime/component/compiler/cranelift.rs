//! The compiler itself.

use super::super::engines::{Metering, config};
use super::super::{one_line, precheck};
use super::attempt::CompileError;
use crate::protocol::{Code, Failure};
use wasmtime::Engine;

/// Compiles a component for this machine.
///
/// # Errors
/// It is not a valid component, or is too much for the compiler.
pub(super) fn compile(wasm: &[u8], metering: Metering) -> Result<Vec<u8>, CompileError> {
    precheck::check(wasm).map_err(CompileError::Refused)?;
    let engine = Engine::new(&config(metering)).map_err(|error| {
        CompileError::Failed(Failure::new(Code::Internal, format!("has no compiler here: {error:#}")))
    })?;
    engine.precompile_component(wasm).map_err(|error| {
        let message = format!("was refused by the compiler: {}", one_line(&error));
        CompileError::Refused(Failure::new(Code::Compile, message))
    })
}
