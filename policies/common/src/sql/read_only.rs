//! Determines whether a text is one statement that only reads.

use super::MAX_SQL;
use super::dialect::dialects;
use super::functions::{Function, function, is_telling_pragma};
use super::judge::destructive;
use super::lexer::{Kind, Reading, Token, read};

/// The effect of an SQL text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sql {
    /// The text is one statement that only reads.
    ReadOnly,
    /// The text does more than read, or has more than one statement.
    Writes(String),
    /// The text may do more than read.
    Unsure(String),
}

/// Words that begin a statement that reads.
const HEADS: &[&str] =
    &["select", "with", "values", "table", "from", "show", "describe", "desc", "explain", "pragma", "summarize"];

/// Words between `EXPLAIN` and the statement.
const EXPLAINED: &[&str] = &[
    "analyze",
    "analyse",
    "verbose",
    "query",
    "plan",
    "extended",
    "partitions",
    "formatted",
    "codegen",
    "cost",
    "pipeline",
    "ast",
    "syntax",
    "estimate",
    "logical",
    "format",
    "json",
    "tree",
    "traditional",
    "xml",
    "yaml",
    "text",
    "using",
    "tabular",
    "for",
];

/// Words that never occur in a statement that only reads, and their effects.
const WRITING: &[(&str, &str)] = &[
    ("into", "writes its result"),
    ("drop", "drops something"),
    ("delete", "deletes rows"),
    ("update", "updates or locks rows"),
    ("alter", "alters something"),
    ("create", "creates something"),
    ("exec", "runs something"),
    ("execute", "runs something"),
    ("grant", "changes permissions"),
    ("revoke", "changes permissions"),
    ("updatetext", "changes rows"),
    ("writetext", "changes rows"),
    ("waitfor", "waits"),
    ("dbcc", "changes the server's state"),
    ("reconfigure", "changes the server's settings"),
    ("nextval", "moves a sequence"),
    ("outfile", "writes a file"),
    ("dumpfile", "writes a file"),
    ("insert", "inserts rows"),
    ("truncate", "deletes all rows"),
    ("merge", "changes rows"),
];

/// Words that are names in most dialects, but that begin a statement in SQL Server, even without a semicolon before it.
const STARTING: &[&str] = &[
    "set",
    "backup",
    "restore",
    "kill",
    "shutdown",
    "deny",
    "checkpoint",
    "bulk",
    "declare",
    "commit",
    "rollback",
    "disable",
    "enable",
    "throw",
    "use",
    "revert",
];

/// The words that form a statement by themselves.
const WHOLE: &[&str] = &["shutdown", "commit", "rollback", "checkpoint", "throw", "revert"];

/// Words that must be followed by a name, so that no statement begins after them.
const BEFORE_NAME: &[&str] = &[
    "select",
    "distinct",
    "all",
    "where",
    "and",
    "or",
    "not",
    "by",
    "on",
    "as",
    "from",
    "join",
    "case",
    "when",
    "then",
    "else",
    "having",
    "in",
    "like",
    "between",
    "is",
    "using",
    "with",
    "recursive",
    "character",
    "charset",
    "table",
    "show",
    "describe",
    "desc",
    "limit",
];

/// Determines whether a text is one statement that only reads, in any dialect. `functions` names more functions that
/// only read.
#[must_use]
pub fn read_only(text: &str, functions: &[String]) -> Sql {
    if text.len() > MAX_SQL {
        return Sql::Unsure("it is too long to be read".to_owned());
    }
    let (mut unsure, mut fault, mut is_whole) = (None, None, false);
    for dialect in dialects(text) {
        let reading = read(text, dialect);
        match judge(&reading, functions) {
            Sql::Writes(what) => return Sql::Writes(what),
            Sql::Unsure(what) => unsure = unsure.or(Some(what)),
            Sql::ReadOnly => match reading.fault {
                Some(what) => fault = fault.or(Some(what)),
                None => is_whole = true,
            },
        }
    }
    match (unsure, fault) {
        (Some(what), _) => Sql::Unsure(what),
        (None, Some(what)) if !is_whole => Sql::Unsure(format!("it has {what}")),
        // A dialect that refuses the text as it is written may accept a part of it.
        _ if destructive(text).is_some_and(|damage| damage.is_certain) => {
            Sql::Unsure("a dialect may read it as destructive".to_owned())
        }
        _ => Sql::ReadOnly,
    }
}

