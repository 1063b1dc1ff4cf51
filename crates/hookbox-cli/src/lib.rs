//! The `hookbox` command: [`cli`] is the command line, and [`author`] contains the tools for hook authors.
//!
//! This crate is a program. To embed the engine, depend on the crate `hookbox`.

pub mod author;
pub mod cli;
