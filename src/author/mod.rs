//! What the commands for authors of hooks share.

mod componentize;

pub use componentize::{World, componentize, is_component};
