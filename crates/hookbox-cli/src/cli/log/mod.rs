//! The decision log: writing it, and showing what it says.

mod advice;
mod as_cases;
mod decisive;
mod explain;
mod recorder;
mod select;
mod show;

pub(super) use explain::Explain;
pub(super) use recorder::{Recorder, open};
#[cfg(feature = "report")]
pub(super) use select::Select;
pub(super) use select::{lines_of, named_log};
#[cfg(feature = "report")]
pub(super) use show::decision;
pub(super) use show::{ShowLog, short_id};
