//! Turns the core modules that a compiler wrote into a component.
//!
//! The command line does this for authors, and `xtask` for the components that are built into hookbox.

mod componentize;
mod merge;
mod stub;

pub use componentize::{Power, World, componentize, is_component, replace_sections};
pub use merge::merge;
pub use stub::stub_imports;
