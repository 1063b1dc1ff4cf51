//! What authors of hooks need: a project to begin with, a component from what a compiler left, cases to try a hook on, and
//! what a call of it costs.
//!
//! It prints nothing and runs no toolchain; the commands do.

mod componentize;
mod language;
mod template;

pub use componentize::{World, componentize, is_component};
pub use language::{Language, Undecided};
pub use template::{NewError, create};
