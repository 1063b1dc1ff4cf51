//! The decision log: one line of JSON for each decided event, for people who ask later what was denied and why.
//!
//! A [`Log`] writes the lines, from as many processes as there are. It never changes a verdict: a line that cannot be
//! written is counted, and the next line tells how many are missing. [`read`](read()) reads them back. A program that embeds
//! the engine lets a [`Recorder`] observe its registry.

mod build;
mod file;
mod fit;
mod line;
mod mask;
mod read;
mod recorder;
mod settings;

pub use build::{Decided, new_id};
pub use file::{Log, LogError};
pub use line::{HookLine, Host, Line, SCHEMA, Told, ToolLine, Via};
pub use mask::Mask;
pub use read::{BrokenLine, Lines, read};
pub use recorder::Recorder;
pub use settings::{Inputs, Settings, What};
