use super::*;
use proptest::prelude::*;

const READS: &[&str] = &[
    "SELECT 1",
    "select * from users where id = 5;",
    "  SELECT a, b FROM t ORDER BY a DESC LIMIT 10 OFFSET 5 ;  ",
    "SELECT count(*), max(created_at) FROM orders GROUP BY status HAVING count(*) > 1",
    "-- how many\nSELECT count(*) FROM t -- done",
    "/* a; DROP TABLE b */ SELECT 1",
    "SELECT 'a; DROP TABLE users' AS text",
    "SELECT 'it''s' FROM t",
    "SELECT 'O\\'Brien' FROM t",
    "SELECT \"update\", \"drop\" FROM \"delete\"",
    "SELECT `order`, `update` FROM `select`",
    "SELECT [drop] FROM [my table]",
    "WITH a AS (SELECT 1 AS x), b(y) AS (SELECT x FROM a) SELECT * FROM b",
    "WITH RECURSIVE t(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM t WHERE n < 9) SELECT sum(n) FROM t",
    "(SELECT 1) UNION (SELECT 2)",
    "VALUES (1, 'a'), (2, 'b')",
    "TABLE users",
    "SHOW TABLES",
    "SHOW CREATE TABLE users",
    "SHOW GRANTS FOR CURRENT_USER",
    "DESCRIBE users",
    "DESC users",
    "EXPLAIN SELECT * FROM t",
    "EXPLAIN QUERY PLAN SELECT * FROM t",
    "EXPLAIN (ANALYZE, FORMAT JSON) SELECT 1",
    "EXPLAIN ANALYZE SELECT * FROM t WHERE a = 1",
    "EXPLAIN FORMAT=JSON SELECT 1",
    "EXPLAIN users",
    "PRAGMA table_info(users)",
    "PRAGMA main.index_list('users')",
    "PRAGMA user_version",
    "SELECT replace(a, 'x', 'y'), insert('abc', 1, 1, 'z'), truncate(1.5, 1) FROM t",
    "SELECT updated_at, deleted, created_by, drop_date FROM t",
    "SELECT t.update, t.delete FROM t",
    "SELECT a::text, b::int FROM t WHERE c = $1 AND d = :name AND e = ?",
    "SELECT data->>'name' FROM t WHERE data @> 'x'",
    "SELECT data #>> 'a' FROM t",
    "SELECT ARRAY['a', 'b'], a[1] FROM t",
    "SELECT cast(a AS decimal(10, 2)), varchar(10) FROM t",
    "SELECT * FROM generate_series(1, 10) g(i)",
    "SELECT backup, status, kill FROM t WHERE restore = 1",
    "SELECT row_number() OVER (PARTITION BY a ORDER BY b) FROM t",
    "SELECT pg_catalog.lower('A')",
    "SELECT CASE WHEN a IN (1, 2) THEN 'x' ELSE 'y' END FROM t",
    "SELECT a FROM t INNER MERGE JOIN u ON t.id = u.id",
    "SELECT TOP (5) * FROM t WITH (NOLOCK)",
    "SELECT $$plain$$ AS a",
    "FROM t SELECT a",
    "SELECT * FROM t WHERE created_at > now() - interval '1 day'",
    "SELECT a FROM t USE INDEX (i) WHERE a = 1",
    "SELECT name FROM sqlite_master WHERE type = 'table'",
    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'",
];

