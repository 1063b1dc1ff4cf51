//! hygge: every case of its own test suite and of its table of answers, one test per row.
//!
//! The cases of its Lua plugins (`registerHook`, `hookMissingFunc`, `asyncHook`, `hookWithModify`,
//! `hookWithSystemPromptAppend`) have no counterpart: hookbox runs no Lua. What they ask of the registry is asked in
//! `registry` and `chain` with hooks of the embedding program.

mod fixture;

mod agent;
mod answers;
mod answers_modify;
mod chain;
mod chain_post;
mod command_line;
mod discovery;
mod environment;
mod loading;
mod payload;
mod process_end;
mod registry;
mod schema;
mod subprocess;
