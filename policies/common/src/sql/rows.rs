//! Statements that change the rows of whole tables.

use super::conditions::MAX_CONDITION;
use super::destructive::{Damage, Statements, doubt, sure};
use super::lexer::{Kind, Token};
use super::words::HEADS;
use std::ops::Range;

/// Words that may follow the table name in a statement that deletes rows.
pub(super) const CLAUSES: &[&str] = &[
    "where",
    "using",
    "returning",
    "output",
    "from",
    "with",
    "join",
    "inner",
    "left",
    "right",
    "cross",
    "natural",
    "order",
    "limit",
    "option",
    "partition",
    "allow",
    "if",
];

/// Words that may follow the table names in `TRUNCATE`.
const AFTER_TRUNCATE: &[&str] = &[
    "restart",
    "continue",
    "cascade",
    "restrict",
    "reuse",
    "drop",
    "on",
    "with",
    "partition",
    "sync",
    "force",
    "nowait",
];

/// Words that may also follow them, and that prose has there, too: `truncate text ignore case`.
const AFTER_LOUD_TRUNCATE: &[&str] = &["preserve", "purge", "ignore", "immediate", "wait", "and"];

/// Words between `DELETE` and the table.
const DELETE_OPTIONS: &[&str] = &["low_priority", "quick", "ignore", "history", "distinctrow"];

/// Functions that stand for a table on another server.
const REMOTE: &[&str] = &["openquery", "openrowset", "opendatasource"];

impl Statements<'_, '_> {
    pub(super) fn is_end(&self, at: usize) -> bool {
        self.get(at).is_none_or(|token| token.is_mark(";") || token.is_mark(")"))
    }

    /// Whether a word begins in upper case, like a keyword rather than a word of prose.
    fn is_upper(&self, at: usize) -> bool {
        self.get(at).is_some_and(|token| token.text.starts_with(|c: char| c.is_ascii_uppercase()))
    }

    pub(super) fn truncate(&self, at: usize) -> Option<Damage> {
        // These are `TRUNCATE ALL TABLES FROM db` and `TRUNCATE DATABASE db`.
        let tables = if self.is(at + 1, &["all"]) { at + 2 } else { at + 1 };
        let is_name = |at| self.get(at).is_some_and(Token::is_name);
        let mut name = match () {
            () if self.is(tables, &["tables"]) && self.is(tables + 1, &["from"]) => tables + 2,
            () if self.is(at + 1, &["table"]) || self.is(at + 1, &["database"]) && is_name(at + 2) => at + 2,
            // These are clusters of Oracle and schemas of HSQLDB.
            () if self.is(at + 1, &["cluster", "schema"]) && is_name(at + 2) && self.is_loud(at) => at + 2,
            () => at + 1,
        };
        let is_table = name > at + 1;
        if self.is(name, &["if"]) {
            name += 2;
        }
        if self.is(name, &["only"]) {
            name += 1;
        }
        self.get(name).filter(|token| token.is_name() || self.is_placeholder(name))?;
        let end = self.end_of_tables(name);
        let ends = self.is_end(end)
            || self.is(end, AFTER_TRUNCATE)
            || self.is(end, HEADS)
            || self.is_loud(at) && self.is(end, AFTER_LOUD_TRUNCATE);
        // `truncate text` is a question, not a statement.
        let is_statement = is_table || self.get(end).is_some() || self.is_upper(at);
        if ends && is_statement { sure(format!("deletes all rows of {}", self.table(name))) } else { None }
    }

    /// Judges `ALTER TABLE t TRUNCATE PARTITION p`.
    pub(super) fn truncate_partition(&self, at: usize, first: usize) -> Option<Damage> {
        let is_part = self.is(at + 1, &["partition", "subpartition"]) && self.get(at + 2).is_some();
        let is_alter = at != first && self.is(first, &["alter"]) && self.is(first + 1, &["table"]);
        if !is_part || !is_alter {
            return None;
        }
        doubt(format!("deletes all rows of a partition of {}", self.name(first + 2)))
    }

