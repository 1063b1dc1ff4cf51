//! `wasi:keyvalue`: a store of values by key, for components that are granted one.
//!
//! The same interfaces exist under the name `hookbox:store`, because two toolchains replace every import that is called
//! `wasi:…` with a stub. This module implements both.

#[cfg(not(feature = "store"))]
mod absent;
mod grant;
#[cfg(feature = "store")]
mod host;
#[cfg(feature = "store")]
mod open;

#[cfg(not(feature = "store"))]
pub(in super::super) use absent::{Bucket, Opened, Stores};
pub use grant::{StoreGrant, StorePlace, StoreScope, StoreServer};
#[cfg(feature = "store")]
pub(in super::super) use host::{ATOMICS, BATCH, STORE, View};
#[cfg(feature = "store")]
pub(in super::super) use open::{Bucket, Opened, Stores};
