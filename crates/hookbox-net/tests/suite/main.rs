//! Tests of what hooks may send, and of what servers may do to them, with real sockets and servers and one attack per
//! test.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests"
)]

mod address;
mod dns;
mod hang;
mod keep_alive;
mod proxy;
mod request;
mod response;
mod rules;
mod secret;
mod support;
mod target;
mod tls;
