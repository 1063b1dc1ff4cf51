//! A hook engine for AI agents whose hooks are sandboxed WebAssembly components.
//!
//! An agent stops at fixed points (before a tool call, after it, before a message, ...) and asks: may this happen,
//! and in this form? Each answer comes from a chain of hooks. A hook is a component in a sandbox that can do
//! nothing but compute, a shell command, or a Rust type of the embedding program.

#[cfg(feature = "cli")]
pub mod author;
pub mod chain;
pub mod config;
pub mod dialect;
mod private_dir;
mod protocol;
mod registry;
pub mod runtime;

pub use protocol::*;
pub use registry::{RegisterError, Registry, Run};
pub use runtime::{Caller, Hook, HookInfo, Matcher, Mode, NativeHook};

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
