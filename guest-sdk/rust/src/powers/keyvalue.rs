//! The imports of `hookbox:store`.
#![allow(unsafe_code, reason = "imported functions")]

use super::abi::{Returned, Slice};
use crate::store::Error;

type Address = *const u8;

#[link(wasm_import_module = "hookbox:store/store@0.1.0")]
unsafe extern "C" {
    #[link_name = "open"]
    fn open(identifier: Address, length: usize, returned: *mut u32);
    #[link_name = "[method]bucket.get"]
    fn get(bucket: u32, key: Address, length: usize, returned: *mut u32);
    #[link_name = "[method]bucket.set"]
    fn set(bucket: u32, key: Address, length: usize, value: Address, value_length: usize, returned: *mut u32);
    #[link_name = "[method]bucket.delete"]
    fn delete(bucket: u32, key: Address, length: usize, returned: *mut u32);
    #[link_name = "[method]bucket.exists"]
    fn exists(bucket: u32, key: Address, length: usize, returned: *mut u32);
    #[link_name = "[method]bucket.list-keys"]
    fn list_keys(bucket: u32, has_cursor: u32, cursor: Address, length: usize, returned: *mut u32);
}

#[link(wasm_import_module = "hookbox:store/atomics@0.1.0")]
unsafe extern "C" {
    #[link_name = "[static]cas.new-with-read"]
    fn note(bucket: u32, key: Address, length: usize, returned: *mut u32);
    #[link_name = "increment"]
    fn increment(bucket: u32, key: Address, length: usize, delta: i64, returned: *mut u32);
    #[link_name = "swap"]
    fn swap(cas: u32, value: Address, length: usize, returned: *mut u32);
}

#[link(wasm_import_module = "hookbox:store/batch@0.1.0")]
unsafe extern "C" {
    #[link_name = "get-many"]
    fn get_many(bucket: u32, keys: *const Slice, length: usize, returned: *mut u32);
    #[link_name = "set-many"]
    fn set_many(bucket: u32, pairs: *const [Slice; 2], length: usize, returned: *mut u32);
    #[link_name = "delete-many"]
    fn delete_many(bucket: u32, keys: *const Slice, length: usize, returned: *mut u32);
}

/// A handle of the host's store. It is not dropped: the instance ends with the call.
#[derive(Debug)]
pub(crate) struct Bucket(u32);

/// A handle of a key's state, as the host noted it.
#[derive(Debug)]
pub(crate) struct Cas(u32);

/// Returns the error of a result, if it has one. The error is a variant that begins at the word with this index.
///
/// # Safety
/// The host must have filled in a `result<_, error>` whose payload begins at this index.
unsafe fn check<const N: usize>(returned: &Returned<N>, at: usize) -> Result<(), Error> {
    if returned.tag(0) == 0 {
        return Ok(());
    }
    Err(unsafe { error(returned, at) })
}

/// Reads the `error` at this index.
///
/// # Safety
/// The host must have written an `error` at this index.
unsafe fn error<const N: usize>(returned: &Returned<N>, at: usize) -> Error {
    match returned.tag(at) {
        0 => Error::NoSuchStore,
        1 => Error::AccessDenied,
        // SAFETY: `other` has a text.
        _ => Error::Other(unsafe { returned.take_text(at + 1) }),
    }
}

/// Reads the `option<list<u8>>` at this index.
///
/// # Safety
/// The host must have written an `option<list<u8>>` at this index.
unsafe fn option<const N: usize>(returned: &Returned<N>, at: usize) -> Option<Vec<u8>> {
    // SAFETY: guaranteed by the caller.
    (returned.tag(at) != 0).then(|| unsafe { returned.take_bytes(at + 1) })
}

/// The noted state of a key, and the key's value.
type Noted = (Cas, Option<Vec<u8>>);

// SAFETY of all calls below: each signature is that of the canonical ABI, what is passed outlives the call, and the
// words are read as the interface lays them out: the tag of the result first, its payload at the next multiple of its
// alignment.
impl Bucket {
    pub(crate) fn open(identifier: &str) -> Result<Self, Error> {
        let mut returned = Returned::<4>::new();
        unsafe {
            open(identifier.as_ptr(), identifier.len(), returned.address());
            check(&returned, 1)?;
        }
        Ok(Bucket(returned.word(1)))
    }

