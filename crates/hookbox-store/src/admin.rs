//! The content of a store, for the operator.

use crate::Namespace;
use std::time::{Duration, SystemTime};

/// The content of one namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Usage {
    /// Whose state it is.
    pub namespace: Namespace,
    /// The number of keys.
    pub keys: u64,
    /// What counts against the quota, in bytes.
    pub bytes: u64,
    /// The quota at the last write, in bytes.
    pub quota: u64,
    /// When the first of the entries expires; `None` if none ever does.
    pub first_expiry: Option<SystemTime>,
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// The key, as the hook wrote it: it may contain control characters.
    pub key: String,
    /// The value, as the hook wrote it.
    pub value: Vec<u8>,
    /// When the entry expires; `None` if never.
    pub expiry: Option<SystemTime>,
}

/// The time this many milliseconds after 1970; `None` if it is too late to be represented.
pub(crate) fn time(ms: i64) -> Option<SystemTime> {
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(u64::try_from(ms).ok()?))
}
