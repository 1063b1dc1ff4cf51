//! What authors of hooks need: a project to begin with, a component from what a compiler left, cases to test it with.
//!
//! It runs no toolchain and prints nothing; the commands do.

mod language;
mod template;

pub use language::{Language, Undecided};
pub use template::{NewError, create};
