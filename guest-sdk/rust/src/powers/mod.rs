//! The implementations of [`log`](crate::log), [`store`](crate::store) and [`http`](crate::http), the powers of a hook.
//! In a component, they are imports; elsewhere, for tests, they stay inside the process.

#[cfg(target_family = "wasm")]
mod abi;
#[cfg(all(target_family = "wasm", feature = "http"))]
mod fetch;
#[cfg(all(target_family = "wasm", feature = "store"))]
mod keyvalue;
#[cfg(all(target_family = "wasm", feature = "log"))]
mod logging;
#[cfg(all(not(target_family = "wasm"), feature = "store"))]
mod memory;
#[cfg(all(not(target_family = "wasm"), feature = "http"))]
mod rehearsed;

#[cfg(all(target_family = "wasm", feature = "http"))]
pub(crate) use fetch::fetch;
#[cfg(all(target_family = "wasm", feature = "store"))]
pub(crate) use keyvalue::{Bucket, Cas};
#[cfg(all(target_family = "wasm", feature = "log"))]
pub(crate) use logging::log;
#[cfg(all(not(target_family = "wasm"), feature = "store"))]
pub(crate) use memory::{Bucket, Cas, clear};
#[cfg(all(not(target_family = "wasm"), feature = "http"))]
pub(crate) use rehearsed::{answer_with, fetch};
