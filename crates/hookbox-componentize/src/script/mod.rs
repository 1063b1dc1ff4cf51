//! The conversion of a script into a component.

mod place;
mod tokens;
mod uses;

use crate::{World, componentize, stub_imports};
use anyhow::{Context, Result};
pub use uses::Uses;
use wasmparser::{Parser, Payload};

/// The interpreter's global that holds the address at which it finds the address and the length of a script.
const PLACE: &str = "hookbox_script";

/// Makes a component that exports `hookbox:hook/hook`. The component contains the script and the interpreter, and
/// imports the powers that the script uses. `name` is the script's name in errors, and `runner` is the component inside
/// hookbox that runs scripts.
///
/// # Errors
/// Returns an error if the runner is not the one of this version.
pub fn script_component(runner: &[u8], name: &str, source: &str) -> Result<Vec<u8>> {
    let uses = Uses::of(source);
    let interpreter = interpreter(runner)?.context("the runner of scripts is not of this version")?;
    let kept = stub_imports(interpreter, |module| uses.module(module))?;
    let mut data = vec![uses.bits()];
    data.extend_from_slice(&u32::try_from(name.len())?.to_le_bytes());
    data.extend_from_slice(name.as_bytes());
    data.extend_from_slice(source.as_bytes());
    let core = place::append(&kept, PLACE, &data)?;
    componentize(&core, World::POLICY, false).context("the component of the script")
}

/// Finds the interpreter's own module among the modules of its component.
fn interpreter(runner: &[u8]) -> Result<Option<&[u8]>> {
    for payload in Parser::new(0).parse_all(runner) {
        if let Payload::ModuleSection { unchecked_range: range, .. } = payload? {
            let range = usize::try_from(range.start)?..usize::try_from(range.end)?;
            let Some(module) = runner.get(range) else { continue };
            if place::global(module, PLACE)?.is_some() {
                return Ok(Some(module));
            }
        }
    }
    Ok(None)
}
