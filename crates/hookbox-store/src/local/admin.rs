//! The operator's view of a local store: listing and removing state in all namespaces.

use super::connection::failure;
use super::{Effort, Local, Work};
use crate::admin::{Entry, Usage, time};
use crate::namespace::NamespaceId;
use crate::{Error, Namespace};
use rusqlite::{Row, params};
use std::time::{Duration, Instant};

/// The maximum number of expired entries that one call removes, so that it holds the lock only for milliseconds.
const MOST_AT_ONCE: u32 = 1000;

impl Local {
    pub(crate) async fn usage(&self, until: Instant) -> Result<Vec<Usage>, Error> {
        self.run(Effort::Much, until, |work| work.usage()).await
    }

    pub(crate) async fn entries(&self, id: NamespaceId, until: Instant) -> Result<Vec<Entry>, Error> {
        self.run(Effort::Much, until, move |work| work.entries(id)).await
    }

    pub(crate) async fn clear(&self, id: NamespaceId, until: Instant) -> Result<u64, Error> {
        self.run(Effort::Much, until, move |work| work.clear(id)).await
    }
}

/// Reads a column that is never negative.
fn count(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let number: i64 = row.get(column)?;
    u64::try_from(number).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, number))
}

impl Work<'_> {
    fn usage(&self) -> Result<Vec<Usage>, Error> {
        let rows = self.rows(
            "SELECT n.name, count(*), sum(length(e.key) + length(e.value) + 64), n.quota, min(e.expires), n.id \
             FROM namespace n JOIN entry e ON e.namespace = n.id \
             WHERE e.expires IS NULL OR e.expires > ?1 GROUP BY n.id",
            [self.now],
            |row| {
                let name: Vec<u8> = row.get(0)?;
                let (keys, bytes, quota) = (count(row, 1)?, count(row, 2)?, count(row, 3)?);
                let first_expiry = row.get::<_, Option<i64>>(4)?.and_then(time);
                let id: [u8; 32] = row.get(5)?;
                // If the name does not match the id, this program did not write it.
                let namespace = Namespace::decode(&name).filter(|namespace| namespace.id().0 == id);
                Ok(namespace.map(|namespace| Usage { namespace, keys, bytes, quota, first_expiry }))
            },
        )?;
        let known: Option<Vec<Usage>> = rows.into_iter().collect();
        let mut usage = known.ok_or_else(|| failure(&rusqlite::Error::InvalidQuery, &self.files.database))?;
        usage.sort_by(|a, b| a.namespace.cmp(&b.namespace));
        Ok(usage)
    }

    fn entries(&self, id: NamespaceId) -> Result<Vec<Entry>, Error> {
        let rows = self.rows(
            "SELECT key, value, expires FROM entry \
             WHERE namespace = ?1 AND (expires IS NULL OR expires > ?2) ORDER BY key",
            params![id.0, self.now],
            |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get(1)?, row.get::<_, Option<i64>>(2)?)),
        )?;
        let entry = |(key, value, expires): (_, _, Option<i64>)| {
            Ok(Entry { key: self.text(key)?, value, expiry: expires.and_then(time) })
        };
        rows.into_iter().map(entry).collect()
    }

    fn clear(&self, id: NamespaceId) -> Result<u64, Error> {
        self.transaction("BEGIN IMMEDIATE", || {
            let keys = self.execute("DELETE FROM entry WHERE namespace = ?1", [id.0])?;
            self.execute("DELETE FROM namespace WHERE id = ?1", [id.0])?;
            Ok(keys as u64)
        })
    }

    /// Removes some expired entries, and all empty namespaces.
    pub(super) fn remove_expired(&self) -> Result<(), Error> {
        let needed = self.row(
            "SELECT EXISTS(SELECT 1 FROM entry WHERE expires IS NOT NULL AND expires <= ?1) \
             OR EXISTS(SELECT 1 FROM namespace WHERE keys = 0)",
            [self.now],
            |row| row.get::<_, bool>(0),
        )?;
        if needed != Some(true) {
            return Ok(());
        }
        self.transaction("BEGIN IMMEDIATE", || {
            self.execute(
                "DELETE FROM entry WHERE (namespace, key) IN \
                 (SELECT namespace, key FROM entry WHERE expires IS NOT NULL AND expires <= ?1 LIMIT ?2)",
                params![self.now, MOST_AT_ONCE],
            )?;
            self.execute("DELETE FROM namespace WHERE keys = 0", [])?;
            Ok(())
        })
    }

    /// Empties the write-ahead log. While other processes read or write, this only moves as much of the log as possible
    /// into the database.
    ///
    /// An emptied log is also truncated. Otherwise each new process would read all of it again, because the process
    /// cannot know that its content was already moved.
    pub(super) fn checkpoint(&self) -> Result<(), Error> {
        self.connection.busy_timeout(Duration::ZERO).map_err(|error| failure(&error, &self.files.database))?;
        self.open.log_was_emptied();
        self.row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        Ok(())
    }
}
