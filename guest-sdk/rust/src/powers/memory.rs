//! A store for tests, which keeps the values of the current thread.

use crate::store::Error;
use std::cell::RefCell;
use std::collections::BTreeMap;

thread_local! {
    static VALUES: RefCell<BTreeMap<String, Vec<u8>>> = const { RefCell::new(BTreeMap::new()) };
}

/// Empties the store.
pub(crate) fn clear() {
    VALUES.take();
}

#[derive(Debug)]
pub(crate) struct Bucket(());

/// A key, and its value when it was noted.
#[derive(Debug)]
pub(crate) struct Cas(String, Option<Vec<u8>>);

fn value(key: &str) -> Option<Vec<u8>> {
    VALUES.with_borrow(|values| values.get(key).cloned())
}

/// The noted state of a key, and the key's value.
type Noted = (Cas, Option<Vec<u8>>);

impl Bucket {
    pub(crate) fn open(_: &str) -> Result<Self, Error> {
        Ok(Bucket(()))
    }

    pub(crate) fn get(&self, key: &str) -> Result<Option<Vec<u8>>, Error> {
        Ok(value(key))
    }

    pub(crate) fn set(&self, key: &str, value: &[u8]) -> Result<(), Error> {
        VALUES.with_borrow_mut(|values| values.insert(key.to_owned(), value.to_owned()));
        Ok(())
    }

    pub(crate) fn delete(&self, key: &str) -> Result<(), Error> {
        VALUES.with_borrow_mut(|values| values.remove(key));
        Ok(())
    }

    pub(crate) fn exists(&self, key: &str) -> Result<bool, Error> {
        Ok(value(key).is_some())
    }

    pub(crate) fn list_keys(&self, _: Option<&str>) -> Result<(Vec<String>, Option<String>), Error> {
        Ok((VALUES.with_borrow(|values| values.keys().cloned().collect()), None))
    }

    /// Adds to a number, which is kept as in the engine: as decimal text.
    pub(crate) fn increment(&self, key: &str, delta: i64) -> Result<i64, Error> {
        let number = match value(key) {
            None => Some(0),
            Some(bytes) => std::str::from_utf8(&bytes).ok().and_then(|text| text.parse::<i64>().ok()),
        };
        let sum = number.and_then(|number| number.checked_add(delta));
        let sum = sum.ok_or_else(|| Error::Other(format!("the value of {key:?} cannot be added to")))?;
        self.set(key, sum.to_string().as_bytes())?;
        Ok(sum)
    }

    pub(crate) fn note(&self, key: &str) -> Result<Noted, Error> {
        Ok((Cas(key.to_owned(), value(key)), value(key)))
    }

    pub(crate) fn get_many(&self, keys: &[&str]) -> Result<Vec<Option<Vec<u8>>>, Error> {
        Ok(keys.iter().map(|key| value(key)).collect())
    }

    pub(crate) fn set_many(&self, pairs: &[(&str, &[u8])]) -> Result<(), Error> {
        pairs.iter().try_for_each(|(key, value)| self.set(key, value))
    }

    pub(crate) fn delete_many(&self, keys: &[&str]) -> Result<(), Error> {
        keys.iter().try_for_each(|key| self.delete(key))
    }
}

impl Cas {
    pub(crate) fn swap(self, new: &[u8]) -> Result<Option<Noted>, Error> {
        let Cas(key, noted) = self;
        let now = value(&key);
        if now != noted {
            return Ok(Some((Cas(key, now.clone()), now)));
        }
        Bucket(()).set(&key, new)?;
        Ok(None)
    }
}
