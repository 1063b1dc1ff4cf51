//! The decision log, monitors and replays.

mod commands;
mod config;
mod content;
mod embedded;
mod monitor;
mod reader;
mod replay;
mod report;
mod schema;
mod writer;
