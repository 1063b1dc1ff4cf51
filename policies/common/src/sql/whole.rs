//! Statements of single databases that replace, overwrite or empty whole tables.

use super::destructive::{Damage, Statements, doubt, sure};
use super::lexer::{Kind, Token};
use super::words::{LOSING, TABLE_KINDS};

/// The maximum number of tokens between the options of a statement.
const MAX_OPTIONS: usize = 64;

impl Statements<'_, '_> {
    /// Judges words that replace or empty a table, at any position.
    pub(super) fn replaced(&self, at: usize, first: usize) -> Option<Damage> {
        let token = self.get(at)?;
        let is_call = self.is_mark(at + 1, "(");
        if is_call && let Some((_, what, is_certain)) = LOSING.iter().find(|row| token.text.eq_ignore_ascii_case(row.0))
        {
            return Some(Damage { what: (*what).to_owned(), is_certain: *is_certain });
        }
        if at == first {
            return self.replaced_at_once(at);
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

    /// Whether a statement has this word before a position.
    fn has_before(&self, at: usize, first: usize, word: &str) -> bool {
        (at.saturating_sub(MAX_OPTIONS).max(first)..at).any(|at| self.is(at, &[word]))
    }

    /// Judges the first word of a statement.
    fn replaced_at_once(&self, at: usize) -> Option<Damage> {
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
        // A script that is somewhere else may do anything: `RUNSCRIPT FROM 'http://…'` of H2.
        if is(0, &["runscript"]) && is(1, &["from"]) && self.get(at + 2).is_some_and(|file| file.kind == Kind::Text) {
            return doubt("runs a script that is not in the text".to_owned());
        }
        None
    }
}
