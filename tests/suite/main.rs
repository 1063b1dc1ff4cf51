//! The behaviour of hookbox, through its public API and its command line. One binary, since each one links the
//! whole engine.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stderr,
    missing_docs,
    unreachable_pub,
    reason = "a test fails by panicking, and its helpers have no readers outside"
)]

/// Creates a value with some of its public fields set. Types that may grow cannot be written as literals.
macro_rules! set {
    ($base:expr, $($field:ident: $value:expr),+ $(,)?) => {{
        let mut value = $base;
        $(value.$field = $value;)+
        value
    }};
}

mod support;

mod agent;
mod author;
mod background;
mod cache;
mod cage;
mod chain;
mod command_line;
mod compiler;
mod component_attacks;
mod component_grants;
mod component_last_words;
mod component_leaks;
mod component_load;
mod config;
#[path = "../conformance/mod.rs"]
mod conformance;
mod costs;
mod dialects;
mod docs;
mod embedding;
mod example_agent;
mod facts;
mod features;
mod guest_example;
mod hygge;
mod laws;
mod matcher;
mod model;
mod own_code;
mod payload;
mod policies;
mod powers;
mod protocol;
mod record;
mod registry;
mod rewrite_kind;
mod rust_sdk;
mod same_rule;
mod script;
mod serve;
mod shell;
mod shell_session;
mod tool_names;
mod trust;
