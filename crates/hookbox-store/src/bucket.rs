//! The state of one hook during one call.

use crate::cursor;
use crate::local::Owner;
use crate::store::Backend;
use crate::{Error, Limits};
use std::fmt;
use std::time::Instant;

/// The state of one hook, for operations until one deadline.
///
/// Every operation is atomic, also between processes and, in a shared store, between machines. Nothing is retried: an
/// operation that fails with [`Deadline`](crate::ErrorKind::Deadline) or [`Unavailable`](crate::ErrorKind::Unavailable)
/// may or may not have been carried out.
#[derive(Clone, Debug)]
pub struct Bucket {
    pub(crate) backend: Backend,
    pub(crate) owner: Owner,
    pub(crate) deadline: Instant,
}

/// A value that was read, with its version.
#[derive(Clone, PartialEq, Eq)]
pub struct Read {
    /// The value; `None` if the key has none.
    pub value: Option<Vec<u8>>,
    /// The version, which [`Bucket::swap`] needs to replace exactly this value.
    pub version: Version,
}

impl Read {
    pub(crate) fn absent() -> Self {
        Read { value: None, version: Version(None) }
    }
}

/// Shows the size of the value only, because values are private to the hook.
impl fmt::Debug for Read {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.value.as_ref().map(Vec::len);
        f.debug_struct("Read").field("size", &size).field("version", &self.version).finish()
    }
}

/// The version of a key's value. Every write creates a new one, even if it writes the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Version(pub(crate) Option<i64>);

impl Version {
    pub(crate) fn present(random: i64) -> Self {
        Version(Some(random))
    }
}

/// The result of a [`swap`](Bucket::swap).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Swapped {
    /// The value was replaced.
    Done,
    /// The value is no longer the expected one. Contains the current value, which was not changed.
    Changed(Read),
}

/// A page of the list of keys.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// The keys. A page may be empty even if more keys follow.
    pub keys: Vec<String>,
    /// The start of the next page; `None` if this page is the last one.
    pub cursor: Option<String>,
}

/// Passes an operation to the store that the bucket belongs to.
macro_rules! on_backend {
    ($bucket:expr, $method:ident($($argument:expr),*)) => {
        match &$bucket.backend {
            Backend::Local(local) => local.$method(&$bucket.owner, $($argument,)* $bucket.deadline).await,
            #[cfg(feature = "shared")]
            Backend::Shared(shared) => shared.$method(&$bucket.owner, $($argument,)* $bucket.deadline).await,
        }
    };
}

impl Bucket {
    fn limits(&self) -> &Limits {
        &self.owner.limits
    }

    /// Returns the value of a key, or `None` if it has none.
    ///
    /// # Errors
    /// Returns an error if the key is not valid or the store failed. The other operations fail for these reasons too.
    pub async fn get(&self, key: &str) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.read(key).await?.value)
    }

    /// Whether the key has a value.
    ///
    /// # Errors
    /// Fails like [`get`](Bucket::get).
    pub async fn exists(&self, key: &str) -> Result<bool, Error> {
        Ok(self.read(key).await?.value.is_some())
    }

    /// Returns the value of a key with its version, for a [`swap`](Bucket::swap).
    ///
    /// # Errors
    /// Fails like [`get`](Bucket::get).
    pub async fn read(&self, key: &str) -> Result<Read, Error> {
        self.limits().check_key(key)?;
        let reads: Vec<Read> = on_backend!(self, get(vec![key.to_owned()]))?;
        Ok(reads.into_iter().next().unwrap_or_else(Read::absent))
    }

    /// Returns the values of several keys at one moment, in the order of the keys.
    ///
    /// # Errors
    /// Fails like [`get`](Bucket::get), and if there are too many keys.
    pub async fn get_many(&self, keys: &[impl AsRef<str>]) -> Result<Vec<Option<Vec<u8>>>, Error> {
        let keys = self.batch(keys)?;
        let reads: Vec<Read> = on_backend!(self, get(keys))?;
        Ok(reads.into_iter().map(|read| read.value).collect())
    }

    /// Sets the value of a key, and restarts its lifetime.
    ///
    /// # Errors
    /// Fails like [`get`](Bucket::get), and if the value is too large or the quota would be exceeded.
    pub async fn set(&self, key: &str, value: &[u8]) -> Result<(), Error> {
        self.limits().check_key(key)?;
        self.limits().check_value(value)?;
        on_backend!(self, set(vec![(key.to_owned(), value.to_owned())]))
    }

    /// Sets all of these values or none. If a key occurs twice, its last value counts.
    ///
    /// # Errors
    /// Fails like [`set`](Bucket::set), and if there are too many keys.
    pub async fn set_many(&self, entries: &[(impl AsRef<str>, impl AsRef<[u8]>)]) -> Result<(), Error> {
        self.limits().check_batch(entries.len())?;
        let mut checked = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            self.limits().check_key(key.as_ref())?;
            self.limits().check_value(value.as_ref())?;
            checked.push((key.as_ref().to_owned(), value.as_ref().to_owned()));
        }
        on_backend!(self, set(checked))
    }

    /// Deletes a key. Returns false if it had no value.
    ///
    /// # Errors
    /// Fails like [`get`](Bucket::get).
    pub async fn delete(&self, key: &str) -> Result<bool, Error> {
        self.limits().check_key(key)?;
        let deleted: u64 = on_backend!(self, delete(vec![key.to_owned()]))?;
        Ok(deleted > 0)
    }

    /// Deletes all of these keys or none, and returns how many had a value.
    ///
    /// # Errors
    /// Fails like [`get`](Bucket::get), and if there are too many keys.
    pub async fn delete_many(&self, keys: &[impl AsRef<str>]) -> Result<u64, Error> {
        let keys = self.batch(keys)?;
        on_backend!(self, delete(keys))
    }

    /// Returns a page of the keys: the first page, or the page that begins at the cursor of the previous one.
    ///
    /// Keys that exist the whole time are listed; a local store lists them once and in order. Keys that are set or
    /// deleted in the meantime may or may not be listed.
    ///
    /// # Errors
    /// Returns an error if the cursor does not belong to this namespace or the store failed.
    pub async fn list_keys(&self, cursor: Option<&str>) -> Result<Page, Error> {
        let after = cursor.map_or_else(|| Ok(Vec::new()), |cursor| cursor::decode(&self.owner.id, cursor))?;
        on_backend!(self, list(after))
    }

    /// Adds to the decimal number that is the value of a key, or to 0 if the key has no value, and returns the sum.
    ///
    /// # Errors
    /// Fails like [`set`](Bucket::set), and if the value is not a number or the sum does not fit in 64 bits.
    pub async fn increment(&self, key: &str, by: i64) -> Result<i64, Error> {
        self.limits().check_key(key)?;
        on_backend!(self, increment(key.to_owned(), by))
    }

    /// Replaces the value of a key if it is still the value that was read.
    ///
    /// # Errors
    /// Fails like [`set`](Bucket::set).
    pub async fn swap(&self, key: &str, expected: &Version, value: &[u8]) -> Result<Swapped, Error> {
        self.limits().check_key(key)?;
        self.limits().check_value(value)?;
        on_backend!(self, swap(key.to_owned(), *expected, value.to_owned()))
    }

    fn batch(&self, keys: &[impl AsRef<str>]) -> Result<Vec<String>, Error> {
        self.limits().check_batch(keys.len())?;
        keys.iter()
            .map(|key| {
                self.limits().check_key(key.as_ref())?;
                Ok(key.as_ref().to_owned())
            })
            .collect()
    }
}
