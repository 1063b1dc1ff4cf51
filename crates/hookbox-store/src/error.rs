//! Errors. Each has two texts: a full one for the operator, and one without paths, addresses or names for the hook.

use std::time::Duration;

/// The error of an operation on a store.
///
/// [`Display`](std::fmt::Display) is for the operator: it says what failed, where, and what to do. The hook must see
/// only [`for_guest`](Error::for_guest).
#[derive(Clone, Debug, thiserror::Error)]
#[error("{operator}")]
pub struct Error {
    kind: ErrorKind,
    operator: String,
    /// The text for the hook, if it says more than the kind.
    guest: Option<String>,
}

/// The kinds of [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The quota of the namespace, the disk, or the server's memory is used up. Deleting still works.
    Full,
    /// A key, a value, a batch or a name exceeds its limit.
    TooLarge,
    /// A key, a cursor, a name or a limit is not valid.
    Invalid,
    /// A counter's value is not a decimal number.
    NotANumber,
    /// The result of an increment does not fit in 64 bits.
    Overflow,
    /// Other processes or calls held the store for too long. Nothing was changed.
    Busy,
    /// The stored data is not what this program wrote. Such data is never replaced.
    Damaged,
    /// The store belongs to another user, is open to other users, or refuses this user.
    Denied,
    /// The shared server cannot be reached, or failed. A write may have been carried out.
    Unavailable,
    /// The call ran out of time. A write may have been carried out.
    Deadline,
    /// The operating system failed.
    System,
}

impl Error {
    /// Returns the kind of failure.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the text for the hook. It never contains a path, an address or another hook's name.
    #[must_use]
    pub fn for_guest(&self) -> &str {
        if let Some(guest) = &self.guest {
            return guest;
        }
        match self.kind {
            ErrorKind::Full => "the store is full",
            ErrorKind::TooLarge => "too large for the store",
            ErrorKind::Invalid => "not valid for the store",
            ErrorKind::NotANumber => "the value is not a decimal number",
            ErrorKind::Overflow => "the result does not fit in 64 bits",
            ErrorKind::Busy => "the store is busy",
            ErrorKind::Damaged => "the store is damaged",
            ErrorKind::Denied => "the store cannot be accessed",
            ErrorKind::Unavailable => "the store is not available; a write may have been carried out",
            ErrorKind::Deadline => "the call ran out of time; a write may have been carried out",
            ErrorKind::System => "the store failed",
        }
    }

    /// Creates an error of which the hook sees only the kind.
    pub(crate) fn new(kind: ErrorKind, operator: impl Into<String>) -> Self {
        Error { kind, operator: operator.into(), guest: None }
    }

    /// Creates an error whose whole text the hook may see.
    pub(crate) fn open(kind: ErrorKind, text: impl Into<String>) -> Self {
        let text = text.into();
        Error { kind, guest: Some(text.clone()), operator: text }
    }

    pub(crate) fn too_large(what: &str, size: usize, most: usize, unit: &str) -> Self {
        Error::open(ErrorKind::TooLarge, format!("{what} has {size} {unit}, more than {most}"))
    }

    pub(crate) fn over_quota(bytes: u64, keys: u64) -> Self {
        let text = format!("the quota of {bytes} bytes and {keys} keys is used up; delete what is no longer needed");
        Error::open(ErrorKind::Full, text)
    }

    pub(crate) fn not_a_number() -> Self {
        Error::open(ErrorKind::NotANumber, "the value is not a decimal number of 64 bits, so it cannot be incremented")
    }

    pub(crate) fn overflow() -> Self {
        Error::open(ErrorKind::Overflow, "the incremented value does not fit in 64 bits; it was not changed")
    }

    pub(crate) fn deadline() -> Self {
        Error::open(ErrorKind::Deadline, "the call ran out of time; a write may have been carried out")
    }

    pub(crate) fn busy(place: &str, waited: Duration) -> Self {
        let text = format!("`{place}` was locked by another process or call for {} ms; try again", waited.as_millis());
        Error::new(ErrorKind::Busy, text)
    }
}
