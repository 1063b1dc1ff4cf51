//! Turns a script into a self-contained component.

use anyhow::{Context, Result};

/// Makes a component that exports `hookbox:hook/hook`. It contains both the script and the interpreter, and imports the
/// powers that the script uses. `name` is the script's name in errors.
///
/// # Errors
/// Returns an error if this hookbox was built without the interpreter.
pub fn script_component(name: &str, source: &str) -> Result<Vec<u8>> {
    let runner = hookbox::runtime::component::script_runner()
        .context("this hookbox was built without what runs scripts: build it again after `cargo xtask guests`")?;
    hookbox_componentize::script_component(runner, name, source)
}
