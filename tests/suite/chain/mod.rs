//! The rules of the chain, without a process or an engine.

mod model;
mod orders;
mod properties;
mod rules;
