//! The `hookbox` command: [`cli`] is the command line, [`author`] is what it does for those who write hooks.
//!
//! This crate is a program. To embed the engine, depend on the crate `hookbox`.

pub mod author;
pub mod cli;
