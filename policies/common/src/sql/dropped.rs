//! Statements that drop objects with their data, or parts of tables.

use super::destructive::{Damage, Statements, doubt, sure};
use super::lexer::{Kind, Token};
use super::words::{DROPPED, DROPPED_IF_LOUD, DROPPED_KINDS, HEADS, PARTS, USED_BY_COLUMNS};
use crate::UNKNOWN;
use std::ops::Range;

/// The maximum number of tokens of a placeholder in braces.
const MAX_BRACES: usize = 32;

/// The maximum number of temporary tables that are remembered.
const MAX_TEMPORARY: usize = 256;

/// Words that may follow the names in `DROP`.
const AFTER_DROP: &[&str] =
    &["cascade", "restrict", "purge", "by", "sync", "no", "force", "on", "including", "keep", "destroy", "nowait"];

impl Statements<'_, '_> {
    pub(super) fn drop(&self, at: usize, first: usize) -> Option<Damage> {
        if self.is(first, &["alter"]) && at != first && !self.is_drop_after_alter(at, first) {
            return self.drop_part(at, first);
        }
        if let Some(damage) = self.drop_all(at) {
            return Some(damage);
        }
        // This is `DROP PLUGGABLE DATABASE db`.
        let has_kind = self.is(at + 1, DROPPED_KINDS) && self.is(at + 2, DROPPED);
        let kind = self.get(if has_kind { at + 2 } else { at + 1 })?;
        let mut name = if has_kind { at + 3 } else { at + 2 };
        if kind.is_any(&["temporary", "temp"]) {
            return None;
        }
        if self.is(name, &["if"]) && self.is(name + 1, &["exists"]) {
            name += 2;
        }
        // These are `DROP SERIES FROM cpu` and `DROP TABLE HIERARCHY t`.
        let is_word = kind.is("series") && self.is(name, &["from"])
            || kind.is("table") && self.is(name, &["hierarchy"]) && self.get(name + 1).is_some_and(Token::is_name);
        if is_word {
            name += 1;
        }
        // What comes after temporary tables in a list counts.
        while kind.is("table")
            && let Some(end) = self.end_of_temporary(name)
        {
            if !self.is_mark(end, ",") {
                return None;
            }
            name = end + 1;
        }
        if kind.is("owned") && self.is(name, &["by"]) {
            return sure("drops all that a role owns".to_owned());
        }
        // These are `DROP USER 'bob'@'localhost'` and `DROP SHARD 3`.
        let is_user = kind.is_any(&["user", "role"]);
        let object = self.get(name).filter(|token| {
            token.is_name()
                || is_user && token.kind == Kind::Text
                || kind.is("shard") && token.kind == Kind::Number
                || ["#", "?", "{", "%"].iter().any(|mark| token.is_mark(mark))
        })?;
        // This is a temporary table of SQL Server.
        if object.is_mark("#") {
            return None;
        }
        let end = self.end_of_names(name);
        if !self.ends_drop(end, kind) {
            return None;
        }
        let is_loud = self.is_loud(at) || self.get(end).is_some();
        if kind.is_any(DROPPED) || kind.is_any(DROPPED_IF_LOUD) && is_loud {
            let what = format!("drops the {} {}", kind.text.to_ascii_lowercase(), self.name(name));
            let is_temporary = kind.is("table") && self.are_own(name..end, at);
            // What is in a stage or in a volume may also be somewhere else.
            let is_place = kind.is_any(&["stage", "volume"]);
            return if is_temporary || is_place { doubt(what) } else { sure(what) };
        }
        let cascades = self.get(end).is_some_and(|token| token.is("cascade"));
        (kind.is_any(USED_BY_COLUMNS) && cascades)
            .then(|| Damage { what: format!("drops the columns that use {}", self.name(name)), is_certain: true })
    }

    /// Whether the names after `DROP` and a kind of object end here. In prose, other words follow.
    fn ends_drop(&self, end: usize, kind: &Token) -> bool {
        let is_user = kind.is_any(&["user", "role"]);
        self.get(end).is_none_or(|token| {
            token.is_any(HEADS)
                || token.is_any(AFTER_DROP)
                // These are `WAIT 10` of MariaDB and `ALL` of Teradata.
                || token.is("wait") && self.get(end + 1).is_some_and(|next| next.kind == Kind::Number)
                || token.is("all") && self.is_mark(end + 1, ";")
                || token.kind == Kind::Mark && !token.is_mark(",")
                || is_user && (token.kind == Kind::Text || token.text.starts_with('@'))
                || token.text.contains(UNKNOWN)
        })
    }

