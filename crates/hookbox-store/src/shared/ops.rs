//! The operations on one namespace, as scripts.

use super::{Shared, key, script};
use crate::bucket::{Page, Read, Swapped, Version};
use crate::cursor;
use crate::local::Owner;
use crate::{Error, ErrorKind};
use redis::{Script, ScriptInvocation, Value};
use std::time::Instant;

/// The maximum size of an answer without values, in bytes. The server may put a whole list of keys on one page.
const SMALL: u64 = 16 << 20;

impl Shared {
    pub(crate) async fn get(&self, owner: &Owner, keys: Vec<String>, until: Instant) -> Result<Vec<Read>, Error> {
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let mut call = script::GETTING.key(key(&owner.id));
        let most = SMALL + keys.len() as u64 * owner.limits.most_value() as u64;
        for key in &keys {
            call.arg(field(key));
        }
        let answer = self.run(&call, most, until).await?;
        if answer.len() != keys.len() {
            return Err(self.nonsense());
        }
        answer.into_iter().map(|value| self.read(value)).collect()
    }

    pub(crate) async fn set(
        &self,
        owner: &Owner,
        entries: Vec<(String, Vec<u8>)>,
        until: Instant,
    ) -> Result<(), Error> {
        let mut call = writer(&script::SETTING, owner);
        for (key, value) in &entries {
            call.arg(field(key)).arg(version()?).arg(value);
        }
        self.write(owner, &call, until).await.map(|_| ())
    }

    pub(crate) async fn delete(&self, owner: &Owner, keys: Vec<String>, until: Instant) -> Result<u64, Error> {
        let mut call = writer(&script::DELETING, owner);
        for key in &keys {
            call.arg(field(key));
        }
        match self.write(owner, &call, until).await?.as_slice() {
            [Value::Int(deleted)] => u64::try_from(*deleted).map_err(|_| self.nonsense()),
            _ => Err(self.nonsense()),
        }
    }

    pub(crate) async fn list(&self, owner: &Owner, after: Vec<u8>, until: Instant) -> Result<Page, Error> {
        let position = if after.is_empty() { b"0".to_vec() } else { after };
        let mut call = script::LISTING.key(key(&owner.id));
        call.arg(position);
        let mut answer = self.run(&call, SMALL, until).await?.into_iter().map(|value| self.bytes(value));
        let next = answer.next().ok_or_else(|| self.nonsense())??;
        let keys = answer.map(|key| String::from_utf8(key?).map_err(|_| self.nonsense()));
        let keys = keys.collect::<Result<_, _>>()?;
        Ok(Page { keys, cursor: (next != b"0").then(|| cursor::encode(&owner.id, &next)) })
    }

    pub(crate) async fn increment(&self, owner: &Owner, key: String, by: i64, until: Instant) -> Result<i64, Error> {
        let mut call = writer(&script::INCREMENTING, owner);
        call.arg(field(&key)).arg(version()?).arg(by);
        let mut answer = self.write(owner, &call, until).await?.into_iter();
        let sum = self.bytes(answer.next().unwrap_or(Value::Nil))?;
        str::from_utf8(&sum).ok().and_then(|sum| sum.parse().ok()).ok_or_else(|| self.nonsense())
    }

    pub(crate) async fn swap(
        &self,
        owner: &Owner,
        key: String,
        expected: Version,
        value: Vec<u8>,
        until: Instant,
    ) -> Result<Swapped, Error> {
        let expected = expected.0.map_or_else(String::new, |version| format!("{version:016x}"));
        let mut call = writer(&script::SWAPPING, owner);
        call.arg(field(&key)).arg(expected).arg(version()?).arg(value);
        let answer = self.run(&call, SMALL + owner.limits.most_value() as u64, until).await?;
        match answer.split_first() {
            Some((Value::BulkString(status), [])) if status == b"changed" => Ok(Swapped::Changed(Read::absent())),
            Some((Value::BulkString(status), read)) if status == b"changed" => {
                Ok(Swapped::Changed(self.read(Value::Array(read.to_vec()))?))
            }
            _ => self.done(owner, answer).map(|_| Swapped::Done),
        }
    }

    async fn write(&self, owner: &Owner, call: &ScriptInvocation<'_>, until: Instant) -> Result<Vec<Value>, Error> {
        self.done(owner, self.run(call, SMALL, until).await?)
    }

    /// Returns what follows the status, if the status means success.
    fn done(&self, owner: &Owner, answer: Vec<Value>) -> Result<Vec<Value>, Error> {
        let mut answer = answer.into_iter();
        let status = self.bytes(answer.next().unwrap_or(Value::Nil))?;
        match status.as_slice() {
            b"ok" => Ok(answer.collect()),
            b"full" => Err(Error::over_quota(owner.limits.quota, owner.limits.max_keys)),
            b"nan" => Err(Error::not_a_number()),
            b"overflow" => Err(Error::overflow()),
            _ => Err(self.nonsense()),
        }
    }

    fn read(&self, value: Value) -> Result<Read, Error> {
        let parts = match value {
            Value::Nil => return Ok(Read::absent()),
            Value::Array(parts) => <[Value; 2]>::try_from(parts).map_err(|_| self.nonsense())?,
            _ => return Err(self.nonsense()),
        };
        let [version, value] = parts;
        let version = self.bytes(version)?;
        let version = str::from_utf8(&version).ok().and_then(|digits| u64::from_str_radix(digits, 16).ok());
        let version = version.ok_or_else(|| self.nonsense())?.cast_signed();
        Ok(Read { value: Some(self.bytes(value)?), version: Version::present(version) })
    }

    pub(super) fn bytes(&self, value: Value) -> Result<Vec<u8>, Error> {
        match value {
            Value::BulkString(bytes) => Ok(bytes),
            _ => Err(self.nonsense()),
        }
    }

    pub(super) fn nonsense(&self) -> Error {
        let text = format!("the shared store at `{}` gave an answer that makes no sense", self.inner.server);
        Error::new(ErrorKind::Damaged, text)
    }
}

/// Returns the name of the field that holds the entry of a key.
fn field(key: &str) -> Vec<u8> {
    [b"k", key.as_bytes()].concat()
}

/// Creates a random version for a value that is written now.
fn version() -> Result<String, Error> {
    let random = getrandom::u64().map_err(|error| Error::new(ErrorKind::System, format!("no randomness: {error}")))?;
    Ok(format!("{random:016x}"))
}

fn writer<'a>(script: &'a Script, owner: &Owner) -> ScriptInvocation<'a> {
    let (quota, most_keys) = owner.limits.countable();
    let mut call = script.key(key(&owner.id));
    call.arg(&*owner.name).arg(quota).arg(most_keys);
    // Scripts add the lifetime to the time, in numbers of 53 bits.
    call.arg(owner.limits.ttl_ms().map_or_else(String::new, |ttl| ttl.min(1 << 52).to_string()));
    call
}
