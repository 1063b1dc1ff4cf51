//! What authors of hooks need: a project to begin with, a component from what a compiler left, cases to try a hook on, and
//! what a call of it costs.
//!
//! It prints nothing and runs no toolchain; the commands do.

pub mod cases;
pub mod cost;
mod language;
mod recorder;
mod script;
mod subject;
mod template;
mod trial;

pub use language::{Language, Undecided};
pub use recorder::{Recorder, Wrote};
pub use script::script_component;
pub use subject::{Subject, SubjectError};
pub use template::{NewError, create};
pub use trial::{Trial, Workbench};
