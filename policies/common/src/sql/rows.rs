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

impl Statements<'_, '_> {
    fn is_end(&self, at: usize) -> bool {
        self.get(at).is_none_or(|token| token.is_mark(";") || token.is_mark(")"))
    }

    /// Whether a word begins in upper case, like a keyword rather than a word of prose.
    fn is_upper(&self, at: usize) -> bool {
        self.get(at).is_some_and(|token| token.text.starts_with(|c: char| c.is_ascii_uppercase()))
    }

    pub(super) fn truncate(&self, at: usize) -> Option<Damage> {
        let is_table = self.is(at + 1, &["table"]);
        let mut name = if is_table { at + 2 } else { at + 1 };
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
        sure(format!("deletes all rows of {}", self.name(name)))
    }

    /// Judges `MERGE … WHEN MATCHED THEN DELETE`. Which rows it deletes depends on another table, unless it has a
    /// further condition.
    pub(super) fn merge(&self, at: usize) -> Option<Damage> {
        let then = at.checked_sub(1).filter(|then| self.is(*then, &["then"]))?;
        let when = (0..then).rev().find(|at| self.is(*at, &["when"]))?;
        let has = |word: &str| (when..then).any(|at| self.is(at, &[word]));
        match (has("and"), has("source")) {
            (true, _) => None,
            (false, true) => sure("deletes all rows that its source does not have".to_owned()),
            (false, false) => doubt("deletes all rows that its source has, too".to_owned()),
        }
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

    /// Judges names such as `plpython3u` and `plperlu`. The final `u` means that the language may do anything.
    pub(super) fn untrusted(&self, at: usize) -> Option<Damage> {
        let name = self.get(at)?.text.to_ascii_lowercase();
        let before = at.checked_sub(1)?;
        let is_one =
            name.starts_with("pl") && name.ends_with('u') && self.is(before, &["extension", "language", "exists"]);
        if is_one { doubt(format!("lets SQL run programs on the server by `{name}`")) } else { None }
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
                _ if token.is("where") => return !self.is_constant(at + 1),
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

    /// Whether a condition is always true, as in `WHERE 1 = 1`.
    fn is_constant(&self, at: usize) -> bool {
        let ends = |at| self.is_end(at) || self.is(at, &["returning"]);
        let is_value = |token: &Token| matches!(token.kind, Kind::Number | Kind::Text) || token.is("true");
        match self.get(at) {
            Some(one) if is_value(one) && ends(at + 1) => true,
            Some(not) if not.is("not") => self.is(at + 1, &["false"]) && ends(at + 2),
            Some(left) => {
                self.get(at + 1).is_some_and(|token| token.is_mark("="))
                    && self.get(at + 2).is_some_and(|right| right.text == left.text && right.kind == left.kind)
                    && !left.text.contains(UNKNOWN)
                    && ends(at + 3)
            }
            None => true,
        }
    }
}