const WRITES: &[&str] = &[
    "DELETE FROM t",
    "INSERT INTO t VALUES (1)",
    "update t set a = 1",
    "DROP TABLE t",
    "SELECT 1; DROP TABLE t",
    "SELECT 1;SELECT 2",
    "BEGIN; SELECT 1; COMMIT",
    "SELECT * INTO new FROM t",
    "SELECT * FROM t INTO OUTFILE '/tmp/x'",
    "SELECT '<?php' INTO DUMPFILE '/var/www/x.php'",
    "WITH a AS (DELETE FROM t RETURNING *) SELECT * FROM a",
    "WITH a AS (INSERT INTO t VALUES (1) RETURNING *) SELECT * FROM a",
    "WITH a AS (SELECT 1) DELETE FROM t",
    "WITH a AS (SELECT 1) UPDATE t SET b = 1",
    "EXPLAIN ANALYZE DELETE FROM t",
    "EXPLAIN ANALYZE EXECUTE p",
    "EXPLAIN ANALYZE CALL p()",
    "COPY t TO PROGRAM 'sh'",
    "COPY (SELECT 1) TO '/tmp/x'",
    "PRAGMA writable_schema = 1",
    "PRAGMA user_version = 5",
    "PRAGMA journal_mode(delete)",
    "PRAGMA wal_checkpoint",
    "SELECT * FROM t FOR UPDATE",
    "SELECT * FROM t FOR SHARE",
    "SELECT * FROM t LOCK IN SHARE MODE",
    "SELECT 1 DROP TABLE t",
    "SELECT 1 EXEC xp_cmdshell 'dir'",
    "SELECT 1\nGO\nxp_cmdshell 'dir'",
    "SELECT 1 FROM dual\n/\nHOST ls",
    "SELECT 1 SHUTDOWN",
    "SELECT 1 KILL 52",
    "SELECT 1 SET NOCOUNT ON",
    "SELECT nextval('s')",
    "SELECT s.nextval FROM dual",
    "SELECT NEXT VALUE FOR s",
    "SELECT pg_terminate_backend(5)",
    "SELECT lo_export(1, '/tmp/x')",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT load_extension('x.so')",
    "SELECT query_to_xml('DELETE FROM t', true, true, '')",
    "SELECT dblink_exec('', 'DROP TABLE t')",
    "SELECT \"pg_read_file\"('/etc/passwd')",
    "SELECT pg_catalog.pg_read_file('/etc/passwd')",
    "SELECT utl_http.request('http://h/')",
    "SELECT * FROM OPENROWSET(BULK 'c:/x', SINGLE_CLOB) AS x",
    "CALL p()",
    "DO $$ BEGIN DELETE FROM t; END $$",
    "SET ROLE admin",
    "ATTACH DATABASE 'x' AS y",
    "VACUUM",
    "GRANT ALL ON t TO u",
    "MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN DELETE",
    "REPLACE INTO t VALUES (1)",
    "LOAD DATA INFILE 'x' INTO TABLE t",
    // The dialects disagree about where these comments and strings end.
    "SELECT 1 --1; DROP TABLE t",
    "SELECT 1 # ' \n; DROP TABLE t; -- '",
    "SELECT 1 # comment ' \n; DROP TABLE t; # '",
    "SELECT /*! 1; DROP TABLE t */ 1",
    "SELECT 1 /*!50000 INTO OUTFILE '/x' */ FROM t",
    "SELECT 1 /* /* */; DROP TABLE t; -- */",
    "SELECT 1 /* /* */ INTO x FROM t -- */",
    "SELECT 'a\\'; DROP TABLE t; --'",
    "SELECT 'a\\'' ; DROP TABLE t; -- '",
    "SELECT [a'] ; DROP TABLE t --']",
    "SELECT $a$ '$a$ ; DROP TABLE t --'",
    "SELECT '''a' ; DROP TABLE t -- '''",
    "SELECT 1 // ' \n; DROP TABLE t // '",
    "SELECT q'[']' ; DROP TABLE t -- ]'",
    "please show me all users",
    "drop the old ones",
    ".shell ls",
];

const UNSURE: &[&str] = &[
    "SELECT $$ ; DROP TABLE t; SELECT $$",
    "\\! ls",
    "",
    ";",
    "SELECT delete_all_users()",
    "SELECT my.function(1)",
    "SELECT 'open",
    "SELECT /* open",
    "SELECT a FROM t WHERE x = {{ value }}",
    "SELECT @a := 1",
    "SELECT * FROM 'data.csv'",
    "SELECT 1 FROM a, evil(1) AS (x int)",
    "SELECT 1 FROM a, evil(x) AS (x)",
    "SELECT evil (1)",
    "SELECT 1 \u{201c}quoted\u{201d}",
];

#[test]
fn what_only_reads() {
    for text in READS {
        assert_eq!(read_only(text, &[]), Sql::ReadOnly, "{text}");
    }
}

#[test]
fn what_writes() {
    for text in WRITES {
        assert!(matches!(read_only(text, &[]), Sql::Writes(_)), "{text}: {:?}", read_only(text, &[]));
    }
}

#[test]
fn what_cannot_be_known() {
    for text in UNSURE {
        assert!(matches!(read_only(text, &[]), Sql::Unsure(_)), "{text}: {:?}", read_only(text, &[]));
    }
    assert_eq!(
        read_only("SELECT evil(1), my.function(2)", &["evil".to_owned(), "My.Function".to_owned()]),
        Sql::ReadOnly
    );
}

