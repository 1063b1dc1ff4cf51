//! The operator's view of a shared store: listing and removing state in all namespaces.

use super::{PREFIX, SUFFIX, Shared, key, script};
use crate::admin::{Entry, Usage, time};
use crate::namespace::NamespaceId;
use crate::{Error, Namespace};
use redis::Value;
use std::collections::BTreeSet;
use std::time::{Instant, SystemTime};

/// The maximum size of an answer, in bytes. It is enough for all entries of a namespace with at most this quota.
const LARGE: u64 = 256 << 20;

impl Shared {
    /// Does nothing: the server removes expired entries itself, and there is no log to shorten.
    #[expect(clippy::unused_async, reason = "the local store has to wait")]
    pub(crate) async fn tidy(&self, _: Instant) -> Result<(), Error> {
        Ok(())
    }

    pub(crate) async fn usage(&self, until: Instant) -> Result<Vec<Usage>, Error> {
        let mut usage = Vec::new();
        for key in self.keys(until).await? {
            let answer = self.run(&script::USING.key(&key), LARGE, until).await?;
            let parts: Result<Vec<_>, _> = answer.into_iter().map(|value| self.bytes(value)).collect();
            let [name, numbers @ ..] = &*parts? else { return Err(self.nonsense()) };
            let numbers: Option<Vec<u64>> =
                numbers.iter().map(|digits| str::from_utf8(digits).ok()?.parse().ok()).collect();
            let Some(&[quota, keys, bytes, first]) = numbers.as_deref() else { return Err(self.nonsense()) };
            if keys == 0 {
                continue;
            }
            // If the name does not match the key, this program did not write it.
            let namespace = Namespace::decode(name).filter(|namespace| super::key(&namespace.id()) == key);
            let namespace = namespace.ok_or_else(|| self.nonsense())?;
            usage.push(Usage { namespace, keys, bytes, quota, first_expiry: expiry(first) });
        }
        usage.sort_by(|a, b| a.namespace.cmp(&b.namespace));
        Ok(usage)
    }

    pub(crate) async fn entries(&self, id: NamespaceId, until: Instant) -> Result<Vec<Entry>, Error> {
        let answer = self.run(&script::READING.key(key(&id)), LARGE, until).await?;
        let mut parts = answer.into_iter().map(|value| self.bytes(value));
        let mut entries = Vec::new();
        while let Some(key) = parts.next() {
            let (Some(value), Some(expires)) = (parts.next(), parts.next()) else { return Err(self.nonsense()) };
            let key = String::from_utf8(key?).map_err(|_| self.nonsense())?;
            let expires = str::from_utf8(&expires?).ok().and_then(|digits| digits.parse().ok());
            let expiry = expiry(expires.ok_or_else(|| self.nonsense())?);
            entries.push(Entry { key, value: value?, expiry });
        }
        entries.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(entries)
    }

    pub(crate) async fn clear(&self, id: NamespaceId, until: Instant) -> Result<u64, Error> {
        match self.run(&script::CLEARING.key(key(&id)), LARGE, until).await?.as_slice() {
            [_, Value::Int(count)] => u64::try_from(*count).map_err(|_| self.nonsense()),
            _ => Err(self.nonsense()),
        }
    }

    /// Returns the keys of all namespaces.
    async fn keys(&self, until: Instant) -> Result<BTreeSet<String>, Error> {
        let mut keys = BTreeSet::new();
        let mut cursor = 0u64;
        loop {
            let mut scan = redis::cmd("SCAN");
            scan.arg(cursor).arg("MATCH").arg(format!("{PREFIX}*{SUFFIX}")).arg("COUNT").arg(1000);
            let (next, page): (u64, Vec<String>) =
                self.call(LARGE, until, async |connection| scan.query_async(&mut connection.redis).await).await?;
            keys.extend(page);
            cursor = next;
            if cursor == 0 {
                return Ok(keys);
            }
        }
    }
}

/// Returns the time of an expiry, or `None` for 0, which means never.
fn expiry(ms: u64) -> Option<SystemTime> {
    (ms > 0).then(|| i64::try_from(ms).ok().and_then(time)).flatten()
}
