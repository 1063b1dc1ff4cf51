//! The properties of every dialect: a two-way codec, and the same meaning of a rule for every caller.

mod answers;
mod config;
mod convert;
mod cross;
mod generations;
mod go_regex;
mod guards;
mod payloads;
mod strategies;
mod strict;
mod surroundings;

use hookbox::config::Dialect;
use hookbox::dialect::{self, Options, Strictness};
use std::sync::Arc;

/// Returns a dialect by its name.
#[track_caller]
pub fn faithful(name: &str) -> Arc<dyn Dialect> {
    dialect::by_name(name, &Options::default()).unwrap()
}

/// Returns a dialect that never fails open.
#[track_caller]
pub fn strict(name: &str) -> Arc<dyn Dialect> {
    dialect::by_name(name, &Options::default().with_strictness(Strictness::Strict)).unwrap()
}
