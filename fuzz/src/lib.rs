//! Properties that hold for any text that hookbox is given. Each module has one, for the target of the same name; a
//! panic means that it is violated.

#![forbid(unsafe_code)]

pub mod action;
pub mod cache_entry;
pub mod config;
pub mod input;
pub mod shell_output;

mod chain;
mod restraint;
