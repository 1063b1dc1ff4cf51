//! Whether a condition restricts the rows that a statement changes.

use super::destructive::Statements;
use super::lexer::{Kind, Token};
use super::rows::CLAUSES;
use super::words::HEADS;
use crate::UNKNOWN;
use std::collections::BTreeSet;

/// Words of a condition that name nothing, so that a condition of these and of values holds for all rows or for none.
const CONSTANT: &[&str] = &[
    "and", "or", "not", "is", "null", "true", "false", "like", "ilike", "between", "in", "exists", "select", "distinct",
];

/// Words that begin another part, or another statement without a semicolon before it. In calls, they are functions.
#[rustfmt::skip] // Many words to a line.
const NEXT: &[&str] = &[
    "select", "insert", "update", "delete", "drop", "truncate", "create", "alter", "merge", "exec", "execute", "go",
    "print", "declare", "commit", "grant", "values",
];

/// The maximum distance of the words that belong to a join or a condition, in tokens.
pub(super) const MAX_CONDITION: usize = 256;

/// The maximum number of parentheses around a condition that are read.
const MAX_DEPTH: usize = 8;

impl Statements<'_, '_> {
    /// Whether the rest of the statement restricts the rows. `keeps` tells whether a join at the position of its `ON`
    /// leaves all rows of the table.
    pub(super) fn has_condition(&self, from: usize, keeps: &dyn Fn(usize) -> bool) -> bool {
        let mut depth = 0_usize;
        for at in from..self.len() {
            let Some(token) = self.get(at).filter(|_| self.step()) else { break };
            match token.text {
                "(" if token.kind == Kind::Mark => depth += 1,
                ")" if token.kind == Kind::Mark && depth == 0 => return false,
                ")" if token.kind == Kind::Mark => depth -= 1,
                ";" if token.kind == Kind::Mark => return false,
                _ if depth > 0 || token.kind != Kind::Word => {}
                _ if token.is("where") => {
                    let is_whole = self.is_of_itself(at + 1, from) || self.is_batch(at + 1, from);
                    return !self.is_constant(at + 1) && !is_whole;
                }
                _ if token.is("limit") && self.repeats(at) => {}
                // This is `JOIN … ON 1 = 1`.
                _ if token.is("on") && (self.is_constant(at + 1) || keeps(at)) => {}
                _ if token.is("on") && !self.is(at + 1, &["commit"]) || self.is_limiting(at) => return true,
                _ if token.is_any(HEADS) && !token.is_any(&["set", "with", "if", "else", "end", "use"]) => {
                    return false;
                }
                _ => {}
            }
        }
        false
    }

    /// Whether a limit on the number of rows, or a natural join, begins here. Both words may also be names, which restrict
    /// nothing: `UPDATE t SET limit = 5`.
    fn is_limiting(&self, at: usize) -> bool {
        let is_amount = |token: &Token| match token.kind {
            Kind::Word => !token.is_any(CLAUSES) && !token.is_any(HEADS),
            Kind::Mark => "(?:{%@$[".contains(token.text),
            Kind::Quoted | Kind::Text | Kind::Number => true,
        };
        self.is(at, &["limit"]) && self.get(at + 1).is_some_and(is_amount)
            || self.is(at, &["natural"]) && self.is(at + 1, &["join", "inner", "left", "right", "full"])
    }

    /// Whether a condition is always true, as in `WHERE 1 = 1` and `WHERE id = 2 OR (true)`.
    pub(super) fn is_constant(&self, at: usize) -> bool {
        let mut level = 0_usize;
        for end in at..=self.len() {
            let Some(token) = self.get(end).filter(|_| level > 0 || !self.ends_condition(end)) else {
                return self.is_always(at, end, 0);
            };
            if !self.step() {
                break;
            }
            if token.is_mark("(") {
                level += 1;
            } else if token.is_mark(")") {
                level -= 1;
            }
        }
        true
    }

    pub(super) fn ends_condition(&self, at: usize) -> bool {
        let is_next = self.is(at, NEXT) && !self.is_mark(at + 1, "(");
        // A backslash begins a command of `psql`.
        self.is_end(at) || is_next || self.is(at, &["returning", "when", "then"]) || self.is_mark(at, "\\")
    }

    /// Whether a condition is `id IN (SELECT id FROM t)` for the table `t` itself, whose name ends before `after`.
    fn is_of_itself(&self, at: usize, after: usize) -> bool {
        let is_same = |one: usize, other: usize| {
            let texts =
                one.checked_sub(1).and_then(|at| self.get(at)).zip(other.checked_sub(1).and_then(|at| self.get(at)));
            texts.is_some_and(|(one, other)| one.text.eq_ignore_ascii_case(other.text))
        };
        let open = self.end_of_names(at) + 1;
        let from = self.end_of_names(open + 2);
        let close = self.end_of_names(from + 1);
        let is_query = self.is(open - 1, &["in"]) && self.is_mark(open, "(") && self.is(open + 1, &["select"]);
        is_query
            && self.is(from, &["from"])
            && self.is_mark(close, ")")
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
        let nulls = columns(&["is", "null"]);
        let others: BTreeSet<Vec<&str>> = columns(&["is", "not", "null"]).into_iter().collect();
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
            _ if self.is_limit(from) => true,
            1 => is_value(first),
            _ if self.is_same(from, to) => true,
            // This is `1 = 0`.
            3 if self.is_mark(from + 1, "=") => false,
            3 if self.is(from + 1, &["like", "ilike"]) && self.get(from + 2).is_some_and(is_wildcard) => true,
            _ => {
                let is_whole = first.is_mark("(") && self.get(to - 1).is_some_and(|last| last.is_mark(")"));
                is_whole && depth < MAX_DEPTH && self.is_always(from + 1, to - 1, depth + 1)
                    || (from..to).all(|at| self.is_constant_word(at))
            }
        }
    }

    /// Whether a comparison has the same on both sides: `t.id = t.id`.
    fn is_same(&self, from: usize, to: usize) -> bool {
        let middle = from + (to - from) / 2;
        let is_one = |(left, right): (usize, usize)| {
            let both = self.get(left).zip(self.get(right));
            both.is_some_and(|(left, right)| {
                left.kind == right.kind && left.text == right.text && !left.text.contains(UNKNOWN)
            })
        };
        let is_equation = self.is_mark(middle, "=") && middle > from && middle - from == to - middle - 1;
        is_equation && (from..middle).zip(middle + 1..to).all(is_one)
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
