//! Detects SQL that destroys whole tables or more, or runs programs on the server.

use super::dialect::{Dialect, dialects};
use super::dropped::temporary;
use super::expressions::Expressions;
use super::lexer::{DOLLARS, Kind, Token, read};
use super::loops::Loops;
use super::nodes::filters;
use super::words::{HEADS, JOBS, MODIFIERS, RUNNING, RUNNING_OWNERS, TABLE_KINDS};
use super::{MAX_SQL, is_statement};
use std::cell::Cell;

/// The damage that an SQL text would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The effect, as the end of a sentence: "drops the table `users`".
    pub what: String,
    /// Whether the damage is certain, and greater than what migrations commonly do.
    pub is_certain: bool,
}

/// The maximum nesting depth at which texts inside texts are read.
const MAX_DEPTH: usize = 3;

/// The number of bytes that are read of a text and of the texts inside it, in all dialects together.
pub(super) const MAX_READ: usize = 64 * MAX_SQL;

/// The number of tokens that conditions and lists of names may visit: some for any text, and some for each of its tokens.
/// Without a limit, statements in many parentheses take time proportional to the square of their length.
const MIN_STEPS: usize = 4096;
const STEPS_PER_TOKEN: usize = 16;

/// What is known about a text beside its words.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Context {
    /// The number of texts that it is in.
    pub(super) depth: usize,
    /// Whether `$tag$ … $tag$` is a string in every dialect.
    pub(super) has_dollars: bool,
    /// Whether backslashes in strings are escapes in every dialect.
    pub(super) has_escapes: bool,
    /// Whether `q'[ … ]'` is a string in every dialect.
    pub(super) has_q_strings: bool,
    /// Whether it may run more than once.
    pub(super) is_repeated: bool,
}

/// Judges a text. `budget` is the number of bytes that may still be read.
pub(super) fn inside(text: &str, context: Context, budget: &Cell<usize>) -> Option<Damage> {
    let rest = budget.get().checked_sub(text.len().saturating_mul(dialects(text).len()));
    budget.set(rest.unwrap_or_default());
    if text.len() > MAX_SQL || rest.is_none() {
        return too_long();
    }
    let mut doubtful = None;
    for dialect in dialects(text) {
        let dollar = dialect.dollar || context.has_dollars;
        let backslash = dialect.backslash || context.has_escapes;
        let q_string = dialect.q_string || context.has_q_strings;
        let reading = read(text, &Dialect { dollar, backslash, q_string, ..*dialect });
        match Statements::new(&reading.tokens, context, budget).damage() {
            Some(damage) if damage.is_certain && reading.fault != Some(DOLLARS) => return Some(damage),
            Some(damage) => doubtful = doubtful.or(Some(Damage { is_certain: false, ..damage })),
            None => {}
        }
    }
    doubtful
}

/// The statements of a text, as read in one dialect.
pub(super) struct Statements<'t, 'a> {
    tokens: &'t [Token<'a>],
    /// For each opening parenthesis, the position of the one that closes it.
    closes: Vec<usize>,
    depth: usize,
    budget: &'t Cell<usize>,
    /// The number of tokens that conditions and lists of names may still visit.
    steps: Cell<usize>,
    /// Whether some word in the text runs texts as SQL.
    runs_texts: bool,
    /// The positions at which Cypher says which nodes a statement applies to.
    pub(super) filters: Vec<usize>,
    pub(super) has_program: bool,
    pub(super) has_copy: bool,
    /// Whether the text hands rows to a script, as in Hive.
    pub(super) has_script: bool,
    /// Whether the text has an `END PROCEDURE`, as in Informix.
    pub(super) has_routine: bool,
    /// The kinds of jobs that run programs, for the schedulers that the text uses.
    pub(super) jobs: Vec<&'static str>,
    /// Whether the text may run more than once.
    pub(super) is_repeated: bool,
    pub(super) loops: Loops,
    /// The temporary tables that the text creates, each with the position of its name.
    pub(super) temporary: Vec<(usize, &'a str)>,
}

