//! The conversion of core modules, as written by a compiler, into components.
//!
//! The command line does this for authors, and `xtask` for the components that are built into hookbox.

mod componentize;
mod merge;
mod python;
mod script;
mod stub;

pub use componentize::{Power, World, componentize, is_component, replace_sections};
pub use merge::merge;
pub use python::{PYTHON_WORLD, python_powers, write_python_world};
pub use script::{Uses, script_component};
pub use stub::stub_imports;