    pub(super) fn delete(&self, at: usize) -> Option<Damage> {
        let before = at.checked_sub(1).and_then(|before| self.get(before));
        if before.is_some_and(|before| before.is("detach")) {
            return None;
        }
        let start = self.after_delete(at)?;
        // This is `DELETE * FROM t` of Access.
        let start = if self.is_mark(start, "*") && self.is(start + 1, &["from"]) { start + 1 } else { start };
        let is_from = self.is(start, &["from"]);
        let mut name = if is_from { start + 1 } else { start };
        if self.is(name, &["only"]) {
            name += 1;
        }
        // These are `DELETE DATABASE d ALL` and `DELETE USER u ALL` of Teradata.
        if self.is(name, &["database", "user"]) && self.is(name + 2, &["all"]) && self.is_end(name + 3) {
            return sure(format!("drops all tables of {}", self.table(name + 1)));
        }
        if let Some(open) = self.query_in_place_of_table(name) {
            return self.delete_of_query(open);
        }
        let is_table = |token: &&Token| token.is_name() && !token.is_any(&["on", "or", "cascade", "to", "for", "from"]);
        self.get(name).filter(|token| is_table(token) || is_from && self.is_placeholder(name))?;
        let end = self.end_of_tables(name);
        let is_alias = |at| self.get(at).is_some_and(Token::is_name) && !self.is(at, CLAUSES) && !self.is(at, HEADS);
        let after = match self.is(end, &["as"]) {
            true => end + 2,
            false if is_alias(end) => end + 1,
            false => end,
        };
        // `delete from array javascript` is a question, not a statement.
        let is_statement = match self.get(after) {
            None => after == end && is_from || self.is_upper(at),
            Some(_) => self.is_end(after) || self.is(after, CLAUSES) || self.is(after, HEADS),
        };
        // These are `DELETE FROM t ROWS 5000` of Firebird and `DELETE FROM t FETCH FIRST 5000 ROWS ONLY` of DB2.
        let is_limited = self.is(end, &["rows", "fetch"]) && self.repeats(at);
        if !is_statement && !is_limited || self.has_condition(end, &|on| self.keeps_all(on, name..end)) {
            return None;
        }
        let what = format!("deletes all rows of {}", self.table(name));
        // `Delete from cart button` is more often the beginning of a sentence than a table with an alias.
        let is_sentence = self.get(after).is_none() && after != end && !self.is_upper(at + 1);
        if is_sentence { doubt(what) } else { sure(what) }
    }

    /// Returns the position after `DELETE` and its options, or `None` if `TOP` limits the number of rows.
    fn after_delete(&self, at: usize) -> Option<usize> {
        let is_next = |next: &Token| {
            next.is("from") || next.is_mark("*") || next.is_name() && !next.is_any(CLAUSES) && !next.is_any(HEADS)
        };
        let is_option = |at: usize| self.is(at, DELETE_OPTIONS) && self.get(at + 1).is_some_and(is_next);
        let start = (at + 1..at + 5).find(|at| !is_option(*at))?;
        if !self.is(start, &["top"]) {
            return Some(start);
        }
        // This is `TOP (100) PERCENT`.
        let has_open = self.is_mark(start + 1, "(");
        let number = if has_open { start + 2 } else { start + 1 };
        let end = if has_open { self.close(start + 1) + 1 } else { number + 1 };
        let is_percent = self.is(end, &["percent"]);
        let is_all = |number: &Token| number.text.parse::<f64>().is_ok_and(|number| number >= 100.0);
        let is_whole = is_percent && self.get(number).is_some_and(is_all) || self.repeats(at);
        is_whole.then_some(if is_percent { end + 1 } else { end })
    }

    /// Returns the position of the parenthesis of `(SELECT * FROM t)` or `OPENQUERY(s, 'SELECT * FROM t')`.
    fn query_in_place_of_table(&self, at: usize) -> Option<usize> {
        match () {
            () if self.is_mark(at, "(") && self.is(at + 1, &["select", "with"]) => Some(at),
            () if self.is_mark(at + 1, "(") && self.is(at, REMOTE) => Some(at + 1),
            () => None,
        }
    }

    /// Judges a `DELETE` of the rows that a query returns.
    fn delete_of_query(&self, open: usize) -> Option<Damage> {
        let close = self.close(open);
        let is_here = self.is_mark(open, "(") && self.is(open + 1, &["select", "with"]);
        let never = |_: usize| false;
        if self.has_condition(close + 1, &never) || is_here && self.has_condition(open + 2, &never) {
            return None;
        }
        let texts = (open..close).rev().filter_map(|at| self.get(at));
        let query = texts.filter(|token| token.kind == Kind::Text).map(Token::value).next();
        let is_select = |text: &str| text.trim_start().get(..6).is_some_and(|word| word.eq_ignore_ascii_case("select"));
        match query.filter(|query| is_select(query)) {
            Some(query) => self.inside(&format!("DELETE FROM ({query});")),
            None => sure("deletes all rows that its query returns".to_owned()),
        }
    }