    /// Returns the position after a temporary table: `#t`, `##t` and `tempdb..#t` of SQL Server, `pg_temp.t` of
    /// PostgreSQL.
    fn end_of_temporary(&self, at: usize) -> Option<usize> {
        let is_name = |at: usize| self.get(at).is_some_and(Token::is_name);
        if self.is(at, &["pg_temp"]) && self.is_mark(at + 1, ".") && is_name(at + 2) {
            return Some(at + 3).filter(|end| !self.is_mark(*end, "."));
        }
        let is_path = |at: usize| self.is(at, &["tempdb", "dbo"]) || self.is_mark(at, ".");
        let mark = (at..at + 5).find(|at| !is_path(*at))?;
        let name = (mark..mark + 3).find(|at| !self.is_mark(*at, "#")).filter(|name| *name > mark)?;
        is_name(name).then_some(name + 1)
    }

    /// Whether all names of a list are temporary tables that the text creates before this position. These are most
    /// likely the ones that it drops.
    fn are_own(&self, names: Range<usize>, before: usize) -> bool {
        let is_own = |at: usize| {
            let is_it = |text: &str| {
                self.temporary.iter().any(|(created, name)| *created < before && text.eq_ignore_ascii_case(name))
            };
            self.get(at).is_some_and(|token| token.is_name() && is_it(token.text))
        };
        let start = names.start;
        let is_list = names.len() % 2 == 1;
        let mut each = names;
        is_list && each.all(|at| if (at - start).is_multiple_of(2) { is_own(at) } else { self.is_mark(at, ",") })
    }

    /// Judges forms of `DROP` in which several words say what is dropped, or no name does.
    fn drop_all(&self, at: usize) -> Option<Damage> {
        let is = |offset: usize, words: &[&str]| self.is(at + offset, words);
        // These are `DROP ALL OBJECTS DELETE FILES` of H2 and `DROP ALL TABLES` of QuestDB.
        if is(1, &["all"]) && is(2, &["objects", "tables"]) {
            let ends = self.is_end(at + 3) || is(3, &["delete"]);
            let is_statement = self.get(at + 3).is_some() || self.is_loud(at);
            return if ends && is_statement { sure("drops all tables".to_owned()) } else { None };
        }
        if is(1, &["retention"]) && is(2, &["policy"]) && self.get(at + 3).is_some_and(Token::is_name) {
            return sure("drops a retention policy with its data".to_owned());
        }
        // Oracle drops no cluster that has tables unless the statement says so.
        if is(1, &["cluster"]) && self.is(self.end_of_names(at + 2), &["including"]) {
            return sure(format!("drops the tables of the cluster {}", self.name(at + 2)));
        }
        // In Oracle, this is the database that the client is connected to.
        if is(1, &["database"]) && self.get(at + 2).is_some_and(|token| token.is_mark(";")) {
            return sure("drops the database".to_owned());
        }
        None
    }

    /// Whether a `DROP` after an `ALTER` begins a statement. In SQL Server, it needs no semicolon before it.
    fn is_drop_after_alter(&self, at: usize, first: usize) -> bool {
        let is_object = self.is(first + 1, &["table", "database", "task"]) && self.is(at + 1, &["table", "database"]);
        let is_name = |token: &Token| token.is_name() && !token.is_any(&["cascade", "restrict"]);
        is_object && self.get(at + 2).is_some_and(is_name)
    }

