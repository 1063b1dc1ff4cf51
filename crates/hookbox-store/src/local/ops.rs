//! The operations on one namespace, in SQL.

use super::connection::{failure, is_over_quota};
use super::{Effort, Local, Work};
use crate::bucket::{Page, Read, Swapped, Version};
use crate::cursor;
use crate::namespace::NamespaceId;
use crate::{Error, ErrorKind, Limits, Namespace};
use rusqlite::{OptionalExtension, Params, Row, params};
use std::sync::Arc;
use std::time::Instant;

/// The maximum number of keys of an operation that counts as short.
const FEW: usize = 8;

/// The maximum number of keys on one page of a list.
const PAGE: u16 = 256;

/// The namespace that an operation belongs to, as the stores know it, with its limits.
#[derive(Clone, Debug)]
pub(crate) struct Owner {
    pub(crate) id: NamespaceId,
    pub(crate) name: Arc<[u8]>,
    pub(crate) limits: Limits,
}

impl Owner {
    pub(crate) fn new(namespace: &Namespace, limits: Limits) -> Self {
        Owner { id: namespace.id(), name: namespace.encode().into(), limits }
    }
}

impl Local {
    pub(crate) async fn get(&self, owner: &Owner, keys: Vec<String>, until: Instant) -> Result<Vec<Read>, Error> {
        let owner = owner.clone();
        self.run(short(Effort::Read, keys.len()), until, move |work| work.get(&owner, &keys)).await
    }

    pub(crate) async fn set(
        &self,
        owner: &Owner,
        entries: Vec<(String, Vec<u8>)>,
        until: Instant,
    ) -> Result<(), Error> {
        let owner = owner.clone();
        self.run(short(Effort::Write, entries.len()), until, move |work| {
            work.write(&owner, || {
                entries.iter().try_for_each(|(key, value)| work.put(&owner, key, value, work.end(&owner)))
            })
        })
        .await
    }

    pub(crate) async fn delete(&self, owner: &Owner, keys: Vec<String>, until: Instant) -> Result<u64, Error> {
        let owner = owner.clone();
        self.run(short(Effort::Write, keys.len()), until, move |work| {
            work.write(&owner, || {
                let mut deleted = 0;
                for key in &keys {
                    deleted += u64::from(work.delete(&owner, key)?);
                }
                Ok(deleted)
            })
        })
        .await
    }

    pub(crate) async fn list(&self, owner: &Owner, after: Vec<u8>, until: Instant) -> Result<Page, Error> {
        let owner = owner.clone();
        self.run(Effort::Much, until, move |work| work.list(&owner, &after)).await
    }

    pub(crate) async fn increment(&self, owner: &Owner, key: String, by: i64, until: Instant) -> Result<i64, Error> {
        let owner = owner.clone();
        self.run(Effort::Write, until, move |work| work.write(&owner, || work.increment(&owner, &key, by))).await
    }

    pub(crate) async fn swap(
        &self,
        owner: &Owner,
        key: String,
        expected: Version,
        value: Vec<u8>,
        until: Instant,
    ) -> Result<Swapped, Error> {
        let owner = owner.clone();
        self.run(Effort::Write, until, move |work| work.write(&owner, || work.swap(&owner, &key, expected, &value)))
            .await
    }
}

/// Returns the effort of an operation on this many keys.
fn short(effort: Effort, keys: usize) -> Effort {
    if keys <= FEW { effort } else { Effort::Much }
}