fn judge(reading: &Reading, functions: &[String]) -> Sql {
    let tokens = reading.tokens.as_slice();
    let end = tokens.iter().rposition(|token| !token.is_mark(";")).map_or(0, |last| last + 1);
    let tokens = tokens.get(..end).unwrap_or_default();
    if tokens.is_empty() {
        return Sql::Unsure("it is empty".to_owned());
    }
    let separates = |token: &&Token| token.is_mark(";") || token.alone && (token.is("go") || token.is_mark("/"));
    if tokens.iter().any(|token| separates(&token)) {
        // A dialect that refuses the text does not run any of its statements.
        let what = "it has more than one statement".to_owned();
        return if reading.fault.is_some() { Sql::Unsure(what) } else { Sql::Writes(what) };
    }
    if reading.fault.is_some() {
        return Sql::ReadOnly;
    }
    let Some(at) = tokens.iter().position(|token| !token.is_mark("(")) else {
        return Sql::Unsure("it is not SQL".to_owned());
    };
    let statement = tokens.get(at..).unwrap_or_default();
    if let Some((_, rest)) = statement.split_first().filter(|(first, _)| first.is("pragma")) {
        return pragma(rest).unwrap_or(Sql::ReadOnly);
    }
    head(statement).or_else(|| words(tokens)).or_else(|| calls(tokens, functions)).unwrap_or(Sql::ReadOnly)
}

/// Returns what is wrong with the beginning of a statement.
fn head(tokens: &[Token]) -> Option<Sql> {
    let (first, rest) = tokens.split_first()?;
    let begins = |token: &Token| Some(Sql::Writes(format!("it begins with `{}`", shown(token.text))));
    if !first.is_any(HEADS) {
        return begins(first);
    }
    if first.is("explain") {
        let rest = explained(rest);
        // This shows the columns of a table.
        let is_table = rest.len() < 5 && !rest.iter().any(|token| token.is_any(HEADS)) && is_path(rest);
        return match rest.first() {
            None => None,
            Some(_) if is_table => None,
            Some(again) if again.is("explain") => begins(again),
            Some(_) => head(rest),
        };
    }
    None
}

/// Returns the statement after `EXPLAIN` and its options.
fn explained<'t, 'a>(mut tokens: &'t [Token<'a>]) -> &'t [Token<'a>] {
    if tokens.first().is_some_and(|token| token.is_mark("("))
        && tokens.get(1).is_some_and(|token| token.is_any(EXPLAINED))
    {
        let close = tokens.iter().position(|token| token.is_mark(")"));
        tokens = close.and_then(|close| tokens.get(close + 1..)).unwrap_or_default();
    }
    let is_option = |token: &Token| {
        token.is_any(EXPLAINED) || token.is_mark("=") || matches!(token.kind, Kind::Number | Kind::Text)
    };
    let at = tokens.iter().position(|token| !is_option(token) && !token.is_mark("(")).unwrap_or(tokens.len());
    tokens.get(at..).unwrap_or_default()
}

/// Whether these are names with dots between them.
fn is_path(tokens: &[Token]) -> bool {
    tokens.iter().enumerate().all(|(at, token)| if at % 2 == 0 { token.is_name() } else { token.is_mark(".") })
}

fn pragma(tokens: &[Token]) -> Option<Sql> {
    let at = if tokens.get(1).is_some_and(|token| token.is_mark(".")) { 2 } else { 0 };
    let name = tokens.get(at)?;
    let has_argument = tokens.len() > at + 1;
    let is_telling =
        name.is_name() && is_telling_pragma(name.text, has_argument) && !tokens.iter().any(|token| token.is_mark("="));
    (!is_telling).then(|| Sql::Writes(format!("`PRAGMA {}` changes something", shown(name.text))))
}