    /// Whether the outer join at the position of its `ON` leaves all rows of the first table, if the statement deletes
    /// rows of this table: `DELETE a FROM a LEFT JOIN b ON a.id = b.id`.
    fn keeps_all(&self, on: usize, names: Range<usize>) -> bool {
        let near = on.saturating_sub(MAX_CONDITION).max(names.end)..on;
        let join = near.rev().find(|at| self.is(*at, &["join"]));
        let Some(side) = join.and_then(|join| join.checked_sub(1)) else { return false };
        let side = if self.is(side, &["outer"]) { side.saturating_sub(1) } else { side };
        if !self.is(side, &["left", "full"]) {
            return false;
        }
        let Some(from) = (names.end..side).take(MAX_CONDITION).find(|at| self.is(*at, &["from", "using"])) else {
            return false;
        };
        let end = self.end_of_names(from + 1);
        let alias = if self.is(end, &["as"]) { end + 1 } else { end };
        let is_one = |first: usize| {
            let first = self.get(first).filter(|token| token.is_name() && !token.is_any(CLAUSES));
            let is_same = |token: &Token| first.is_some_and(|first| first.text.eq_ignore_ascii_case(token.text));
            names.clone().filter_map(|at| self.get(at)).any(is_same)
        };
        is_one(end - 1) || is_one(alias)
    }

    /// Judges `MERGE … WHEN MATCHED THEN DELETE`. Which rows it deletes depends on another table, unless it has a
    /// further condition.
    pub(super) fn merge(&self, at: usize) -> Option<Damage> {
        let then = at.checked_sub(1).filter(|then| self.is(*then, &["then"]))?;
        // A text with too many of these is doubtful as a whole.
        let when = (0..then).rev().take_while(|_| self.step()).find(|at| self.is(*at, &["when"]))?;
        let and = (when..then).find(|at| self.is(*at, &["and"]));
        if and.is_some_and(|and| !self.is_constant(and + 1)) {
            return None;
        }
        if (when..then).any(|at| self.is(at, &["source"])) {
            return sure("deletes all rows that its source does not have".to_owned());
        }
        let near = when.saturating_sub(MAX_CONDITION)..when;
        let on = near.rev().find(|at| self.is(*at, &["on"]));
        let what = "deletes all rows that its source has, too".to_owned();
        if on.is_some_and(|on| self.is_constant(on + 1)) { sure(what) } else { doubt(what) }
    }

    pub(super) fn update(&self, at: usize) -> Option<Damage> {
        let mut name = at + 1;
        if self.is(name, &["only", "ignore", "low_priority"]) {
            name += 1;
        }
        self.get(name).filter(|token| token.is_name() && !token.is("set"))?;
        let end = match self.query_in_place_of_table(name) {
            Some(open) if self.delete_of_query(open).is_none() => return None,
            Some(open) => self.close(open) + 1,
            None => self.end_of_names(name),
        };
        let set = (end..end + 3).find(|at| self.is(*at, &["set"]))?;
        let assigns = (set + 1..set + 8).any(|at| self.get(at).is_some_and(|token| token.is_mark("=")));
        if !assigns || self.has_condition(set, &|_| false) {
            return None;
        }
        doubt(format!("changes all rows of {}", self.name(name)))
    }

    /// Whether a word begins a part such as `DELETE WHERE …` or `UPDATE a = 1 WHERE …` of ClickHouse's `ALTER TABLE`.
    pub(super) fn is_mutation(&self, at: usize, first: usize) -> bool {
        let is_delete = self.is(at, &["delete"]) && self.is(at + 1, &["where", "in"]);
        let is_update = self.is(at, &["update"]) && self.get(at + 2).is_some_and(|token| token.is_mark("="));
        (is_delete || is_update) && at != first && self.is(first, &["alter"]) && self.is(first + 1, &["table"])
    }

    pub(super) fn mutation(&self, at: usize, first: usize) -> Option<Damage> {
        if self.has_condition(at + 1, &|_| false) {
            return None;
        }
        let name = self.name(first + 2);
        if self.is(at, &["delete"]) {
            sure(format!("deletes all rows of {name}"))
        } else {
            doubt(format!("changes all rows of {name}"))
        }
    }
}
