//! Loops, in which a limit on the number of rows restricts nothing: `WHILE 1 = 1 DELETE TOP (5000) FROM t`.

use super::conditions::MAX_CONDITION;
use super::destructive::Statements;
use super::lexer::{Kind, Token};

/// Words of loops that have an `END` with the same word.
const ENDED: &[&str] = &["loop", "repeat", "for"];

/// Where a text runs its statements more than once.
#[derive(Debug, Default)]
pub(super) struct Loops {
    /// The first word of a loop whose end is not known: that of a `WHILE` may be the end of the text.
    open: Option<usize>,
    /// The first word of `ENDED`, and the last after an `END`.
    first: Option<usize>,
    last: Option<usize>,
    /// The last word that runs again what comes before it.
    again: Option<usize>,
}

impl Loops {
    pub(super) fn new(tokens: &[Token]) -> Self {
        let mut loops = Loops::default();
        for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Word) {
            let before = at.checked_sub(1).and_then(|before| tokens.get(before));
            let is_after = |word: &str| before.is_some_and(|before| before.is(word));
            let next = tokens.get(at + 1);
            // These are `GO 100` of SQL Server, `\watch` of `psql`, and `GOTO label`.
            let is_again = token.is("go") && next.is_some_and(|next| next.kind == Kind::Number)
                || token.is("watch") && before.is_some_and(|before| before.is_mark("\\"))
                || token.is("goto") && next.is_some_and(Token::is_name);
            // This is `CREATE EVENT e ON SCHEDULE EVERY 1 MINUTE DO …` of MySQL.
            let is_open =
                token.is_any(&["while", "forall"]) && !is_after("end") || token.is("every") && is_after("schedule");
            match () {
                () if is_again => loops.again = Some(at),
                () if is_open => loops.open = loops.open.or(Some(at)),
                () if token.is_any(ENDED) && is_after("end") => loops.last = Some(at),
                () if token.is_any(ENDED) => loops.first = loops.first.or(Some(at)),
                () => {}
            }
        }
        loops
    }

    /// Whether the text has any loop.
    pub(super) fn are_any(&self) -> bool {
        self.open.is_some() || self.first.is_some() && self.last.is_some() || self.again.is_some()
    }

    /// Whether what is at this position may run more than once.
    fn contain(&self, at: usize) -> bool {
        let is_after = |start: Option<usize>| start.is_some_and(|start| start < at);
        let is_before = |end: Option<usize>| end.is_some_and(|end| at < end);
        is_after(self.open) || is_after(self.first) && is_before(self.last) || is_before(self.again)
    }
}

impl Statements<'_, '_> {
    /// Whether what is at this position may run more than once, so that a limit on the number of rows restricts nothing.
    pub(super) fn repeats(&self, at: usize) -> bool {
        self.is_repeated || self.loops.contain(at)
    }

    /// Whether a condition in a loop is `ROWNUM <= 5000` or `ROWNUM BETWEEN 1 AND 5000`.
    pub(super) fn is_limit(&self, at: usize) -> bool {
        let compares = self.is_mark(at + 1, "<") || self.is(at + 1, &["between"]);
        self.is(at, &["rownum"]) && compares && self.repeats(at)
    }

    /// Whether a condition in a loop is `id IN (SELECT id FROM t LIMIT 5000)` or `ctid = ANY (ARRAY(SELECT ctid FROM t
    /// LIMIT 5000))` for the table `t` itself, whose name ends before `after`.
    pub(super) fn is_batch(&self, at: usize, after: usize) -> bool {
        if !self.repeats(at) {
            return false;
        }
        let column = (at..at + 4).find(|at| !self.is_mark(*at, "(")).unwrap_or(at);
        let word = self.end_of_names(column);
        let is_query = |at: &usize| self.is_mark(*at, "(") && self.is(*at + 1, &["select"]);
        let Some(open) = (word + 1..word + 6).find(is_query) else { return false };
        let compares =
            |at: usize| self.is(at, &["in", "any", "array"]) || self.is_mark(at, "(") || self.is_mark(at, "=");
        let close = self.close(open);
        if !(word..open).all(compares) || close - open > MAX_CONDITION || !self.ends_condition(close + 1) {
            return false;
        }
        let restricts = |at: usize| self.is(at, &["where", "join", "having", "natural", "intersect", "except"]);
        // MySQL needs a query in the query: `IN (SELECT id FROM (SELECT id FROM t LIMIT 5000) x)`.
        let from = (open..close).rev().find(|at| self.is(*at, &["from"]));
        let table = from.map(|from| self.end_of_names(from + 1) - 1).and_then(|table| self.get(table));
        let own = after.checked_sub(1).and_then(|own| self.get(own));
        let is_own = table.zip(own).is_some_and(|(table, own)| table.text.eq_ignore_ascii_case(own.text));
        is_own && !(open..close).any(restricts)
    }
}