/// Looks for words that never occur in a statement that only reads.
fn words(tokens: &[Token]) -> Option<Sql> {
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Word) {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let after = tokens.get(at + 1);
        // Other dialects read a bracketed name of SQL Server this way.
        if before.is_some_and(|before| before.is_mark("[")) && after.is_some_and(|after| after.is_mark("]")) {
            continue;
        }
        if before.is_some_and(|before| before.is_mark(".")) {
            if token.is("nextval") {
                return Some(Sql::Writes("`NEXTVAL` moves a sequence".to_owned()));
            }
            continue;
        }
        let writing = WRITING.iter().find(|(word, _)| token.is(word));
        if let Some((word, what)) = writing {
            let is_call = after.is_some_and(|after| after.is_mark("("));
            let is_harmless = match *word {
                "insert" | "truncate" => is_call,
                "merge" => after.is_some_and(|after| after.is("join")),
                // This is `SHOW CREATE TABLE t`.
                "create" | "grant" => at == 1 && before.is_some_and(|before| before.is("show")),
                _ => false,
            };
            if !is_harmless {
                return Some(Sql::Writes(format!("`{}` {what}", shown(token.text))));
            }
        }
        let is_lock = token.is("share") && before.is_some_and(|before| before.is_any(&["for", "key", "in"]))
            || token.is("lock") && after.is_some_and(|after| after.is("in"));
        if is_lock {
            return Some(Sql::Writes("it locks rows".to_owned()));
        }
        let starts = |before: &Token| match before.kind {
            Kind::Word => !before.is_any(BEFORE_NAME),
            Kind::Mark => before.is_mark(")"),
            _ => true,
        };
        if token.is_any(STARTING)
            && before.is_some_and(starts)
            && after.map_or_else(|| token.is_any(WHOLE), |after| !after.is_mark(","))
        {
            // This excludes `USE INDEX (…)`, `SET` for a character set, and an alias before `FROM`.
            let is_hint =
                after.is_some_and(|after| after.is_any(&["index", "key", "from", "order", "where", "group", "join"]));
            if !is_hint && !after.is_some_and(|after| after.kind == Kind::Mark && !after.is_mark("(")) {
                return Some(Sql::Writes(format!("`{}` may begin another statement", shown(token.text))));
            }
        }
        if token.is("value")
            && before.is_some_and(|before| before.is("next"))
            && after.is_some_and(|after| after.is("for"))
        {
            return Some(Sql::Writes("`NEXT VALUE FOR` moves a sequence".to_owned()));
        }
    }
    let assigns = |pair: &[Token]| matches!(pair, [colon, equals] if colon.is_mark(":") && equals.is_mark("="));
    if tokens.windows(2).any(assigns) {
        return Some(Sql::Unsure("`:=` may set a variable".to_owned()));
    }
    let is_file =
        |pair: &[Token]| matches!(pair, [from, file] if from.is_any(&["from", "join"]) && file.kind == Kind::Text);
    if tokens.windows(2).any(is_file) {
        return Some(Sql::Unsure("it reads a file".to_owned()));
    }
    tokens.iter().any(|token| token.is_mark("{")).then(|| Sql::Unsure("it has a template".to_owned()))
}

/// Looks for functions that do more than compute, and for unknown functions.
fn calls(tokens: &[Token], functions: &[String]) -> Option<Sql> {
    let mut unsure = None;
    for (at, pair) in tokens.windows(2).enumerate() {
        let [name, open] = pair else { continue };
        if !open.is_mark("(") || !name.is_name() {
            continue;
        }
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let owner = before.filter(|before| before.is_mark(".")).and_then(|_| tokens.get(at.checked_sub(2)?));
        let plain = name.text.trim_start_matches('@');
        let full = owner.map(|owner| format!("{}.{plain}", owner.text));
        let is_own = |known: &String| known.eq_ignore_ascii_case(full.as_deref().unwrap_or(plain));
        let known = function(plain);
        let whole = owner.map_or(Function::Unknown, |owner| function(owner.text));
        if let (Function::Effect(what), _) | (_, Function::Effect(what)) = (known, whole) {
            return Some(Sql::Writes(format!("`{}` {what}", shown(plain))));
        }
        if functions.iter().any(is_own) {
            continue;
        }
        let is_builtin = owner.is_none_or(|owner| owner.is_any(&["pg_catalog", "safe", "net"]));
        let is_method = owner.is_some() && ["value", "query", "nodes", "exist"].contains(&plain);
        let is_harmless = is_method
            || is_builtin && known == Function::Pure
            || name.kind == Kind::Word && owner.is_none() && known == Function::Word
            || before.is_some_and(|before| before.is_any(&["as", "with", "recursive"]) || before.is_mark(")"))
            || owner.is_none() && is_common_table(tokens, at);
        if !is_harmless {
            let name = full.as_deref().unwrap_or(plain);
            unsure =
                unsure.or_else(|| Some(Sql::Unsure(format!("nothing is known of the function `{}`", shown(name)))));
        }
    }
    unsure
}

/// Whether a name and its parenthesis begin a common table expression: `, x(a, b) AS (SELECT …)`.
fn is_common_table(tokens: &[Token], at: usize) -> bool {
    let is_after_comma = at.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|before| before.is_mark(","));
    let columns = tokens.get(at + 2..).unwrap_or_default();
    let Some(close) = columns.iter().position(|token| !token.is_name() && !token.is_mark(",")) else {
        return false;
    };
    let rest = columns.get(close..).unwrap_or_default();
    let begins = |word: &Token| word.is_any(&["select", "with", "values", "table"]) || word.is_mark("(");
    let is_table = match rest {
        [end, alias, open, first, ..] if alias.is("as") && open.is_mark("(") => end.is_mark(")") && begins(first),
        [end, alias, ..] if alias.is("as") => {
            end.is_mark(")") && rest.get(2).is_some_and(|word| word.is_any(&["not", "materialized"]))
        }
        _ => false,
    };
    is_after_comma && is_table
}

/// Returns a word, shortened, for use in reasons.
fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() && *c != '`').take(40).collect()
}