const DESTROYS: &[&str] = &[
    "DROP TABLE users",
    "drop table users",
    "DROP TABLE IF EXISTS a.users CASCADE;",
    "DROP DATABASE prod",
    "DROP SCHEMA public CASCADE",
    "DROP USER admin",
    "DROP OWNED BY admin",
    "DROP TYPE mood CASCADE",
    "DROP TABLE {{ table }}",
    "TRUNCATE users",
    "TRUNCATE TABLE a, b RESTART IDENTITY",
    "DELETE FROM users",
    "delete from users;",
    "DELETE FROM users WHERE 1 = 1",
    "DELETE FROM users WHERE true",
    "DELETE FROM users u",
    "Delete From users u",
    "DELETE FROM users -- WHERE id = 1",
    "DELETE users;",
    "DELETE FROM users; SELECT * FROM users WHERE id = 1",
    "SELECT 1; DROP TABLE users",
    "SELECT 1 DROP TABLE users",
    "BEGIN; DELETE FROM users; COMMIT",
    "WITH a AS (DELETE FROM users RETURNING *) SELECT * FROM a WHERE id = 1",
    "EXPLAIN ANALYZE DELETE FROM users",
    "DO $$ BEGIN DROP TABLE users; END $$",
    "DO $$ BEGIN EXECUTE 'DROP TABLE users'; END $$",
    "EXEC('DROP TABLE users')",
    "DECLARE @s nvarchar(99) = N'DROP TABLE users'; EXEC sp_executesql @s",
    "PREPARE p FROM 'TRUNCATE users'",
    "CREATE OR REPLACE TABLE users AS SELECT 1",
    "COPY users TO PROGRAM 'sh'",
    "COPY x FROM PROGRAM 'sh'",
    "EXEC xp_cmdshell 'dir'",
    "EXEC master..xp_cmdshell 'dir'",
    "SELECT 1 INTO OUTFILE '/tmp/x'",
    "SELECT lo_export(1, '/tmp/x')",
    "SELECT load_extension('x')",
    "PRAGMA writable_schema = 1",
    "/*! DROP TABLE users */",
    "SELECT 1 --1; DROP TABLE users",
    "SELECT 'a\\'; DROP TABLE users; --'",
    "MATCH (n) DETACH DELETE n",
    "\\! ls",
    ".shell ls",
    ".drop table Users",
    "DROP MEASUREMENT cpu",
    "/* tidy up */ DROP TABLE users",
    "IF EXISTS (SELECT 1) DROP TABLE users",
    "DROP\nTABLE\n users",
    "DROP TABLE app..users",
    "DROP TABLE \u{F0000}_users",
    "DROP TABLE users \u{F0000}",
    "DROP USER 'bob'@'localhost'",
    "DROP USER `bob`@localhost",
    "DROP SERIES FROM cpu",
    "SELECT 'DROP TABLE users' \\gexec",
    ".sy ls",
    "DELETE FROM users WHERE (SELECT true)",
    "DELETE FROM users WHERE mail LIKE '%'",
    "TRUNCATE DATABASE IF EXISTS db",
    "VACUUM INTO '/srv/www/x.php'",
    "DROP TABLE pg_temp.x, users",
    "CREATE TEMP TABLE x (id int); DROP TABLE x, users",
];

const DOUBTFUL: &[&str] = &[
    "Delete from cart button",
    "UPDATE users SET role = 'user'",
    "ALTER TABLE users DROP COLUMN email",
    "ALTER TABLE users DROP email",
    "ALTER TABLE users ADD a int, DROP COLUMN b",
    "ALTER TABLE t DROP PARTITION p0",
    "INSERT OVERWRITE TABLE t SELECT 1",
    "CREATE TEMPORARY TABLE IF NOT EXISTS x AS SELECT 1; DROP TABLE IF EXISTS x",
    "CREATE FUNCTION f() RETURNS void AS $$ BEGIN DELETE FROM users; END $$ LANGUAGE plpgsql",
];

