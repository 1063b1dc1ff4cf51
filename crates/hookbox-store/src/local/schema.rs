//! The schema of the database. The schema in a file must equal this text, which rules out planted triggers and views.

use rusqlite::Connection;

/// The ASCII codes of "hkbx", which distinguish hookbox's files from other databases.
pub(super) const APPLICATION_ID: i32 = 0x686b_6278;

/// The version of [`SCHEMA`].
pub(super) const VERSION: i32 = 1;

/// All objects of the schema, sorted by name and spelled as SQLite stores them. An entry counts its key, its value and
/// 64 bytes ([`ENTRY_OVERHEAD`](crate::ENTRY_OVERHEAD)). The triggers keep the sums, and undo any change that exceeds
/// the quota. A change that makes a sum smaller always passes, since a quota may have been lowered.
pub(super) const SCHEMA: [(&str, &str); 8] = [
    (
        "entry",
        "CREATE TABLE entry(namespace BLOB NOT NULL, key BLOB NOT NULL, value BLOB NOT NULL, \
         version INTEGER NOT NULL, expires INTEGER, PRIMARY KEY(namespace, key)) STRICT, WITHOUT ROWID",
    ),
    (
        "entry_delete",
        "CREATE TRIGGER entry_delete AFTER DELETE ON entry BEGIN \
         UPDATE namespace SET bytes = bytes - length(old.value) - length(old.key) - 64, keys = keys - 1 \
         WHERE id = old.namespace; END",
    ),
    ("entry_expires", "CREATE INDEX entry_expires ON entry(expires) WHERE expires IS NOT NULL"),
    (
        "entry_insert",
        "CREATE TRIGGER entry_insert AFTER INSERT ON entry BEGIN \
         UPDATE namespace SET bytes = bytes + length(new.value) + length(new.key) + 64, keys = keys + 1 \
         WHERE id = new.namespace; END",
    ),
    (
        "entry_update",
        "CREATE TRIGGER entry_update AFTER UPDATE OF value ON entry WHEN length(new.value) <> length(old.value) BEGIN \
         UPDATE namespace SET bytes = bytes + length(new.value) - length(old.value) WHERE id = new.namespace; END",
    ),
    (
        "namespace",
        "CREATE TABLE namespace(id BLOB PRIMARY KEY, name BLOB NOT NULL, bytes INTEGER NOT NULL, \
         keys INTEGER NOT NULL, quota INTEGER NOT NULL, most_keys INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    ),
    ("namespace_empty", "CREATE INDEX namespace_empty ON namespace(id) WHERE keys = 0"),
    (
        "namespace_full",
        "CREATE TRIGGER namespace_full BEFORE UPDATE OF bytes, keys ON namespace \
         WHEN (new.bytes > new.quota AND new.bytes > old.bytes) OR (new.keys > new.most_keys AND new.keys > old.keys) \
         BEGIN SELECT RAISE(ABORT, 'quota'); END",
    ),
];

/// Creates the schema in an empty database.
pub(super) fn create(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("BEGIN EXCLUSIVE")?;
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", VERSION)?;
    // The tables come first, because indexes and triggers need them.
    for table in [true, false] {
        for (_, sql) in SCHEMA.iter().filter(|(_, sql)| sql.starts_with("CREATE TABLE") == table) {
            connection.execute_batch(sql)?;
        }
    }
    connection.execute_batch("COMMIT")
}

/// Returns what is wrong with the schema of a database, if anything.
pub(super) fn fault(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let id: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if id != APPLICATION_ID {
        return Ok(Some("it is a database of another program".to_owned()));
    }
    let version: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version != VERSION {
        return Ok(Some(format!("its layout has version {version}, and this program knows version {VERSION}")));
    }
    let mut statement = connection.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name")?;
    let mut rows = statement.query([])?;
    let mut expected = SCHEMA.iter();
    while let Some(row) = rows.next()? {
        let (name, sql): (String, Option<String>) = (row.get(0)?, row.get(1)?);
        if expected.next() != Some(&(name.as_str(), sql.as_deref().unwrap_or_default())) {
            return Ok(Some(format!("its layout was changed at `{}`", name.escape_debug())));
        }
    }
    Ok(expected.next().map(|(name, _)| format!("`{name}` is missing from its layout")))
}
