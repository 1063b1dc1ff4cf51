//! Statements that change the rows of whole tables.

use super::destructive::{Damage, Statements, doubt, sure};
use super::lexer::{Kind, Token};
use super::words::HEADS;
use crate::UNKNOWN;

/// Words that may follow the table name in a statement that deletes rows.
const CLAUSES: &[&str] = &[
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
const AFTER_TRUNCATE: &[&str] =
    &["restart", "continue", "cascade", "restrict", "reuse", "drop", "on", "with", "partition", "sync"];

/// Words of a condition that name nothing, so that a condition of these and of values holds for all rows or for none.
const CONSTANT: &[&str] = &[
    "and", "or", "not", "is", "null", "true", "false", "like", "ilike", "between", "in", "exists", "select", "distinct",
];

/// The maximum number of tokens of a condition that are read, and of parentheses around it.
const MAX_CONDITION: usize = 256;
const MAX_DEPTH: usize = 8;

impl Statements<'_, '_> {
    fn is_end(&self, at: usize) -> bool {
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
            () => at + 1,
        };
        let is_table = name > at + 1;
        if self.is(name, &["if"]) {
            name += 2;
        }
        if self.is(name, &["only"]) {
            name += 1;
        }
        self.get(name).filter(|token| token.is_name() || token.is_mark("?") || token.is_mark("{"))?;
        let end = self.end_of_names(name);
        let ends = self.is_end(end) || self.is(end, AFTER_TRUNCATE) || self.is(end, HEADS);
        // `truncate text` is a question, not a statement.
        let is_statement = is_table || self.get(end).is_some() || self.is_upper(at);
        if ends && is_statement { sure(format!("deletes all rows of {}", self.name(name))) } else { None }
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
        if before.is_some_and(|before| before.is("detach")) || self.is(at + 1, &["top"]) {
            return None;
        }
        let is_from = self.is(at + 1, &["from"]);
        let mut name = if is_from { at + 2 } else { at + 1 };
        if self.is(name, &["only"]) {
            name += 1;
        }
        let is_table = |token: &&Token| token.is_name() && !token.is_any(&["on", "cascade", "to", "for", "from"]);
        self.get(name).filter(is_table)?;
        let end = self.end_of_names(name);
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
        if !is_statement || self.has_condition(end) {
            return None;
        }
        let what = format!("deletes all rows of {}", self.name(name));
        // `Delete from cart button` is more often the beginning of a sentence than a table with an alias.
        let is_sentence = self.get(after).is_none() && after != end && !self.is_upper(at + 1);
        if is_sentence { doubt(what) } else { sure(what) }
    }

    /// Judges `MERGE … WHEN MATCHED THEN DELETE`. Which rows it deletes depends on another table, unless it has a
    /// further condition.
    pub(super) fn merge(&self, at: usize) -> Option<Damage> {
        let then = at.checked_sub(1).filter(|then| self.is(*then, &["then"]))?;
        let when = (0..then).rev().find(|at| self.is(*at, &["when"]))?;
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
        let end = self.end_of_names(name);
        let set = (end..end + 3).find(|at| self.is(*at, &["set"]))?;
        let assigns = (set + 1..set + 8).any(|at| self.get(at).is_some_and(|token| token.is_mark("=")));
        if !assigns || self.has_condition(set) {
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
        if self.has_condition(at + 1) {
            return None;
        }
        let name = self.name(first + 2);
        if self.is(at, &["delete"]) {
            sure(format!("deletes all rows of {name}"))
        } else {
            doubt(format!("changes all rows of {name}"))
        }
    }

    /// Whether the rest of the statement restricts the rows.
    fn has_condition(&self, from: usize) -> bool {
        let mut depth = 0_usize;
        for at in from..self.len() {
            let Some(token) = self.get(at) else { break };
            match token.text {
                "(" if token.kind == Kind::Mark => depth += 1,
                ")" if token.kind == Kind::Mark && depth == 0 => return false,
                ")" if token.kind == Kind::Mark => depth -= 1,
                ";" if token.kind == Kind::Mark => return false,
                _ if depth > 0 || token.kind != Kind::Word => {}
                _ if token.is("where") => return !self.is_constant(at + 1) && !self.is_of_itself(at + 1, from),
                // This is `JOIN … ON 1 = 1`.
                _ if token.is("on") && self.is_constant(at + 1) => {}
                // This is a join, or a limit on the number of rows.
                _ if token.is_any(&["on", "limit", "natural"]) && !self.is(at + 1, &["commit"]) => return true,
                _ if token.is_any(HEADS) && !token.is_any(&["set", "with", "if", "else", "end", "use"]) => {
                    return false;
                }
                _ => {}
            }
        }
        false
    }

    /// Whether a condition is always true, as in `WHERE 1 = 1` and `WHERE id = 2 OR (true)`.
    fn is_constant(&self, at: usize) -> bool {
        let mut level = 0_usize;
        for end in at..at + MAX_CONDITION {
            let Some(token) = self.get(end).filter(|_| level > 0 || !self.ends_condition(end)) else {
                return self.is_always(at, end, 0);
            };
            if token.is_mark("(") {
                level += 1;
            } else if token.is_mark(")") {
                level -= 1;
            }
        }
        false
    }

    fn ends_condition(&self, at: usize) -> bool {
        self.is_end(at) || self.is(at, &["returning", "when", "then"])
    }

    /// Whether a condition is `id IN (SELECT id FROM t)` for the table `t` itself, whose name ends before `after`.
    fn is_of_itself(&self, at: usize, after: usize) -> bool {
        let is_mark = |at: usize, mark: &str| self.get(at).is_some_and(|token| token.is_mark(mark));
        let is_same = |one: usize, other: usize| {
            let texts =
                one.checked_sub(1).and_then(|at| self.get(at)).zip(other.checked_sub(1).and_then(|at| self.get(at)));
            texts.is_some_and(|(one, other)| one.text.eq_ignore_ascii_case(other.text))
        };
        let open = self.end_of_names(at) + 1;
        let from = self.end_of_names(open + 2);
        let close = self.end_of_names(from + 1);
        let is_query = self.is(open - 1, &["in"]) && is_mark(open, "(") && self.is(open + 1, &["select"]);
        is_query
            && self.is(from, &["from"])
            && is_mark(close, ")")
            && self.ends_condition(close + 1)
            && is_same(open - 1, from)
            && is_same(close, after)
    }

    /// Whether one of the alternatives between these tokens is always true.
    fn is_always(&self, from: usize, to: usize, depth: usize) -> bool {
        let parts = self.parts(from, to, "or");
        let is_true = |(from, to): &(usize, usize)| self.is_true(*from, *to, depth);
        let are_true = |(from, to): &(usize, usize)| self.parts(*from, *to, "and").iter().all(is_true);
        // This is `id IS NULL OR id IS NOT NULL`.
        let columns = |words: &[&str]| -> Vec<Vec<&str>> {
            parts.iter().filter_map(|(from, to)| self.names_before(*from, *to, words)).collect()
        };
        let (nulls, others) = (columns(&["is", "null"]), columns(&["is", "not", "null"]));
        self.get(from).is_none() || parts.iter().any(are_true) || nulls.iter().any(|null| others.contains(null))
    }

    /// Splits a condition at a word outside of parentheses.
    fn parts(&self, from: usize, to: usize, word: &str) -> Vec<(usize, usize)> {
        let (mut level, mut start, mut parts) = (0_usize, from, Vec::new());
        for at in from..to {
            let Some(token) = self.get(at) else { break };
            if token.is_mark("(") {
                level += 1;
            } else if token.is_mark(")") {
                level = level.saturating_sub(1);
            } else if level == 0 && token.is(word) {
                parts.push((start, at));
                start = at + 1;
            }
        }
        parts.push((start, to));
        parts
    }

    /// Returns the tokens before these words if the words end the part of a condition.
    fn names_before(&self, from: usize, to: usize, words: &[&str]) -> Option<Vec<&str>> {
        let end = to.checked_sub(words.len()).filter(|end| *end > from)?;
        let are = words.iter().enumerate().all(|(at, word)| self.is(end + at, &[*word]));
        are.then(|| (from..end).filter_map(|at| self.get(at)).map(|token| token.text).collect())
    }

    /// Whether the comparison between these tokens is always true.
    fn is_true(&self, from: usize, to: usize, depth: usize) -> bool {
        let Some(first) = self.get(from).filter(|_| from < to) else {
            return false;
        };
        let is_value = |token: &Token| matches!(token.kind, Kind::Number | Kind::Text) || token.is("true");
        let is_wildcard = |token: &Token| {
            token.kind == Kind::Text && token.text.contains('%') && token.text.trim_matches('%').is_empty()
        };
        match to - from {
            1 => is_value(first),
            3 if self.get(from + 1).is_some_and(|token| token.is_mark("=")) => {
                self.get(from + 2).is_some_and(|right| right.text == first.text && right.kind == first.kind)
                    && !first.text.contains(UNKNOWN)
            }
            3 if self.is(from + 1, &["like", "ilike"]) && self.get(from + 2).is_some_and(is_wildcard) => true,
            _ => {
                let is_whole = first.is_mark("(") && self.get(to - 1).is_some_and(|last| last.is_mark(")"));
                is_whole && depth < MAX_DEPTH && self.is_always(from + 1, to - 1, depth + 1)
                    || (from..to).all(|at| self.is_constant_word(at))
            }
        }
    }

    /// Whether a token of a condition is the same for all rows. Names and placeholders may not be.
    fn is_constant_word(&self, at: usize) -> bool {
        self.get(at).is_some_and(|token| match token.kind {
            Kind::Number => true,
            Kind::Text => !token.text.contains(UNKNOWN),
            Kind::Mark => "=<>!(),+-*/".contains(token.text),
            Kind::Word => token.is_any(CONSTANT),
            Kind::Quoted => false,
        })
    }
}
