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
        self.is_end(at) || self.is(at, &["returning"])
    }

    /// Whether one of the alternatives between these tokens is always true.
    fn is_always(&self, from: usize, to: usize, depth: usize) -> bool {
        let (mut level, mut start) = (0_usize, from);
        for at in from..to {
            let Some(token) = self.get(at) else { break };
            if token.is_mark("(") {
                level += 1;
            } else if token.is_mark(")") {
                level = level.saturating_sub(1);
            } else if level == 0 && token.is("or") {
                if self.is_true(start, at, depth) {
                    return true;
                }
                start = at + 1;
            }
        }
        self.get(from).is_none() || self.is_true(start, to, depth)
    }

    /// Whether the comparison between these tokens is always true.
    fn is_true(&self, from: usize, to: usize, depth: usize) -> bool {
        let Some(first) = self.get(from).filter(|_| from < to) else {
            return false;
        };
        let is_value = |token: &Token| matches!(token.kind, Kind::Number | Kind::Text) || token.is("true");
        match to - from {
            1 => is_value(first),
            2 => first.is("not") && self.is(from + 1, &["false"]),
            3 if self.get(from + 1).is_some_and(|token| token.is_mark("=")) => {
                self.get(from + 2).is_some_and(|right| right.text == first.text && right.kind == first.kind)
                    && !first.text.contains(UNKNOWN)
            }
            _ => {
                let is_whole = first.is_mark("(") && self.get(to - 1).is_some_and(|last| last.is_mark(")"));
                is_whole && depth < MAX_DEPTH && self.is_always(from + 1, to - 1, depth + 1)
            }
        }
    }
}
