//! Statements of single databases that replace, overwrite or empty whole tables.

use super::destructive::{Damage, Statements, doubt, sure};
use super::lexer::{Kind, Token};
use super::words::{FORGETTING, IN_MEMORY, LOSING, TABLE_KINDS};

/// The maximum number of tokens between the options of a statement.
const MAX_OPTIONS: usize = 64;

impl Statements<'_, '_> {
    /// Judges words that replace or empty a table, at any position.
    pub(super) fn replaced(&self, at: usize, first: usize) -> Option<Damage> {
        let token = self.get(at)?;
        if let Some(damage) = self.lost(at, first) {
            return Some(damage);
        }
        if at == first {
            return self.replaced_at_once(at);
        }
        if let Some(damage) = self.altered(at, first) {
            return Some(damage);
        }
        // This is `FROM s INSERT OVERWRITE TABLE t SELECT …` of Hive.
        if token.is("insert") && self.is(at + 1, &["overwrite"]) && self.is(first, &["from"]) {
            let is_statement = self.is(at + 2, &["table", "directory", "local", "into"]) || self.is_loud(at);
            return if is_statement { self.overwrite(at) } else { None };
        }
        // This is `INSERT INTO t REPLACE WHERE true SELECT …` of Databricks.
        if token.is("replace") && self.is(at + 1, &["where", "using"]) && self.is(first, &["insert"]) {
            let is_partial = self.has_condition(at + 1, &|_| false);
            return if is_partial { None } else { doubt("overwrites a table".to_owned()) };
        }
        // This is `ALTER TABLE t ACTIVATE NOT LOGGED INITIALLY WITH EMPTY TABLE` of DB2.
        if token.is("empty") && self.is(at + 1, &["table"]) && self.is(at - 1, &["with"]) && self.is(first, &["alter"])
        {
            return sure(format!("deletes all rows of {}", self.table(first + 2)));
        }
        // These are `LOAD FROM f OF DEL REPLACE INTO t` and `IMPORT FROM f OF DEL REPLACE INTO t` of DB2.
        let is_import = self.is(first, &["load", "import"])
            && self.is(first + 1, &["from", "client"])
            && self.has_before(at, first, "of");
        if is_import && token.is_any(&["replace", "replace_create"]) && self.is(at + 1, &["into"]) {
            let is_null =
                |token: &Token| token.is_any(&["null", "nul"]) || token.is_string() && token.text == "/dev/null";
            let is_empty = (first + 1..first + 8).filter_map(|at| self.get(at)).any(is_null);
            let table = self.table(at + 2);
            return if is_empty {
                sure(format!("deletes all rows of {table}"))
            } else {
                doubt(format!("overwrites {table}"))
            };
        }
        // These are `LOAD DATA INPATH 'f' OVERWRITE INTO TABLE t` and `LOAD DATA OVERWRITE t FROM FILES (…)`.
        if token.is("overwrite") && self.is(first, &["load"]) && self.is(first + 1, &["data"]) {
            return doubt("overwrites a table".to_owned());
        }
        // This is `RESTORE DATABASE d FROM DISK = 'f' WITH REPLACE` of SQL Server.
        let is_restore = self.is(first, &["restore"]) && self.is(first + 1, &["database"]);
        if is_restore && token.is("replace") && self.has_before(at, first, "with") {
            return sure(format!("overwrites the database {}", self.name(first + 2)));
        }
        None
    }

    /// Judges `INSERT OVERWRITE t` and `INSERT OVERWRITE LOCAL DIRECTORY '/d'`.
    pub(super) fn overwrite(&self, at: usize) -> Option<Damage> {
        let is_directory = self.is(at + 2, &["directory"]) || self.is(at + 3, &["directory"]);
        let what = if is_directory { "a directory" } else { "a table" };
        doubt(format!("overwrites {what}"))
    }

