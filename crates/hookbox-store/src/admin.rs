//! The contents of a store, as shown to the operator.

use crate::Namespace;
use std::time::{Duration, SystemTime};

/// A summary of the contents of one namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Usage {
    /// The owner of the state.
    pub namespace: Namespace,
    /// The number of keys.
    pub keys: u64,
    /// The size that counts against the quota, in bytes.
    pub bytes: u64,
    /// The quota at the last write, in bytes.
    pub quota: u64,
    /// The time when the first of the entries expires; `None` if none ever does.
    pub first_expiry: Option<SystemTime>,
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// The key as the hook wrote it. It may contain control characters.
    pub key: String,
    /// The value as the hook wrote it.
    pub value: Vec<u8>,
    /// The time when the entry expires; `None` if it never does.
    pub expiry: Option<SystemTime>,
}

/// Returns the time this many milliseconds after the beginning of 1970, or `None` if it cannot be represented.
pub(crate) fn time(ms: i64) -> Option<SystemTime> {
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(u64::try_from(ms).ok()?))
}
