//! Tools for hook authors: start a project, turn a compiler's output into a component, try a hook on cases, and measure
//! what a call costs.
//!
//! This module prints nothing and runs no toolchain; the commands do.

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
pub use trial::{Network, Trial, Workbench};