impl<'t, 'a> Statements<'t, 'a> {
    fn new(tokens: &'t [Token<'a>], context: Context, budget: &'t Cell<usize>) -> Self {
        let any = |test: &dyn Fn(&Token) -> bool| tokens.iter().any(test);
        let is_one = |token: &Token, words: &[&str]| words.iter().any(|word| token.text.eq_ignore_ascii_case(word));
        let is_owner =
            |pair: &[Token]| matches!(pair, [owner, dot] if dot.is_mark(".") && is_one(owner, RUNNING_OWNERS));
        let uses = |(callers, _): &&(&[&str], &[&str])| any(&|token| is_one(token, callers));
        Statements {
            tokens,
            closes: closes(tokens),
            depth: context.depth,
            budget,
            steps: Cell::new(MIN_STEPS + STEPS_PER_TOKEN * tokens.len()),
            runs_texts: any(&|token| is_one(token, RUNNING)) || tokens.windows(2).any(is_owner),
            filters: filters(tokens),
            has_program: any(&|token| token.is("program")),
            has_copy: any(&|token| token.is("copy")),
            has_script: tokens.windows(3).any(hands_to_script),
            has_routine: tokens.windows(2).any(ends_routine),
            jobs: JOBS.iter().filter(uses).flat_map(|(_, kinds)| kinds.iter().copied()).collect(),
            is_repeated: context.is_repeated,
            loops: Loops::new(tokens),
            temporary: temporary(tokens),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Counts a visit of a token. Returns `false` if no more are allowed, after which the text is doubtful as a whole.
    pub(super) fn step(&self) -> bool {
        let rest = self.steps.get().checked_sub(1);
        self.steps.set(rest.unwrap_or_default());
        rest.is_some()
    }

    pub(super) fn get(&self, at: usize) -> Option<&'t Token<'a>> {
        self.tokens.get(at)
    }

    pub(super) fn is(&self, at: usize, words: &[&str]) -> bool {
        self.get(at).is_some_and(|token| token.is_any(words))
    }

    pub(super) fn is_mark(&self, at: usize, mark: &str) -> bool {
        self.get(at).is_some_and(|token| token.is_mark(mark))
    }

    /// Whether a word is in upper case, like a keyword rather than a word of prose.
    pub(super) fn is_loud(&self, at: usize) -> bool {
        self.get(at).is_some_and(|token| !token.text.contains(|c: char| c.is_ascii_lowercase()))
    }

    /// Returns the position of the parenthesis that closes this one.
    pub(super) fn close(&self, open: usize) -> usize {
        self.closes.get(open).copied().unwrap_or(self.tokens.len())
    }

    /// Returns the position of the word that says what a `CREATE` or `ALTER` is about: `LIBRARY` in `CREATE OR REPLACE
    /// LIBRARY l`.
    pub(super) fn subject(&self, first: usize) -> Option<usize> {
        let is_one = self.is(first, &["create", "alter"]);
        (first + 1..first + 10).find(|at| !self.is(*at, MODIFIERS)).filter(|_| is_one)
    }

    /// Judges a text that is run as SQL.
    pub(super) fn inside(&self, text: &str) -> Option<Damage> {
        let is_repeated = self.is_repeated || self.loops.are_any();
        let context = Context { depth: self.depth + 1, is_repeated, ..Context::default() };
        match self.depth >= MAX_DEPTH {
            // What it does is not known.
            true if is_statement(text) => doubt("is nested too deeply to be read".to_owned()),
            true => None,
            false => inside(text, context, self.budget),
        }
    }

    fn damage(&self) -> Option<Damage> {
        let mut doubtful = None;
        let mut expressions = Expressions::new(self);
        let mut has_string = false;
        // The index of the statement's first word.
        let mut first = 0;
        for (at, token) in self.tokens.iter().enumerate() {
            if token.is_mark(";") {
                first = at + 1;
                continue;
            }
            let found = match token.kind {
                Kind::Word if token.is("delete") && self.is(first, &["merge"]) => self.merge(at),
                Kind::Word if self.is_head(at, first) => self.statement(at, first, doubtful.is_some()),
                Kind::Word => self.word(at, first),
                Kind::Quoted => self.program_of_text(at, first).or_else(|| self.word(at, first)),
                Kind::Text => self.program_of_text(at, first).or_else(|| self.text(at, first)),
                // After a string, the backslash may be a part of another, which ends elsewhere in this dialect.
                Kind::Mark if at == first || token.is_mark("\\") && !has_string => self.shell(at),
                _ => None,
            };
            has_string |= matches!(token.kind, Kind::Text | Kind::Quoted);
            let found = match found {
                Some(damage) if damage.is_certain => return Some(damage),
                found => found.or_else(|| self.made(at, first, &mut expressions)),
            };
            match found {
                Some(damage) if damage.is_certain => return Some(damage),
                found => doubtful = doubtful.or(found),
            }
            if self.steps.get() == 0 {
                return doubtful.or_else(too_long);
            }
        }
        doubtful
    }

    /// Whether a statement may begin here.
    fn is_head(&self, at: usize, first: usize) -> bool {
        let Some(before) = at.checked_sub(1).and_then(|before| self.get(before)) else {
            return true;
        };
        if at == first || before.is_mark("(") || before.is_mark(",") && self.is(first, &["alter"]) {
            return true;
        }
        // In SQL Server, a statement needs no semicolon before it, and certain words come before the statements of a
        // block.
        let is_sql = self.is(first, HEADS);
        match before.kind {
            // A colon ends the label of a loop.
            Kind::Mark => {
                before.is_mark(")") && is_sql
                    || before.is_mark(".") && at == first + 1
                    || before.is_mark(":") && self.repeats(at)
            }
            Kind::Word => {
                is_sql
                    && !before
                        .is_any(&["on", "for", "before", "after", "or", "of", "then", "key", "grant", "revoke", "as"])
                    || before.is_any(&["begin", "then", "else", "loop", "explain", "analyze", "do"])
                        && is_sql
                        && !self.is(first, &["merge", "insert"])
                    || before.is("as") && (self.is(first, &["prepare"]) || self.is_task(first))
            }
            _ => is_sql,
        }
    }

    /// Whether a statement says what a task of Snowflake runs.
    fn is_task(&self, first: usize) -> bool {
        self.subject(first).is_some_and(|subject| self.is(subject, &["task"]))
    }

    fn statement(&self, at: usize, first: usize, is_doubtful: bool) -> Option<Damage> {
        let word = self.get(at)?;
        if word.is("drop") {
            return self.drop(at, first);
        }
        if word.is("truncate") {
            return self.truncate_partition(at, first).or_else(|| self.truncate(at));
        }
        if self.is_mutation(at, first) {
            return self.mutation(at, first);
        }
        if word.is("delete") || word.is("del") && self.is(at + 1, &["from"]) {
            return self.delete(at).or_else(|| self.delete_of_nodes(at, first));
        }
        if word.is("update") && !is_doubtful {
            return self.update(at);
        }
        if word.is("create") && self.is(at + 1, &["or"]) && self.is(at + 2, &["replace"]) {
            let kind = if self.is(at + 3, TABLE_KINDS) { at + 4 } else { at + 3 };
            if let Some(token) = self.get(kind).filter(|token| token.is_any(&["table", "database", "schema"])) {
                return sure(format!("replaces the {} {}", token.text.to_ascii_lowercase(), self.name(kind + 1)));
            }
        }
        if word.is("insert") && self.is(at + 1, &["overwrite"]) {
            return self.overwrite(at);
        }
        if word.is("shutdown")
            && self.get(at + 1).is_none_or(|next| next.is_mark(";") || next.is("with"))
            && at == first
            && self.tokens.len() < 6
        {
            return sure("stops the server".to_owned());
        }
        if word.is("pragma") && self.is(at + 1, &["writable_schema"]) {
            return sure("opens the schema for writing".to_owned());
        }
        if word.is("reset")
            && (self.is(at + 1, &["master"]) || self.is(at + 1, &["binary"]) && self.is(at + 2, &["logs"]))
            || word.is("purge") && self.is(at + 1, &["binary", "master"])
        {
            return sure("deletes logs that replicas and backups need".to_owned());
        }
        self.word(at, first)
    }

    /// Judges words that are destructive at any position.
    fn word(&self, at: usize, first: usize) -> Option<Damage> {
        let found = self.replaced(at, first).or_else(|| self.program(at, first));
        found.or_else(|| self.delete_of_nodes(at, first))
    }

    /// Judges the body of a function, and the text of `DO`.
    fn text(&self, at: usize, first: usize) -> Option<Damage> {
        let is_body = self.is_body(at, first);
        if !is_body && !self.is(first, &["do"]) {
            return None;
        }
        let damage = self.inside(&self.get(at)?.value())?;
        Some(Damage { is_certain: damage.is_certain && !is_body, ..damage })
    }

    /// Whether a text is the body of a function, which only a call runs.
    fn is_body(&self, at: usize, first: usize) -> bool {
        let defines = |at| self.is(at, &["function", "procedure"]);
        self.is(first, &["create"]) && self.is(at.saturating_sub(1), &["as"]) && (first..first + 6).any(defines)
    }

    /// Judges the text that an expression makes, if some word runs texts as SQL.
    fn made(&self, at: usize, first: usize, expressions: &mut Expressions<'_, 't, 'a>) -> Option<Damage> {
        if !self.runs_texts || self.is_body(at, first) {
            return None;
        }
        // What is left may be anything.
        if self.budget.get() == 0 {
            return too_long();
        }
        let made = expressions.made(at)?;
        let mut doubtful = None;
        for text in made.readings() {
            // In prose, `truncate text` is not a statement, but here it is.
            let found = if made.is_run { self.inside(&format!("{text}\n;")) } else { self.inside(text) };
            let found = found.or_else(|| self.inside(&closed(text).filter(|_| made.is_run)?));
            match found {
                Some(damage) if damage.is_certain => return Some(damage),
                found => doubtful = doubtful.or(found),
            }
            // Further texts would only be as doubtful.
            if self.budget.get() == 0 || self.depth >= MAX_DEPTH && doubtful.is_some() {
                break;
            }
        }
        doubtful
    }
}

/// Returns a text that is run without its apostrophes if one of them begins a string without end, as in a name such as
/// `it's_log`. What comes after it would not be read.
fn closed(text: &str) -> Option<String> {
    let first = text.split_whitespace().next().unwrap_or_default();
    let destroys = ["drop", "truncate", "delete"].iter().any(|word| first.eq_ignore_ascii_case(word));
    let is_open = !text.matches('\'').count().is_multiple_of(2);
    (destroys && is_open).then(|| format!("{}\n;", text.replace('\'', "_")))
}

/// Returns the position of the closing parenthesis for each position of an opening one.
fn closes(tokens: &[Token]) -> Vec<usize> {
    let (mut closes, mut open) = (vec![tokens.len(); tokens.len()], Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        if token.is_mark("(") {
            open.push(at);
        } else if token.is_mark(")")
            && let Some(close) = open.pop().and_then(|start: usize| closes.get_mut(start))
        {
            *close = at;
        }
    }
    closes
}

/// Whether these tokens are `END PROCEDURE`.
fn ends_routine(tokens: &[Token]) -> bool {
    matches!(tokens, [end, routine] if end.is("end") && routine.is_any(&["procedure", "function"]))
}

/// Whether these tokens begin `TRANSFORM (a) USING '…'`, `MAP a USING '…'` or `REDUCE a USING '…'` of Hive.
fn hands_to_script(tokens: &[Token]) -> bool {
    let [before, word, after] = tokens else { return false };
    let is_clause =
        !before.is("on") && [".", ",", "("].iter().all(|mark| !before.is_mark(mark)) && !after.is_any(&["and", "or"]);
    word.is("transform") && after.is_mark("(")
        || word.is_any(&["map", "reduce"]) && is_clause && (after.is_name() || after.is_mark("(") || after.is_mark("*"))
}

pub(super) fn sure(what: String) -> Option<Damage> {
    Some(Damage { what, is_certain: true })
}

pub(super) fn doubt(what: String) -> Option<Damage> {
    Some(Damage { what, is_certain: false })
}

fn too_long() -> Option<Damage> {
    doubt("is too long to be read".to_owned())
}