    pub(crate) fn get(&self, key: &str) -> Result<Option<Vec<u8>>, Error> {
        let mut returned = Returned::<4>::new();
        unsafe {
            get(self.0, key.as_ptr(), key.len(), returned.address());
            check(&returned, 1)?;
            Ok(option(&returned, 1))
        }
    }

    pub(crate) fn set(&self, key: &str, value: &[u8]) -> Result<(), Error> {
        let mut returned = Returned::<4>::new();
        unsafe {
            set(self.0, key.as_ptr(), key.len(), value.as_ptr(), value.len(), returned.address());
            check(&returned, 1)
        }
    }

    pub(crate) fn delete(&self, key: &str) -> Result<(), Error> {
        let mut returned = Returned::<4>::new();
        unsafe {
            delete(self.0, key.as_ptr(), key.len(), returned.address());
            check(&returned, 1)
        }
    }

    pub(crate) fn exists(&self, key: &str) -> Result<bool, Error> {
        let mut returned = Returned::<4>::new();
        unsafe {
            exists(self.0, key.as_ptr(), key.len(), returned.address());
            check(&returned, 1)?;
        }
        Ok(returned.tag(1) != 0)
    }

    /// Returns a page of keys, and where the next page begins.
    pub(crate) fn list_keys(&self, cursor: Option<&str>) -> Result<(Vec<String>, Option<String>), Error> {
        let mut returned = Returned::<6>::new();
        let from = Slice::of(cursor.unwrap_or_default().as_bytes());
        unsafe {
            list_keys(self.0, cursor.is_some().into(), from.0, from.1, returned.address());
            check(&returned, 1)?;
            let keys = returned.take_records::<2>(1).iter().map(|key| key.take_text(0)).collect();
            Ok((keys, (returned.tag(3) != 0).then(|| returned.take_text(4))))
        }
    }

    pub(crate) fn increment(&self, key: &str, delta: i64) -> Result<i64, Error> {
        let mut returned = Returned::<6>::new();
        unsafe {
            increment(self.0, key.as_ptr(), key.len(), delta, returned.address());
            check(&returned, 2)?;
        }
        Ok((i64::from(returned.word(3)) << 32) | i64::from(returned.word(2)))
    }

    pub(crate) fn note(&self, key: &str) -> Result<Noted, Error> {
        let mut returned = Returned::<6>::new();
        unsafe {
            note(self.0, key.as_ptr(), key.len(), returned.address());
            check(&returned, 1)?;
            Ok((Cas(returned.word(1)), option(&returned, 2)))
        }
    }

    pub(crate) fn get_many(&self, keys: &[&str]) -> Result<Vec<Option<Vec<u8>>>, Error> {
        let keys: Vec<Slice> = keys.iter().map(|key| Slice::of(key.as_bytes())).collect();
        let mut returned = Returned::<4>::new();
        unsafe {
            get_many(self.0, keys.as_ptr(), keys.len(), returned.address());
            check(&returned, 1)?;
            let pairs = returned.take_records::<5>(1);
            Ok(pairs.iter().map(|pair| (pair.tag(0) != 0).then(|| pair.take_bytes(3))).collect())
        }
    }

    pub(crate) fn set_many(&self, pairs: &[(&str, &[u8])]) -> Result<(), Error> {
        let pairs: Vec<[Slice; 2]> =
            pairs.iter().map(|(key, value)| [Slice::of(key.as_bytes()), Slice::of(value)]).collect();
        let mut returned = Returned::<4>::new();
        unsafe {
            set_many(self.0, pairs.as_ptr(), pairs.len(), returned.address());
            check(&returned, 1)
        }
    }

    pub(crate) fn delete_many(&self, keys: &[&str]) -> Result<(), Error> {
        let keys: Vec<Slice> = keys.iter().map(|key| Slice::of(key.as_bytes())).collect();
        let mut returned = Returned::<4>::new();
        unsafe {
            delete_many(self.0, keys.as_ptr(), keys.len(), returned.address());
            check(&returned, 1)
        }
    }
}

impl Cas {
    /// Sets the value unless it changed since it was noted. If it changed, returns its current state.
    pub(crate) fn swap(self, value: &[u8]) -> Result<Option<Noted>, Error> {
        let mut returned = Returned::<6>::new();
        unsafe {
            swap(self.0, value.as_ptr(), value.len(), returned.address());
            if returned.tag(0) == 0 {
                return Ok(None);
            }
            if returned.tag(1) == 0 {
                return Err(error(&returned, 2));
            }
            Ok(Some((Cas(returned.word(2)), option(&returned, 3))))
        }
    }
}