    /// Judges `ALTER TABLE t DROP …`.
    fn drop_part(&self, at: usize, first: usize) -> Option<Damage> {
        if !self.is(first + 1, &["table", "foreign", "external"]) {
            return None;
        }
        let mut part = at + 1;
        // Without a name after it, most of these are columns: `ALTER TABLE t DROP comment`.
        let is_last = self.is_end(part + 1) || self.is_mark(part + 1, ",");
        if self.is(part, PARTS) && (!is_last || self.is(part, &["default", "identity", "expression"])) {
            return None;
        }
        let is_partition = self.is(part, &["partition"]);
        if is_partition || self.is(part, &["column", "columns"]) {
            part += 1;
        }
        if self.is(part, &["if"]) {
            part += 2;
        }
        // The name of a partition may be a value: `DROP PARTITION '202401'`.
        let is_value = |token: &Token| is_partition && matches!(token.kind, Kind::Text | Kind::Number);
        self.get(part).filter(|token| token.is_name() || token.is_mark("(") || is_value(token))?;
        doubt(format!("drops {} of a table with its data", self.name(part)))
    }

    /// Returns the position after a list of names: `a.b, "c"`.
    pub(super) fn end_of_names(&self, from: usize) -> usize {
        let mut at = from + 1;
        let is_separator = |token: &&Token| (token.is_mark(".") || token.is_mark(",")) && self.step();
        while let Some(mark) = self.get(at).filter(is_separator) {
            let is_name = self.get(at + 1).is_some_and(Token::is_name);
            // Between two dots, the schema is left out: `db..users`.
            let is_alone = mark.is_mark(",") && !is_name || self.get(at + 1).is_some_and(|next| next.is_mark("."));
            at += if is_alone { 1 } else { 2 };
        }
        at
    }

    /// Returns the position after the tables that a statement names, which may also be placeholders: `a.b`,
    /// `IDENTIFIER('t')`, `{{ t }}`, `?`, `%I`.
    pub(super) fn end_of_tables(&self, at: usize) -> usize {
        let end = match self.get(at) {
            Some(token) if token.is_mark("{") => self.end_of_braces(at),
            Some(token) if token.is_mark("%") => at + 2,
            Some(token) if token.is("identifier") && self.is_mark(at + 1, "(") => self.close(at + 1) + 1,
            _ => at + 1,
        };
        self.end_of_names(end - 1)
    }

    /// Whether a token stands for a table that is not known.
    pub(super) fn is_placeholder(&self, at: usize) -> bool {
        ["?", "{", "%"].iter().any(|mark| self.is_mark(at, mark))
    }

    /// Returns the position after a placeholder such as `{{ t }}`.
    pub(super) fn end_of_braces(&self, at: usize) -> usize {
        let mut depth = 0_usize;
        for end in at..at + MAX_BRACES {
            if self.is_mark(end, "{") {
                depth += 1;
            } else if self.is_mark(end, "}") {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return end + 1;
                }
            }
        }
        at + 1
    }

    /// Returns the name that begins at this position, shortened and in backquotes.
    pub(super) fn name(&self, at: usize) -> String {
        let part = |index: usize| {
            let is_part =
                |token: &&Token| if (index - at).is_multiple_of(2) { token.is_name() } else { token.is_mark(".") };
            self.get(index).filter(is_part)
        };
        let parts = (at..self.len()).map_while(part);
        let text = parts.flat_map(|token| token.text.chars()).filter(|c| !c.is_control() && *c != '`');
        let text: String = text.map(|c| if c == UNKNOWN { '…' } else { c }).take(60).collect();
        if text.is_empty() { "that it names".to_owned() } else { format!("`{text}`") }
    }

    /// Returns the name of the table at this position, for use after "all rows of".
    pub(super) fn table(&self, at: usize) -> String {
        let is_name = self.get(at).is_some_and(Token::is_name);
        if is_name { self.name(at) } else { "the table that it names".to_owned() }
    }
}

/// Returns the names in `CREATE TEMP TABLE name`, each with its position.
pub(super) fn temporary<'a>(tokens: &[Token<'a>]) -> Vec<(usize, &'a str)> {
    let is = |at: usize, words: &[&str]| tokens.get(at).is_some_and(|token| token.is_any(words));
    let name = |at: usize| {
        let is_one = is(at, &["temp", "temporary"]) && is(at + 1, &["table"]);
        let name = if is(at + 2, &["if"]) { at + 5 } else { at + 2 };
        tokens.get(name).filter(|token| is_one && token.is_name()).map(|token| (name, token.text))
    };
    (0..tokens.len()).filter_map(name).take(MAX_TEMPORARY).collect()
}
