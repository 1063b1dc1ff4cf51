//! The decision log: one line of JSON for each decided event, for people who ask later what was denied and why.
//!
//! A [`Log`] writes the lines; any number of processes can write to the same file. It never changes a verdict: a line
//! that cannot be written is counted, and the next line reports how many are missing. [`read`](read()) reads the lines
//! back. A program that embeds the engine lets a [`Recorder`] observe its registry.

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