impl Work<'_> {
    fn failed(&self) -> impl Fn(rusqlite::Error) -> Error {
        |error| failure(&error, &self.files.database)
    }

    /// Runs a cached prepared statement, and returns how many rows it changed.
    pub(super) fn execute(&self, sql: &str, params: impl Params) -> Result<usize, Error> {
        self.try_execute(sql, params).map_err(self.failed())
    }

    fn try_execute(&self, sql: &str, params: impl Params) -> rusqlite::Result<usize> {
        self.connection.prepare_cached(sql)?.execute(params)
    }

    /// Returns the row that a statement finds, if any.
    pub(super) fn row<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, Error> {
        let mut statement = self.connection.prepare_cached(sql).map_err(self.failed())?;
        statement.query_row(params, read).optional().map_err(self.failed())
    }

    /// Returns all rows that a statement finds.
    pub(super) fn rows<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Error> {
        let mut statement = self.connection.prepare_cached(sql).map_err(self.failed())?;
        let rows = statement.query_map(params, read).map_err(self.failed())?;
        rows.collect::<Result<_, _>>().map_err(self.failed())
    }

    /// Does the work in a transaction, so that either all or nothing of it is done.
    pub(super) fn transaction<T>(
        &self,
        begin: &'static str,
        work: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.execute(begin, [])?;
        let commit = |done| {
            // At the deadline, SQLite may also stop a statement that has already done its work. A commit that was done
            // must not report a failure, because the work may then be done again.
            let until = self.open.stop_at(None);
            let committed = self.execute("COMMIT", []);
            self.open.stop_at(until);
            committed.map(|_| done)
        };
        match work().and_then(commit) {
            Ok(done) => Ok(done),
            Err(error) => {
                // SQLite may already have undone the transaction. If it cannot be undone, the connection is closed,
                // which ends it.
                if !self.connection.is_autocommit() {
                    let _ = self.try_execute("ROLLBACK", []);
                }
                Err(error)
            }
        }
    }

    /// Does the work in its own transaction, which begins as a writer, since a transaction cannot wait to become one
    /// later.
    fn write<T>(&self, owner: &Owner, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        self.transaction("BEGIN IMMEDIATE", || {
            let (quota, most_keys) = owner.limits.countable();
            // The namespace is nearly always known already, and this read takes less time than a write that changes
            // nothing.
            let is_known = self.row(
                "SELECT quota = ?2 AND most_keys = ?3 FROM namespace WHERE id = ?1",
                params![owner.id.0, quota, most_keys],
                |row| row.get::<_, bool>(0),
            )?;
            if is_known != Some(true) {
                self.execute(
                    "INSERT INTO namespace VALUES(?1, ?2, 0, 0, ?3, ?4) ON CONFLICT(id) DO UPDATE \
                     SET quota = excluded.quota, most_keys = excluded.most_keys",
                    params![owner.id.0, owner.name, quota, most_keys],
                )?;
            }
            work()
        })
    }

    /// Returns the time when an entry that is created now expires.
    fn end(&self, owner: &Owner) -> Option<i64> {
        owner.limits.ttl_ms().map(|ttl| self.now.saturating_add(ttl))
    }

    /// Returns the entry, and whether it has expired.
    fn find(&self, owner: &Owner, key: &str) -> Result<Option<(Read, bool)>, Error> {
        self.row(
            "SELECT value, version, expires FROM entry WHERE namespace = ?1 AND key = ?2",
            params![owner.id.0, key.as_bytes()],
            |row| {
                let expires: Option<i64> = row.get(2)?;
                let read = Read { value: Some(row.get(0)?), version: Version::present(row.get(1)?) };
                Ok((read, expires.is_some_and(|expires| expires <= self.now)))
            },
        )
    }

    /// Returns the entry, unless it has expired.
    fn live(&self, owner: &Owner, key: &str) -> Result<Option<Read>, Error> {
        Ok(self.find(owner, key)?.and_then(|(read, expired)| (!expired).then_some(read)))
    }

    fn get(&self, owner: &Owner, keys: &[String]) -> Result<Vec<Read>, Error> {
        let mut expired = false;
        let mut reads = Vec::with_capacity(keys.len());
        let mut read_all = || {
            for key in keys {
                reads.push(match self.find(owner, key)? {
                    Some((read, false)) => read,
                    found => {
                        expired |= found.is_some();
                        Read::absent()
                    }
                });
            }
            Ok(())
        };
        match keys.len() {
            // A single statement always sees one state of the database.
            ..=1 => read_all()?,
            _ => self.transaction("BEGIN", read_all)?,
        }
        if expired {
            self.forget(owner)?;
        }
        Ok(reads)
    }

    /// Deletes the expired entries of a namespace. Otherwise they could come back when the clock is set back.
    fn forget(&self, owner: &Owner) -> Result<(), Error> {
        match self.remove_expired_of(owner) {
            // The entries cannot be removed now, but readers do not see them anyway.
            Err(error) if matches!(error.kind(), ErrorKind::Busy | ErrorKind::Full) => Ok(()),
            other => other.map(|_| ()),
        }
    }

    fn remove_expired_of(&self, owner: &Owner) -> Result<usize, Error> {
        self.execute("DELETE FROM entry WHERE namespace = ?1 AND expires <= ?2", params![owner.id.0, self.now])
    }

    fn put(&self, owner: &Owner, key: &str, value: &[u8], expires: Option<i64>) -> Result<(), Error> {
        self.within_quota(owner, || {
            self.try_execute(
                "INSERT INTO entry VALUES(?1, ?2, ?3, random(), ?4) ON CONFLICT(namespace, key) DO UPDATE \
                 SET value = excluded.value, version = excluded.version, expires = excluded.expires",
                params![owner.id.0, key.as_bytes(), value, expires],
            )
        })
    }

    /// Sets a value that was just read. A new value that replaces an old one keeps its expiry.
    fn replace(&self, owner: &Owner, key: &str, old: Option<&Read>, value: &[u8]) -> Result<(), Error> {
        if old.is_none() {
            return self.put(owner, key, value, self.end(owner));
        }
        self.within_quota(owner, || {
            self.try_execute(
                "UPDATE entry SET value = ?3, version = random() WHERE namespace = ?1 AND key = ?2",
                params![owner.id.0, key.as_bytes(), value],
            )
        })
    }

    /// Writes. If that exceeds the quota, removes the expired entries and tries once more.
    fn within_quota(&self, owner: &Owner, write: impl Fn() -> rusqlite::Result<usize>) -> Result<(), Error> {
        let result = match write() {
            Err(error) if is_over_quota(&error) && self.remove_expired_of(owner)? > 0 => write(),
            result => result,
        };
        match result {
            Err(error) if is_over_quota(&error) => Err(Error::over_quota(owner.limits.quota, owner.limits.max_keys)),
            result => result.map(|_| ()).map_err(self.failed()),
        }
    }

    fn delete(&self, owner: &Owner, key: &str) -> Result<bool, Error> {
        let expired = self.row(
            "DELETE FROM entry WHERE namespace = ?1 AND key = ?2 RETURNING expires",
            params![owner.id.0, key.as_bytes()],
            |row| Ok(row.get::<_, Option<i64>>(0)?.is_some_and(|expires| expires <= self.now)),
        )?;
        Ok(expired == Some(false))
    }

    fn increment(&self, owner: &Owner, key: &str, by: i64) -> Result<i64, Error> {
        let live = self.live(owner, key)?;
        let old = live.as_ref().map_or(Ok(0), |live| parse(live.value.as_deref().unwrap_or_default()))?;
        let new = old.checked_add(by).ok_or_else(Error::overflow)?;
        self.replace(owner, key, live.as_ref(), new.to_string().as_bytes())?;
        Ok(new)
    }

    fn swap(&self, owner: &Owner, key: &str, expected: Version, value: &[u8]) -> Result<Swapped, Error> {
        let live = self.live(owner, key)?;
        if live.as_ref().map_or(Version(None), |read| read.version) != expected {
            return Ok(Swapped::Changed(live.unwrap_or_else(Read::absent)));
        }
        self.replace(owner, key, live.as_ref(), value)?;
        Ok(Swapped::Done)
    }

    fn list(&self, owner: &Owner, after: &[u8]) -> Result<Page, Error> {
        let read = || {
            self.rows(
                "SELECT key, expires <= ?3 FROM entry WHERE namespace = ?1 AND key > ?2 ORDER BY key LIMIT ?4",
                params![owner.id.0, after, self.now, PAGE + 1],
                |row| Ok((row.get(0)?, row.get::<_, Option<bool>>(1)? == Some(true))),
            )
        };
        let mut rows: Vec<(Vec<u8>, bool)> = read()?;
        if rows.iter().any(|(_, expired)| *expired) {
            self.forget(owner)?;
            rows = read()?;
        }
        let more = rows.len() > usize::from(PAGE);
        rows.truncate(PAGE.into());
        let cursor = rows.last().filter(|_| more).map(|(key, _)| cursor::encode(&owner.id, key));
        let keys = rows.into_iter().filter(|(_, expired)| !*expired).map(|(key, _)| self.text(key));
        Ok(Page { keys: keys.collect::<Result<_, _>>()?, cursor })
    }

    /// Returns a key as text.
    pub(super) fn text(&self, key: Vec<u8>) -> Result<String, Error> {
        String::from_utf8(key)
            .map_err(|error| failure(&rusqlite::Error::Utf8Error(0, error.utf8_error()), &self.files.database))
    }
}

/// Parses a counter's value, which consists of decimal digits as [`ToString`] writes them, and nothing else.
fn parse(value: &[u8]) -> Result<i64, Error> {
    let number = str::from_utf8(value).ok().and_then(|text| text.parse::<i64>().ok());
    number.filter(|number| number.to_string().as_bytes() == value).ok_or_else(Error::not_a_number)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::connection::Open;
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_commit_is_not_stopped_at_its_end() {
        let temporary = tempfile::tempdir().unwrap();
        let open = Open::new(&temporary.path().join("state"), Duration::ZERO).unwrap();
        let work = Work { open: &open, connection: &open.connection, files: &open.files, now: 0 };
        // SQLite checks the clock once in a thousand steps, and a commit takes only a few steps.
        for _ in 0..2_000 {
            open.stop_at(None);
            let until = Instant::now();
            let done = work.transaction("BEGIN IMMEDIATE", || {
                open.bound(Duration::ZERO, until)?;
                Ok(())
            });
            done.unwrap();
            assert_eq!(open.stop_at(None), Some(until), "what follows the commit is bounded again");
        }
    }
}
