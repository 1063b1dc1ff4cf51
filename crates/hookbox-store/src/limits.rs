//! How much a hook may store.

use crate::{Error, ErrorKind};
use std::time::Duration;

/// The most that [`Limits::max_value`] may be: 16 MiB. The database refuses to read values far beyond that.
pub const MOST_VALUE: usize = 16 << 20;

/// The bytes that each entry counts in addition to its key and value.
pub const ENTRY_OVERHEAD: u64 = 64;

/// How much one namespace may store, and for how long.
///
/// By default: a quota of 1 MiB, no expiry, 10,000 keys, keys of 1 KiB, values of 64 KiB, batches of 256.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The bytes of all keys and values together, with [`ENTRY_OVERHEAD`] for each.
    pub quota: u64,
    /// How long an entry lives after it was created or set. Increments and swaps do not extend it, so a counter covers
    /// a fixed window of time.
    pub ttl: Option<Duration>,
    /// The number of keys.
    pub max_keys: u64,
    /// The bytes of a key, in UTF-8.
    pub max_key: usize,
    /// The bytes of a value; at most [`MOST_VALUE`].
    pub max_value: usize,
    /// The keys of one batch.
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

    /// Sets the number of keys.
    #[must_use]
    pub fn with_max_keys(self, max_keys: u64) -> Self {
        Limits { max_keys, ..self }
    }

    /// Sets the bytes of a key.
    #[must_use]
    pub fn with_max_key(self, max_key: usize) -> Self {
        Limits { max_key, ..self }
    }

    /// Sets the bytes of a value.
    #[must_use]
    pub fn with_max_value(self, max_value: usize) -> Self {
        Limits { max_value, ..self }
    }

    /// Sets the keys of a batch.
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
        let most = self.max_value.min(MOST_VALUE);
        if value.len() > most {
            return Err(Error::too_large("the value", value.len(), most, "bytes"));
        }
        Ok(())
    }

    pub(crate) fn check_batch(&self, count: usize) -> Result<(), Error> {
        if count > self.max_batch {
            return Err(Error::too_large("the batch", count, self.max_batch, "keys"));
        }
        Ok(())
    }

    /// The quota as SQLite and Lua count: no more than either can represent.
    pub(crate) fn countable(&self) -> (i64, i64) {
        const MOST: u64 = 1 << 52;
        let count = |number: u64| i64::try_from(number.min(MOST)).unwrap_or(i64::MAX);
        (count(self.quota), count(self.max_keys))
    }

    /// Milliseconds from creation to expiry.
    pub(crate) fn ttl_ms(&self) -> Option<i64> {
        self.ttl.map(|ttl| i64::try_from(ttl.as_millis()).unwrap_or(i64::MAX))
    }
}