    /// Judges calls of functions and procedures that lose data.
    fn lost(&self, at: usize, first: usize) -> Option<Damage> {
        let token = self.get(at)?;
        let owner = at.checked_sub(2).and_then(|owner| self.get(owner)).filter(|_| self.is_mark(at - 1, "."));
        // A procedure of SQL Server needs no parentheses: `EXEC master.dbo.sp_detach_db 'd'`.
        let is_call = self.is_mark(at + 1, "(")
            || at.checked_sub(1).is_some_and(|before| self.is(before, &["exec", "execute"]))
            || owner.is_some() && self.is(first, &["exec", "execute", "begin", "declare", "use", "if"])
            || at == first && self.get(at + 1).is_some();
        let is_one = |name: &str| match name.split_once('.') {
            Some((of, name)) => {
                token.text.eq_ignore_ascii_case(name) && owner.is_some_and(|owner| owner.text.eq_ignore_ascii_case(of))
            }
            None => token.text.eq_ignore_ascii_case(name),
        };
        let (_, what, is_certain) = LOSING.iter().find(|row| is_call && is_one(row.0))?;
        Some(Damage { what: (*what).to_owned(), is_certain: *is_certain })
    }

    /// Judges parts of `ALTER` that throw away rows, or files with rows.
    fn altered(&self, at: usize, first: usize) -> Option<Damage> {
        if !self.is(first, &["alter"]) {
            return None;
        }
        let is = |offset: usize, words: &[&str]| self.is(at + offset, words);
        // These are `ALTER DATABASE DATAFILE 'f' OFFLINE DROP` and `… OFFLINE FOR DROP` of Oracle.
        if is(0, &["offline"]) && (is(1, &["drop"]) || is(1, &["for"]) && is(2, &["drop"])) {
            return sure("drops a file of the database with its data".to_owned());
        }
        // This is `ALTER IGNORE TABLE t` of MySQL.
        let table = (first + 1..first + 3).find(|at| self.is(*at, &["table"]))?;
        let name = if self.is(table + 1, &["if"]) { table + 3 } else { table + 1 };
        if at <= name {
            return None;
        }
        let of = |what: &str| format!("{what} {}", self.table(name));
        match self.get(at)?.text.to_ascii_lowercase().as_str() {
            "discard" if is(1, &["tablespace"]) || is(1, &["partition"]) && is(2, &["all"]) => {
                sure(of("deletes all rows of"))
            }
            "discard" if is(1, &["partition"]) => doubt(of("deletes all rows of a partition of")),
            "engine" => {
                let engine = self.get(if self.is_mark(at + 1, "=") { at + 2 } else { at + 1 })?.text;
                let is_one = |names: &[&str]| names.iter().any(|name| engine.eq_ignore_ascii_case(name));
                match () {
                    () if is_one(FORGETTING) => sure(of("deletes all rows of")),
                    () if is_one(IN_MEMORY) => {
                        doubt(format!("{} only until the server stops", of("keeps the rows of")))
                    }
                    () => None,
                }
            }
            // This is `ALTER TABLE t SET UNUSED (c)` of Oracle.
            "set" if is(1, &["unused"]) => doubt(of("drops columns of")),
            // These are `REPLACE PARTITION p FROM u` of ClickHouse, `REPLACE WITH TABLE u` of Doris and `REPLACE COLUMNS
            // (…)` of Hive.
            "replace" if is(1, &["partition", "columns"]) || is(1, &["with"]) && is(2, &["table"]) => {
                doubt(of("replaces data of"))
            }
            "clear" if is(1, &["column"]) => doubt(of("empties a column of")),
            _ => None,
        }
    }

    /// Whether a statement has this word before a position.
    fn has_before(&self, at: usize, first: usize, word: &str) -> bool {
        (at.saturating_sub(MAX_OPTIONS).max(first)..at).any(|at| self.is(at, &[word]))
    }

