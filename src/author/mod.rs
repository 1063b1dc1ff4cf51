//! What the commands for authors of hooks share.

mod componentize;
mod script;

pub use componentize::{World, componentize, is_component};
pub use script::script_component;
