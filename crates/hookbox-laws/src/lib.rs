//! The laws that hold for every text that hookbox is given. Each module has one law, as a function that panics if a
//! text violates it. The tests check the laws for known texts and their mutations, and the targets in `fuzz/` search
//! for other texts.

#![forbid(unsafe_code)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a violated law is a panic, like a failed assertion"
)]

pub mod action;
pub mod cache_entry;
pub mod config;
pub mod input;
pub mod shell_output;

mod chain;
mod restraint;

/// A law: a function that panics if the text violates it.
pub type Law = fn(&[u8]);

/// All laws, with the names of their targets in `fuzz/`.
pub const ALL: [(&str, Law); 5] = [
    ("action", action::holds),
    ("cache_entry", cache_entry::holds),
    ("config", config::holds),
    ("input", input::holds),
    ("shell_output", shell_output::holds),
];
