//! What holds for every dialect: a two-way codec, and one meaning of a rule whoever asks.

mod answers;
mod config;
mod convert;
mod cross;
mod go_regex;
mod guards;
mod payloads;
mod strategies;
mod strict;

use hookbox::config::Dialect;
use hookbox::dialect::{self, Options, Strictness};
use std::sync::Arc;

/// A dialect by its name.
#[track_caller]
pub fn faithful(name: &str) -> Arc<dyn Dialect> {
    dialect::by_name(name, &Options::default()).unwrap()
}

/// A dialect that lets nothing pass that failed.
#[track_caller]
pub fn strict(name: &str) -> Arc<dyn Dialect> {
    dialect::by_name(name, &Options::default().with_strictness(Strictness::Strict)).unwrap()
}
