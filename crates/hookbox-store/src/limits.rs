//! The limits of what a hook may store.

use crate::{Error, ErrorKind};
use std::time::Duration;

/// The maximum of [`Limits::max_value`]: 16 MiB. The database refuses to read values that are much larger.
pub const MOST_VALUE: usize = 16 << 20;

/// The number of bytes that each entry counts against the quota in addition to its key and value.
pub const ENTRY_OVERHEAD: u64 = 64;

/// The limits on how much one namespace may store, and for how long.
///
/// The defaults are a quota of 1 MiB, no expiry, 10,000 keys, keys of 1 KiB, values of 64 KiB, and batches of 256 keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum size of all keys and values together, in bytes, with [`ENTRY_OVERHEAD`] for each entry.
    pub quota: u64,
    /// How long an entry lives after it was created or set. Increments and swaps do not extend it, so a counter covers
    /// a fixed window of time.
    pub ttl: Option<Duration>,
    /// The maximum number of keys.
    pub max_keys: u64,
    /// The maximum length of a key, in bytes of UTF-8.
    pub max_key: usize,
    /// The maximum size of a value, in bytes. Anything above [`MOST_VALUE`] counts as [`MOST_VALUE`].
    pub max_value: usize,
    /// The maximum number of keys in one batch.
    pub max_batch: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { quota: 1 << 20, ttl: None, max_keys: 10_000, max_key: 1 << 10, max_value: 64 << 10, max_batch: 256 }
    }
}

impl Limits {
    /// Sets the quota in bytes.
    #[must_use]
    pub fn with_quota(self, quota: u64) -> Self {
        Limits { quota, ..self }
    }

    /// Sets how long an entry lives; `None` means forever.
    #[must_use]
    pub fn with_ttl(self, ttl: Option<Duration>) -> Self {
        Limits { ttl, ..self }
    }

    /// Sets the maximum number of keys.
    #[must_use]
    pub fn with_max_keys(self, max_keys: u64) -> Self {
        Limits { max_keys, ..self }
    }

    /// Sets the maximum length of a key, in bytes.
    #[must_use]
    pub fn with_max_key(self, max_key: usize) -> Self {
        Limits { max_key, ..self }
    }

    /// Sets the maximum size of a value, in bytes.
    #[must_use]
    pub fn with_max_value(self, max_value: usize) -> Self {
        Limits { max_value, ..self }
    }

    /// Sets the maximum number of keys in a batch.
    #[must_use]
    pub fn with_max_batch(self, max_batch: usize) -> Self {
        Limits { max_batch, ..self }
    }

    pub(crate) fn check_key(&self, key: &str) -> Result<(), Error> {
        match key.len() {
            0 => Err(Error::open(ErrorKind::Invalid, "the key is empty")),
            size if size > self.max_key => Err(Error::too_large("the key", size, self.max_key, "bytes")),
            _ => Ok(()),
        }
    }

    pub(crate) fn check_value(&self, value: &[u8]) -> Result<(), Error> {
        let most = self.most_value();
        if value.len() > most {
            return Err(Error::too_large("the value", value.len(), most, "bytes"));
        }
        Ok(())
    }

    /// Returns the maximum size of a value that a store accepts.
    pub(crate) fn most_value(&self) -> usize {
        self.max_value.min(MOST_VALUE)
    }

    pub(crate) fn check_batch(&self, count: usize) -> Result<(), Error> {
        if count > self.max_batch {
            return Err(Error::too_large("the batch", count, self.max_batch, "keys"));
        }
        Ok(())
    }

    /// Returns the quota and the number of keys, lowered to what both SQLite and Lua can represent exactly.
    pub(crate) fn countable(&self) -> (i64, i64) {
        const MOST: u64 = 1 << 52;
        let count = |number: u64| i64::try_from(number.min(MOST)).unwrap_or(i64::MAX);
        (count(self.quota), count(self.max_keys))
    }

    /// Returns the milliseconds from creation to expiry.
    pub(crate) fn ttl_ms(&self) -> Option<i64> {
        self.ttl.map(|ttl| i64::try_from(ttl.as_millis()).unwrap_or(i64::MAX))
    }
}
