//! Outgoing HTTP, for components that are granted it: `wasi:http`, and `hookbox:http`, which has only one function.
//!
//! The crate hookbox-net decides what may be sent, and sends it. This module has the two interfaces to it.

#[cfg(not(feature = "net"))]
mod absent;
#[cfg(feature = "net")]
mod answers;
#[cfg(feature = "net")]
mod error;
#[cfg(feature = "net")]
mod fetch;
mod grant;
#[cfg(feature = "net")]
mod host;
#[cfg(feature = "net")]
mod open;
mod record;

#[cfg(not(feature = "net"))]
pub(crate) use absent::check;
#[cfg(not(feature = "net"))]
pub(in super::super) use absent::{Networks, Opened, Requests};
#[cfg(feature = "net")]
pub(in super::super) use fetch::link as link_fetch;
pub(crate) use grant::BadRule;
pub use grant::{NetAnswer, NetGrant, NetPlace, NetRule};
#[cfg(feature = "net")]
pub(in super::super) use host::{Requests, View, link_handler, link_types};
#[cfg(feature = "net")]
pub(crate) use open::check;
#[cfg(feature = "net")]
pub(in super::super) use open::{Networks, Opened};
pub use record::NetRecord;
