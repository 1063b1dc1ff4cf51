//! Values by key that outlive the call. This needs the grant `store`.
//!
//! The operator chooses who shares the values (a session, a project, the user, all machines), how much fits in, and how
//! long a value lives. A key has at most 1 KiB, a value 64 KiB, a batch 256 keys, a store 10,000 keys.
//!
//! ```
//! use hookbox_sdk::{Action, Error, Input, store};
//!
//! fn judge(input: &Input) -> Result<Action, Error> {
//!     let calls = store::open()?.increment("calls", 1)?;
//!     Ok(if calls > 100 { Action::deny("this session has used its 100 calls") } else { Action::allow() })
//! }
//! ```
//!
//! A value that cannot be read or stored is an error, never an empty store: propagate the error with `?`, and the
//! engine denies.
//!
//! On targets other than WebAssembly, a store keeps its values in memory, for the current thread, so that tests need no
//! engine. `store::clear()` empties it.

use crate::powers::{Bucket, Cas};
use std::fmt;

/// How often [`Store::update`] tries before it fails.
const MOST_TRIES: u32 = 100;

/// The reason why an operation failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The component has no store of this name.
    NoSuchStore,
    /// The component may not use the store.
    AccessDenied,
    /// Any other reason, in the engine's words, such as a store that is full, locked, damaged or out of reach.
    Other(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the store: ")?;
        f.write_str(match self {
            Error::NoSuchStore => "there is no store of this name",
            Error::AccessDenied => "access denied",
            Error::Other(text) => text,
        })
    }
}

impl std::error::Error for Error {}

/// Opens the store that the operator granted.
///
/// # Errors
/// Returns an error if the store cannot be opened, for example because it is one per session and the call has no
/// session.
pub fn open() -> Result<Store, Error> {
    Bucket::open("default").map(Store)
}

/// Empties the store of the current thread. For tests.
#[cfg(not(target_family = "wasm"))]
pub fn clear() {
    crate::powers::clear();
}

/// The store that the operator granted. Every operation fails if the store does.
#[derive(Debug)]
pub struct Store(Bucket);

impl Store {
    /// Returns the value of a key, if it has one.
    ///
    /// # Errors
    /// Returns an error if the store failed.
    pub fn get(&self, key: &str) -> Result<Option<Vec<u8>>, Error> {
        self.0.get(key)
    }

    /// Returns the value of a key as text, if it has one.
    ///
    /// # Errors
    /// Returns an error if the store failed, or if the value is not UTF-8.
    pub fn get_text(&self, key: &str) -> Result<Option<String>, Error> {
        let text = self.get(key)?.map(String::from_utf8).transpose();
        text.map_err(|_| Error::Other(format!("the value of {key:?} is not text")))
    }

    /// Sets the value of a key.
    ///
    /// # Errors
    /// Returns an error if the store failed, or is full.
    pub fn set(&self, key: &str, value: impl AsRef<[u8]>) -> Result<(), Error> {
        self.0.set(key, value.as_ref())
    }

    /// Deletes a key, which may be absent.
    ///
    /// # Errors
    /// Returns an error if the store failed.
    pub fn delete(&self, key: &str) -> Result<(), Error> {
        self.0.delete(key)
    }

    /// Whether a key has a value.
    ///
    /// # Errors
    /// Returns an error if the store failed.
    pub fn exists(&self, key: &str) -> Result<bool, Error> {
        self.0.exists(key)
    }

    /// Returns all keys, sorted.
    ///
    /// # Errors
    /// Returns an error if the store failed.
    pub fn keys(&self) -> Result<Vec<String>, Error> {
        let (mut keys, mut cursor) = self.0.list_keys(None)?;
        while let Some(from) = cursor {
            let (more, next) = self.0.list_keys(Some(&from))?;
            keys.extend(more);
            cursor = next;
        }
        keys.sort_unstable();
        Ok(keys)
    }

    /// Adds to a number and returns the sum. An absent key counts as 0. No increment is lost, however many calls add to
    /// the same key at once.
    ///
    /// # Errors
    /// Returns an error if the store failed, the value is not a number, or the sum does not fit in 64 bits.
    pub fn increment(&self, key: &str, delta: i64) -> Result<i64, Error> {
        self.0.increment(key, delta)
    }

    /// Replaces the value of a key with the result of `change`, and returns the new value. If another call was faster,
    /// `change` is called again with the value that the other call stored.
    ///
    /// # Errors
    /// Returns an error if the store failed, or if other calls were faster 100 times.
    pub fn update(&self, key: &str, mut change: impl FnMut(Option<&[u8]>) -> Vec<u8>) -> Result<Vec<u8>, Error> {
        self.try_update(key, |value| Ok(change(value)))
    }

    /// Like [`update`](Store::update), but for a `change` that can fail. If it fails, nothing is stored.
    ///
    /// # Errors
    /// Returns an error if `change` or the store failed, or if other calls were faster 100 times.
    pub fn try_update<E: From<Error>>(
        &self,
        key: &str,
        mut change: impl FnMut(Option<&[u8]>) -> Result<Vec<u8>, E>,
    ) -> Result<Vec<u8>, E> {
        let (mut noted, mut value): (Cas, _) = self.0.note(key)?;
        for _ in 0..MOST_TRIES {
            let new = change(value.as_deref())?;
            match noted.swap(&new)? {
                None => return Ok(new),
                Some((now, stored)) => (noted, value) = (now, stored),
            }
        }
        Err(Error::Other(format!("{key:?} was changed by other calls {MOST_TRIES} times in a row")).into())
    }

    /// Returns the values of keys, in the same order.
    ///
    /// # Errors
    /// Returns an error if the store failed.
    pub fn get_many(&self, keys: &[&str]) -> Result<Vec<Option<Vec<u8>>>, Error> {
        self.0.get_many(keys)
    }

    /// Sets the values of several keys, all or none.
    ///
    /// # Errors
    /// Returns an error if the store failed, or is full.
    pub fn set_many(&self, pairs: &[(&str, &[u8])]) -> Result<(), Error> {
        self.0.set_many(pairs)
    }

    /// Deletes several keys, all or none. They may be absent.
    ///
    /// # Errors
    /// Returns an error if the store failed.
    pub fn delete_many(&self, keys: &[&str]) -> Result<(), Error> {
        self.0.delete_many(keys)
    }
}
