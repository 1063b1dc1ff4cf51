//! Checks every value of a text without building any.

use super::super::weight;
use super::{JsonFault, Key, MAX_DEPTH};
use serde::de::{self, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;

/// A visitor that walks a value without building it.
#[derive(Clone, Copy)]
pub(super) struct Walk<'f> {
    depth: usize,
    fault: &'f Cell<JsonFault>,
    /// The weight that the remaining values may have.
    left: &'f Cell<usize>,
}

impl<'f> Walk<'f> {
    /// Creates a walk over values whose total weight may be `left`. If a value is wrong, `fault` is set to the reason.
    pub(super) const fn new(fault: &'f Cell<JsonFault>, left: &'f Cell<usize>) -> Self {
        Walk { depth: 0, fault, left }
    }

    fn deeper<E: de::Error>(self) -> Result<Self, E> {
        if self.depth == MAX_DEPTH {
            self.fault.set(JsonFault::Depth);
            return Err(E::custom(format_args!("nested deeper than {MAX_DEPTH}")));
        }
        Ok(Walk { depth: self.depth + 1, ..self })
    }

    fn weigh<E: de::Error>(self, weight: usize) -> Result<(), E> {
        let Some(left) = self.left.get().checked_sub(weight) else {
            self.fault.set(JsonFault::Size);
            return Err(E::custom("more values than the limit for a text of this size"));
        };
        self.left.set(left);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let inner = self.deeper()?;
        while seq.next_element_seed(inner)?.is_some() {
            self.weigh(weight::VALUE)?;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let inner = self.deeper()?;
        let mut keys = Keys::default();
        let mut count = 0_usize;
        while let Some(key) = map.next_key_seed(Key)? {
            let tree = if count == 0 { weight::OBJECT } else { 0 };
            let more = if count < weight::FIRST { 0 } else { weight::MEMBER };
            self.weigh(weight::VALUE + tree + more)?;
            count += 1;
            if let Err(key) = keys.insert(key) {
                self.fault.set(JsonFault::DuplicateKey);
                return Err(A::Error::custom(format_args!("duplicate key {key:?}")));
            }
            map.next_value_seed(inner)?;
        }
        Ok(())
    }
}

/// The keys of one object. A few keys are compared one by one, which is cheaper than hashing. More keys are hashed, so
/// the time for an object of a hundred thousand keys stays linear in its length.
#[derive(Default)]
struct Keys<'a> {
    few: Vec<Cow<'a, str>>,
    many: HashSet<Cow<'a, str>>,
}

impl<'a> Keys<'a> {
    const FEW: usize = 16;

    /// Returns the key as an error if it is already present.
    fn insert(&mut self, key: Cow<'a, str>) -> Result<(), Cow<'a, str>> {
        if self.few.contains(&key) || self.many.contains(&key) {
            return Err(key);
        }
        if self.few.len() < Keys::FEW {
            self.few.push(key);
        } else {
            self.many.insert(key);
        }
        Ok(())
    }
}
