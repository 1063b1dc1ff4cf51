//! The state that hooks keep between calls: keys and values, with quotas, expiry, counters and compare-and-swap.
//!
//! A [`Store`] is a file of the user (an SQLite database) or, with the feature `shared`, a Redis or Valkey server. A
//! [`Bucket`] is the part of a store that one hook may see during one call. The [`Namespace`] of that part consists of
//! the config layer, the name of the hook, and the scope. A failure is never treated as an empty store.
//!
//! ```
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! use hookbox_store::{Layer, Limits, Namespace, Scope, Store};
//! use std::time::{Duration, Instant};
//!
//! let dir = tempfile::tempdir()?;
//! let store = Store::local(&dir.path().join("state"))?;
//! let namespace = Namespace::new(Layer::user(), "rate-limit", Scope::session("5f1c")?)?;
//! let bucket = store.bucket(&namespace, Limits::default(), Instant::now() + Duration::from_secs(1));
//! assert_eq!(bucket.increment("calls", 1).await?, 1);
//! assert_eq!(bucket.get("calls").await?.as_deref(), Some(b"1".as_slice()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```

mod admin;
mod bucket;
mod cursor;
mod error;
mod limits;
mod local;
mod namespace;
#[cfg(feature = "shared")]
mod shared;
mod store;

pub use admin::{Entry, Usage};
pub use bucket::{Bucket, Page, Read, Swapped, Version};
pub use error::{Error, ErrorKind};
pub use limits::{ENTRY_OVERHEAD, Limits, MOST_VALUE};
pub use local::FILE_NAME;
pub use namespace::{Layer, Namespace, Scope, SessionKey};
pub use store::Store;
