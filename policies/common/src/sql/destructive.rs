//! Detects SQL that destroys whole tables or more, or runs programs on the server.

use super::MAX_SQL;
use super::dialect::dialects;
use super::lexer::{DOLLARS, Kind, Token, read};
use super::words::{DROPPED, HEADS, PARTS, RUNNING, TABLE_KINDS, USED_BY_COLUMNS};
use crate::UNKNOWN;

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

/// Returns what a text would destroy in any dialect, or `None` if it destroys nothing or is not SQL.
#[must_use]
pub fn destructive(text: &str) -> Option<Damage> {
    inside(text, 0)
}

fn inside(text: &str, depth: usize) -> Option<Damage> {
    if text.len() > MAX_SQL {
        return Some(Damage { what: "is too long to be read".to_owned(), is_certain: false });
    }
    let mut doubtful = None;
    for dialect in dialects(text) {
        let reading = read(text, dialect);
        match Statements::new(&reading.tokens, depth).damage() {
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
    depth: usize,
    /// Whether some word in the text runs texts as SQL.
    runs_texts: bool,
    /// Whether the statement names the rows or nodes that it applies to.
    has_filter: bool,
    has_program: bool,
    /// Whether the text uses the scheduler of Oracle.
    pub(super) has_scheduler: bool,
    /// The temporary tables that the text creates, each with the position of its name.
    temporary: Vec<(usize, &'a str)>,
}

impl<'t, 'a> Statements<'t, 'a> {
    fn new(tokens: &'t [Token<'a>], depth: usize) -> Self {
        let any = |test: &dyn Fn(&Token) -> bool| tokens.iter().any(test);
        Statements {
            tokens,
            depth,
            runs_texts: any(&|token| RUNNING.iter().any(|word| token.text.eq_ignore_ascii_case(word))),
            has_filter: any(&|token| token.is("where") || token.is_mark("{")),
            has_program: any(&|token| token.is("program")),
            has_scheduler: any(&|token| token.is("dbms_scheduler")),
            temporary: temporary(tokens),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    pub(super) fn get(&self, at: usize) -> Option<&'t Token<'a>> {
        self.tokens.get(at)
    }

    pub(super) fn is(&self, at: usize, words: &[&str]) -> bool {
        self.get(at).is_some_and(|token| token.is_any(words))
    }

    fn damage(&self) -> Option<Damage> {
        let mut doubtful = None;
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
                Kind::Mark if at == first => self.shell(at),
                _ => None,
            };
            match found {
                Some(damage) if damage.is_certain => return Some(damage),
                found => doubtful = doubtful.or(found),
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
            Kind::Mark => before.is_mark(")") && is_sql || before.is_mark(".") && at == first + 1,
            Kind::Word => {
                is_sql
                    && !before
                        .is_any(&["on", "for", "before", "after", "or", "of", "then", "key", "grant", "revoke", "as"])
                    || before.is_any(&["begin", "then", "else", "loop", "explain", "analyze", "do"])
                        && is_sql
                        && !self.is(first, &["merge", "insert"])
                    || before.is("as") && self.is(first, &["prepare"])
            }
            _ => is_sql,
        }
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
        if word.is("delete") {
            return self.delete(at);
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
            return doubt("overwrites a table".to_owned());
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
        if word.is("reset") && self.is(at + 1, &["master"])
            || word.is("purge") && self.is(at + 1, &["binary", "master"])
        {
            return sure("deletes logs that replicas and backups need".to_owned());
        }
        self.word(at, first)
    }

    fn drop(&self, at: usize, first: usize) -> Option<Damage> {
        if self.is(first, &["alter"]) && at != first {
            return self.drop_part(at, first);
        }
        let kind = self.get(at + 1)?;
        let mut name = at + 2;
        if kind.is_any(&["temporary", "temp"]) {
            return None;
        }
        if self.is(name, &["if"]) && self.is(name + 1, &["exists"]) {
            name += 2;
        }
        // This is `DROP SERIES FROM cpu`.
        if kind.is("series") && self.is(name, &["from"]) {
            name += 1;
        }
        if kind.is("owned") && self.is(name, &["by"]) {
            return sure("drops all that a role owns".to_owned());
        }
        // This is `DROP USER 'bob'@'localhost'`.
        let is_user = kind.is_any(&["user", "role"]);
        let object = self.get(name).filter(|token| {
            token.is_name()
                || is_user && token.kind == Kind::Text
                || token.is_mark("#")
                || token.is_mark("?")
                || token.is_mark("{")
                || token.is_mark("%")
        })?;
        // This is a temporary table of SQL Server.
        if object.is_mark("#") {
            return None;
        }
        let end = self.end_of_names(name);
        let ends = self.get(end).is_none_or(|token| {
            token.is_mark(";")
                || token.is_mark(")")
                || token.is_any(HEADS)
                || token.is_any(&[
                    "cascade",
                    "restrict",
                    "purge",
                    "by",
                    "sync",
                    "no",
                    "force",
                    "on",
                    "including",
                    "keep",
                ])
                || token.kind == Kind::Mark && !token.is_mark(",")
                || is_user && (token.kind == Kind::Text || token.text.starts_with('@'))
                || token.text.contains(UNKNOWN)
        });
        if !ends {
            return None;
        }
        if kind.is_any(DROPPED) {
            let what = format!("drops the {} {}", kind.text.to_ascii_lowercase(), self.name(name));
            // This is a temporary table of PostgreSQL.
            if self.is(name, &["pg_temp"]) && end == name + 3 {
                return None;
            }
            // The table that the text creates is most likely the one that it drops.
            let is_own = |(created, table): &(usize, &str)| *created < at && object.text.eq_ignore_ascii_case(table);
            let is_temporary = kind.is("table") && end == name + 1 && self.temporary.iter().any(is_own);
            return if is_temporary { doubt(what) } else { sure(what) };
        }
        let cascades = self.get(end).is_some_and(|token| token.is("cascade"));
        (kind.is_any(USED_BY_COLUMNS) && cascades)
            .then(|| Damage { what: format!("drops the columns that use {}", self.name(name)), is_certain: true })
    }

    /// Judges `ALTER TABLE t DROP …`.
    fn drop_part(&self, at: usize, first: usize) -> Option<Damage> {
        if !self.is(first + 1, &["table", "foreign", "external"]) {
            return None;
        }
        let mut part = at + 1;
        if self.is(part, PARTS) {
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
        while let Some(mark) = self.get(at).filter(|token| token.is_mark(".") || token.is_mark(",")) {
            let is_name = self.get(at + 1).is_some_and(Token::is_name);
            // Between two dots, the schema is left out: `db..users`.
            let is_alone = mark.is_mark(",") && !is_name || self.get(at + 1).is_some_and(|next| next.is_mark("."));
            at += if is_alone { 1 } else { 2 };
        }
        at
    }

    /// Returns the name that begins at this position, shortened and in backquotes.
    pub(super) fn name(&self, at: usize) -> String {
        let name = self.tokens.get(at..).unwrap_or_default();
        let parts = name
            .iter()
            .enumerate()
            .take_while(|(at, token)| if at % 2 == 0 { token.is_name() } else { token.is_mark(".") });
        let text = parts.flat_map(|(_, token)| token.text.chars()).filter(|c| !c.is_control() && *c != '`');
        let text: String = text.map(|c| if c == UNKNOWN { '…' } else { c }).take(60).collect();
        if text.is_empty() { "that it names".to_owned() } else { format!("`{text}`") }
    }

    /// Judges words that are destructive at any position.
    fn word(&self, at: usize, first: usize) -> Option<Damage> {
        let token = self.get(at)?;
        let before = at.checked_sub(1).and_then(|before| self.get(before));
        if let Some(damage) = self.program(at, first) {
            return Some(damage);
        }
        if token.is("delete")
            && before.is_some_and(|before| before.is("detach"))
            && self.is(first, &["match", "optional", "with", "unwind"])
        {
            return if self.has_filter { None } else { sure("deletes all nodes that match".to_owned()) };
        }
        None
    }

    /// Judges a text that is run as SQL, or the body of a function.
    fn text(&self, at: usize, first: usize) -> Option<Damage> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        let text = self.get(at)?.text;
        let is_do = self.is(first, &["do"]);
        let defines = |at| self.is(at, &["function", "procedure"]);
        let is_body =
            self.is(first, &["create"]) && self.is(at.saturating_sub(1), &["as"]) && (first..first + 6).any(defines);
        if !(is_do || is_body || self.runs_texts) {
            return None;
        }
        let damage = inside(text, self.depth + 1)?;
        Some(Damage { is_certain: damage.is_certain && !is_body, ..damage })
    }

    /// Judges commands of database clients: `\! rm`, `.shell rm`.
    fn shell(&self, at: usize) -> Option<Damage> {
        let mark = self.get(at)?;
        let next = self.get(at + 1)?;
        // `sqlite3` takes the beginnings of its commands: `.sy rm`.
        let begins = |name: &str| next.text.len() > 1 && name.starts_with(&next.text.to_ascii_lowercase());
        let is_command = next.kind == Kind::Word && (begins("shell") || begins("system"));
        let is_shell = mark.is_mark("\\") && (next.is_mark("!") || next.is("copy") && self.has_program)
            || mark.is_mark(".") && is_command && self.get(at + 2).is_some();
        if mark.is_mark(".") && next.is("drop") {
            return self.drop(at + 1, at);
        }
        is_shell.then(|| Damage { what: "runs a command of the shell".to_owned(), is_certain: true })
    }
}

/// Returns the names in `CREATE TEMP TABLE name`, each with its position.
fn temporary<'a>(tokens: &[Token<'a>]) -> Vec<(usize, &'a str)> {
    let is = |at: usize, words: &[&str]| tokens.get(at).is_some_and(|token| token.is_any(words));
    let name = |at: usize| {
        let is_one = is(at, &["temp", "temporary"]) && is(at + 1, &["table"]);
        let name = if is(at + 2, &["if"]) { at + 5 } else { at + 2 };
        tokens.get(name).filter(|token| is_one && token.is_name()).map(|token| (name, token.text))
    };
    (0..tokens.len()).filter_map(name).collect()
}

pub(super) fn sure(what: String) -> Option<Damage> {
    Some(Damage { what, is_certain: true })
}

pub(super) fn doubt(what: String) -> Option<Damage> {
    Some(Damage { what, is_certain: false })
}
