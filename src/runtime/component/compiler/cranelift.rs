//! The compiler itself.

use super::super::engines::{Metering, config};
#[cfg(feature = "cross")]
use super::super::unchecked::{NativeCode, set_target};
use super::super::{one_line, precheck};
use super::attempt::CompileError;
use crate::protocol::{Code, Failure};
use wasmtime::{Config, Engine};

/// Compiles a component for this machine.
///
/// # Errors
/// Returns an error if the bytes are not a valid component, or are too much for the compiler.
pub(super) fn compile(wasm: &[u8], metering: Metering) -> Result<Vec<u8>, CompileError> {
    compile_with(wasm, &config(metering))
}

/// Compiles a component for all processors of a target.
///
/// # Errors
/// Returns a failure if the bytes are not a valid component, or if this program has no compiler for the target.
#[cfg(feature = "cross")]
pub(in super::super) fn compile_for(wasm: &[u8], target: &str) -> Result<NativeCode, Failure> {
    let mut config = config(Metering::None);
    set_target(&mut config, target).map_err(|error| no_compiler(&error))?;
    compile_with(wasm, &config).map(NativeCode::compiled).map_err(CompileError::into_failure)
}

fn compile_with(wasm: &[u8], config: &Config) -> Result<Vec<u8>, CompileError> {
    precheck::check(wasm).map_err(CompileError::Refused)?;
    let engine = Engine::new(config).map_err(|error| CompileError::Failed(no_compiler(&error)))?;
    engine.precompile_component(wasm).map_err(|error| {
        let message = format!("was refused by the compiler: {}", one_line(&error));
        CompileError::Refused(Failure::new(Code::Compile, message))
    })
}

fn no_compiler(error: &wasmtime::Error) -> Failure {
    Failure::new(Code::Internal, format!("has no compiler here: {}", one_line(error)))
}
