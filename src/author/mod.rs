//! What authors of hooks need: cases to try a hook on, and what a call of it costs.
//!
//! It prints nothing and runs no toolchain; the commands do.

pub mod cases;
pub mod cost;
mod recorder;
mod subject;
mod trial;

pub use recorder::{Recorder, Wrote};
pub use subject::{Subject, SubjectError};
pub use trial::{Trial, Workbench};
