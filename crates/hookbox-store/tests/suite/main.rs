//! Tests of the stores: what both promise, and what each must survive.

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

mod contract;
mod contract_limits;
mod files;
#[cfg(feature = "shared")]
mod liars;
mod local;
mod logs;
mod namespaces;
mod processes;
#[cfg(feature = "shared")]
mod shared;
mod support;
#[cfg(feature = "shared")]
mod tls;