    /// Judges a first word that creates a table anew.
    fn recreated(&self, at: usize) -> Option<Damage> {
        let is = |offset: usize, words: &[&str]| self.is(at + offset, words);
        // This is `REPLACE TABLE t AS SELECT …` of Spark and ClickHouse.
        if is(0, &["replace"]) && self.is_loud(at) {
            let kind = if is(1, TABLE_KINDS) { at + 2 } else { at + 1 };
            let end = self.end_of_names(kind + 1);
            let is_made = self.is(end, &["as", "using", "engine", "on"]) || self.is_mark(end, "(");
            if self.is(kind, &["table"]) && is_made {
                return sure(format!("replaces the table {}", self.name(kind + 1)));
            }
        }
        // This is `RECREATE TABLE t (a INTEGER)` of Firebird, which drops a table of this name. In prose, no semicolon
        // follows.
        if is(0, &["recreate"]) {
            let is_temporary = is(1, &["global"]) && is(2, &["temporary"]);
            let table = if is_temporary { at + 3 } else { at + 1 };
            let end = self.end_of_names(table + 1);
            let are_names = (end + 1..end + 3).all(|at| self.get(at).is_some_and(Token::is_name));
            let has_columns = self.is_mark(end, "(") && are_names || self.is(end, &["external"]);
            let is_statement = self.is_loud(at) || self.is_mark(self.close(end) + 1, ";");
            if self.is(table, &["table"]) && has_columns && is_statement {
                let what = format!("replaces the table {}", self.name(table + 1));
                return if is_temporary { doubt(what) } else { sure(what) };
            }
        }
        None
    }

    /// Judges the first word of a statement.
    fn replaced_at_once(&self, at: usize) -> Option<Damage> {
        let is = |offset: usize, words: &[&str]| self.is(at + offset, words);
        if let Some(damage) = self.recreated(at) {
            return Some(damage);
        }
        // This is `REMOVE TABLE t` of SurrealDB.
        if is(0, &["remove"]) && is(1, &["table", "database", "namespace"]) && self.is_loud(at) {
            let name = if is(2, &["if"]) { at + 4 } else { at + 2 };
            let is_whole = self.get(name).is_some_and(Token::is_name) && self.is_end(self.end_of_names(name));
            if is_whole {
                return sure(format!("drops {}", self.name(name)));
            }
        }
        // This is `REMOVE @stage/path` of Snowflake.
        if is(0, &["remove", "rm"]) && self.get(at + 1).is_some_and(|stage| stage.text.starts_with('@')) {
            return doubt("deletes the files of a stage".to_owned());
        }
        // This is `PURGE RECYCLEBIN` of Oracle.
        if is(0, &["purge"]) && is(1, &["recyclebin", "dba_recyclebin"]) && self.is_end(at + 2) {
            return doubt("deletes the dropped tables that could be restored".to_owned());
        }
        // This is `PURGE TABLE t` of Oracle.
        if is(0, &["purge"]) && is(1, &["table", "tablespace"]) && self.get(at + 2).is_some_and(Token::is_name) {
            let end = self.end_of_names(at + 2);
            let is_statement = self.is_mark(end, ";") || self.get(end).is_none() && self.is_loud(at);
            return if is_statement {
                doubt("deletes a dropped table that could be restored".to_owned())
            } else {
                None
            };
        }
        // This is `dfs -rm -r /d` of Hive.
        if is(0, &["dfs"]) && self.is_mark(at + 1, "-") && is(2, &["rm", "rmr", "rmdir"]) {
            return sure("deletes files".to_owned());
        }
        // These are `SYSTEM SHUTDOWN` and `SYSTEM KILL` of ClickHouse.
        if is(0, &["system"]) && is(1, &["shutdown", "kill"]) {
            let is_statement = self.is_mark(at + 2, ";") || self.get(at + 2).is_none() && self.is_loud(at);
            return if is_statement { sure("stops the server".to_owned()) } else { None };
        }
        // A script that is somewhere else may do anything: `RUNSCRIPT FROM 'http://…'` of H2.
        if is(0, &["runscript"]) && is(1, &["from"]) && self.get(at + 2).is_some_and(|file| file.kind == Kind::Text) {
            return doubt("runs a script that is not in the text".to_owned());
        }
        None
    }
}