const HARMLESS: &[&str] = &[
    "SELECT 1",
    "SELECT 'DROP TABLE users'",
    "INSERT INTO log (text) VALUES ('DROP TABLE users')",
    "INSERT INTO t VALUES (1) ON CONFLICT (id) DO UPDATE SET a = 1",
    "INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = 1",
    "DELETE FROM users WHERE id = 5",
    "DELETE FROM users WHERE \u{F0000} = \u{F0000}",
    "DELETE FROM a USING b WHERE a.id = b.id",
    "DELETE a FROM a JOIN b ON a.id = b.id",
    "DELETE FROM t LIMIT 10",
    "DELETE FROM users WHERE '\u{F0000}' LIKE 'a'",
    "DELETE FROM users WHERE ? = 1",
    "DELETE FROM users WHERE now() > day",
    "VACUUM INTO '/srv/backup.db'",
    "DELETE FROM sessions WHERE expires_at < now();",
    "UPDATE users SET a = 1 WHERE id = 5",
    "CREATE TABLE a (id int REFERENCES b ON DELETE CASCADE ON UPDATE SET NULL)",
    "CREATE TRIGGER x BEFORE DELETE ON t FOR EACH ROW EXECUTE FUNCTION f()",
    "CREATE TRIGGER x AFTER UPDATE ON t BEGIN SELECT 1; END",
    "CREATE POLICY p ON t FOR DELETE USING (true)",
    "DROP POLICY IF EXISTS p ON t; CREATE POLICY p ON t USING (true)",
    "DROP INDEX IF EXISTS i",
    "DROP FUNCTION IF EXISTS f()",
    "DROP TRIGGER IF EXISTS t ON u",
    "DROP VIEW v",
    "DROP TEMPORARY TABLE x",
    "DROP TABLE #temp",
    "ALTER TABLE t DROP CONSTRAINT c",
    "ALTER TABLE t ALTER COLUMN a DROP NOT NULL",
    "ALTER TABLE t ADD COLUMN a int",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON t TO u",
    "MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET a = 1 WHEN NOT MATCHED THEN INSERT VALUES (1)",
    "SELECT truncate(1.5, 1)",
    "-- DROP TABLE users\nSELECT 1",
    "--DROP TABLE users\nSELECT 1",
    "how to drop table in postgres",
    "how do I drop a table",
    "drop table syntax in postgres",
    "delete from array javascript",
    "delete from",
    "truncate text css",
    "truncate text",
    "update user set state react",
    "drop the database design discussion",
    "update",
    "query { users { delete } }",
    "mutation { deleteUser(id: 5) { id } }",
    "MATCH (n:User {id: 5}) DETACH DELETE n",
    "",
];

/// Checks that texts destroy something for certain, perhaps, or not at all.
pub(super) fn destroy(certain: &[&str], doubtful: &[&str], harmless: &[&str]) {
    for text in certain {
        assert!(destructive(text).is_some_and(|damage| damage.is_certain), "{text}: {:?}", destructive(text));
    }
    for text in doubtful {
        assert!(destructive(text).is_some_and(|damage| !damage.is_certain), "{text}: {:?}", destructive(text));
    }
    for text in harmless {
        assert_eq!(destructive(text), None, "{text}");
    }
}

#[test]
fn what_destroys() {
    destroy(DESTROYS, DOUBTFUL, HARMLESS);
}

/// Texts that are crafted to be slow take no longer than other texts of the same length.
#[test]
fn long_texts() {
    for piece in [
        "delete from t (",
        "update t set a=1 (",
        "'",
        "$a$",
        "/*",
        "[",
        "q'[",
        "a(",
        ",a(b) as (",
        "detach delete ",
        "/*!",
        "\\'",
        "``",
        "--\n",
        "--\r",
        "explain ",
        "delete from t where a is null or b is not null or (",
        "merge then delete ",
        "alter table t drop a, delete, update, ",
        "create temp table a; drop table b(;",
        "u&'a' uescape ",
    ] {
        let text = piece.repeat(MAX_SQL / 4 / piece.len());
        let _ = (read_only(&text, &[]), destructive(&text), read_only(&format!("select {text}"), &[]));
        let _ = destructive(&format!("match where {text}"));
    }
}

proptest! {
    /// No text causes a panic, and a destructive text never counts as only reading.
    #[test]
    fn any_text(text in "\\PC{0,60}") {
        let _ = (read_only(&text, &[]), destructive(&text));
    }

    #[test]
    fn what_destroys_does_not_only_read(pieces in prop::collection::vec(prop::sample::select(vec![
        "SELECT 1", "DROP TABLE t", "DELETE FROM t", ";", " ", "'", "\"", "--", "\n", "/*", "*/", "/*!", "#", "$$", "$a$", "\\", "`",
        "[", "]", "'''", "q'", "//", "(", ")", "INTO x", "WITH a AS (", "--1", "E'", "TRUNCATE t",
    ]), 1..14)) {
        let text = pieces.concat();
        if destructive(&text).is_some_and(|damage| damage.is_certain) {
            prop_assert_ne!(read_only(&text, &[]), Sql::ReadOnly, "{}", text);
        }
    }

    /// A preceding comment or statement never makes a writing statement count as only reading.
    #[test]
    fn nothing_hides_a_write(write in prop::sample::select(WRITES), before in "(-- [a-z' ]{0,5}\n|/\\*[a-z' ]{0,5}\\*/|SELECT 1;|\\(){0,2}") {
        let text = format!("{before}{write}");
        prop_assert_ne!(read_only(&text, &[]), Sql::ReadOnly, "{}", text);
    }
}
