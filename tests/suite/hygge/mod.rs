//! hygge: what its rows need beyond the command line, and what hookbox adds to them. Rows that the command line can
//! show are data in `tests/conformance/hygge`.
//!
//! The cases of its Lua plugins (`registerHook`, `hookMissingFunc`, `asyncHook`, `hookWithModify`,
//! `hookWithSystemPromptAppend`) have no counterpart: hookbox does not run Lua. What they test about the registry is
//! tested in `registry` and `chain` with hooks of the embedding program.

mod fixture;

pub mod agent;
mod chain;
mod chain_post;
pub mod command_line;
mod process_end;
pub mod registry;
