//! The texts that expressions make: literals that are joined, formatted or encoded, and variables that hold them.

use super::computed::{base64, character, formatted, hexadecimal, replaced, separated, unicode};
use super::destructive::Statements;
use super::lexer::{Kind, Token};
use super::words::{HEADS, PROGRAMS};
use super::{MAX_SQL, is_statement};
use crate::UNKNOWN;
use std::iter::once;

/// The maximum nesting depth of parentheses that are read.
const MAX_NESTED: usize = 6;

/// The maximum number of literals that are joined without an operator.
const MAX_ADJACENT: usize = 16;

/// The maximum number of variables, and of the bytes in one.
const MAX_VARIABLES: usize = 64;
const MAX_VARIABLE: usize = 4096;

/// The maximum number of tokens of the declaration of a variable: its name and its type.
const MAX_DECLARATION: usize = 12;

/// The functions that are computed. `call` says how; the others return one of their arguments.
#[rustfmt::skip] // Many words to a line.
const COMPUTED: &[&str] = &[
    "concat", "concat_ws", "format", "format_string", "formatmessage", "printf", "char", "chr", "nchar", "ascii_char",
    "replace", "reverse", "unhex", "from_hex", "hextoraw", "from_base64", "base64decode", "base64_decode_string",
    "decode", "cast", "try_cast", "safe_cast", "convert", "try_convert", "convert_from", "cast_to_varchar2", "to_char",
    "to_clob", "upper", "lower", "ucase", "lcase", "trim", "ltrim", "rtrim", "btrim", "coalesce", "nvl", "ifnull",
    "isnull", "safe_convert_bytes_to_string", "unistr",
];

/// Words that cannot be operands, besides those that begin a statement.
#[rustfmt::skip] // Many words to a line.
const KEYWORDS: &[&str] = &[
    "from", "into", "using", "where", "case", "when", "then", "in", "on", "and", "or", "not", "returning", "bulk", "as",
    "loop", "order", "group", "limit",
];

/// Words before the name of a variable.
#[rustfmt::skip] // Many words to a line.
const BEFORE_VARIABLE: &[&str] = &[
    "declare", "begin", "set", "as", "is", "then", "else", "loop", "do", "let", "var", "select", "where", "and", "or",
    "on", "exec", "execute", "call",
];

/// The text that an expression makes.
pub(super) struct Made {
    whole: String,
    /// The text with the values of variables.
    resolved: Option<String>,
    /// Whether the text is run as it is, or kept in a variable.
    pub(super) is_run: bool,
}

impl Made {
    /// Returns the texts to read. A part that is not known may end a statement, so that another begins after it.
    pub(super) fn readings(&self) -> impl Iterator<Item = &str> {
        let ends = self.whole.match_indices(UNKNOWN).map(|(at, _)| at + UNKNOWN.len_utf8());
        let rests = ends.filter_map(move |end| self.whole.get(end..)).filter(|rest| begins_statement(rest));
        once(self.whole.as_str()).chain(rests).chain(self.resolved.as_deref())
    }
}

/// Reads the expressions of a text, from its beginning to its end.
pub(super) struct Expressions<'s, 't, 'a> {
    statements: &'s Statements<'t, 'a>,
    /// Which tokens are parts of the expressions that were read.
    read: Vec<bool>,
    variables: Vec<(&'a str, String)>,
    /// Whether the name of a variable stands for its value. Which value it has may depend on conditions, so that
    /// everything is read without the values as well.
    resolves: bool,
}

impl<'s, 't, 'a> Expressions<'s, 't, 'a> {
    pub(super) fn new(statements: &'s Statements<'t, 'a>) -> Self {
        Expressions { statements, read: Vec::new(), variables: Vec::new(), resolves: false }
    }

    /// Returns the text that the expression at this position makes, unless it is part of one that was read before.
    pub(super) fn made(&mut self, at: usize) -> Option<Made> {
        if !self.begins(at) {
            return None;
        }
        let is_text = |token: &Token| token.kind == Kind::Text;
        // In most dialects, a literal after another is not part of it.
        let before = at.checked_sub(1).and_then(|before| self.statements.get(before));
        if let Some(token) = self.statements.get(at).filter(|token| is_text(token) && before.is_some_and(is_text)) {
            return Some(Made { whole: literal(token), resolved: None, is_run: false });
        }
        self.resolves = false;
        let (whole, _) = self.joined(at, 0);
        self.resolves = true;
        let resolved = if self.variables.is_empty() { whole.clone() } else { self.joined(at, 0).0 };
        let variable = self.variable_before(at);
        let resolved = match variable {
            Some(name) => self.assign(name, resolved, at),
            None => resolved,
        };
        let is_run = variable.is_some() || self.is_run(at);
        Some(Made { resolved: Some(resolved).filter(|resolved| *resolved != whole), whole, is_run })
    }

    fn begins(&self, at: usize) -> bool {
        let Some(token) = self.statements.get(at).filter(|_| self.read.get(at) != Some(&true)) else {
            return false;
        };
        match token.kind {
            _ if token.is_string() => true,
            Kind::Number => digits(token).is_some(),
            Kind::Word | Kind::Quoted => {
                let is_call = self.statements.is_mark(at + 1, "(") && is_computed(token);
                let is_variable = self.value_of(token.text).is_some() && self.operator(at + 1).is_some();
                is_call || is_variable || token.is("u") && self.statements.is_mark(at + 1, "&")
            }
            _ => false,
        }
    }

    /// Whether the text at this position is run as it is: `EXECUTE '…'`, `EXEC('…')`, `PREPARE p FROM '…'`.
    fn is_run(&self, at: usize) -> bool {
        let is = |back: usize, words: &[&str]| at.checked_sub(back).is_some_and(|at| self.statements.is(at, words));
        let is_open = at.checked_sub(1).is_some_and(|before| self.statements.is_mark(before, "("));
        is(1, &["exec", "execute", "immediate", "statement"])
            || is(1, &["from"]) && is(3, &["prepare"])
            || is_open && is(2, &["exec", "execute"])
    }

    /// Returns the variable that the expression is the value of: `SET @s = …`, `s text := …`, `DECLARE s STRING DEFAULT
    /// …`.
    fn variable_before(&self, at: usize) -> Option<&'a str> {
        let sign = at.checked_sub(1)?;
        if !self.statements.is_mark(sign, "=") && !self.statements.is(sign, &["default"]) {
            return None;
        }
        let is_first = |at: &usize| {
            at.checked_sub(1)
                .and_then(|before| self.statements.get(before))
                .is_none_or(|before| before.is_mark(";") || before.is_mark(",") || before.is_any(BEFORE_VARIABLE))
        };
        let name = (sign.saturating_sub(MAX_DECLARATION)..sign).rev().find(is_first)?;
        self.statements.get(name).filter(|token| token.is_name()).map(|token| token.text)
    }

    fn value_of(&self, name: &str) -> Option<&str> {
        let known = self.variables.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        known.map(|(_, value)| value.as_str())
    }

    /// Keeps the value of a variable, and returns it.
    fn assign(&mut self, name: &'a str, value: String, at: usize) -> String {
        // This is `@s += '…'`.
        let adds = at.checked_sub(2).is_some_and(|plus| self.statements.is_mark(plus, "+"));
        let old = self.value_of(name).filter(|_| adds).unwrap_or_default();
        if old.len() + value.len() > MAX_VARIABLE {
            return value;
        }
        let value = format!("{old}{value}");
        let place = self.variables.iter().position(|(known, _)| known.eq_ignore_ascii_case(name));
        if let Some((_, old)) = place.and_then(|place| self.variables.get_mut(place)) {
            old.clone_from(&value);
        } else if self.variables.len() < MAX_VARIABLES {
            self.variables.push((name, value.clone()));
        }
        value
    }

    fn mark(&mut self, at: usize) {
        if self.read.len() <= at {
            self.read.resize(at + 1, false);
        }
        if let Some(read) = self.read.get_mut(at) {
            *read = true;
        }
    }

    /// Returns the text that operands and the operators between them make, and the position after them.
    fn joined(&mut self, mut at: usize, depth: usize) -> (String, usize) {
        let statements = self.statements;
        let text = |at: usize| statements.get(at).filter(|token| token.kind == Kind::Text);
        let mut value = String::new();
        while let Some((part, mut end)) = self.operand(at, depth) {
            add(&mut value, &part);
            // Some dialects join literals that come after each other. In others, each stands for itself, so that they
            // are not marked as read.
            let last = if text(at).is_some() { end + MAX_ADJACENT } else { end };
            while let Some(next) = text(end).filter(|_| end < last) {
                add(&mut value, &literal(next));
                end += 1;
            }
            at = self.after_cast(end);
            match self.operator(at) {
                Some(next) => at = next,
                None => return (value, at),
            }
        }
        value.push(UNKNOWN);
        (value, at)
    }

    /// Returns the position after the operator that joins texts.
    fn operator(&self, at: usize) -> Option<usize> {
        let is = |at: usize, mark: &str| self.statements.is_mark(at, mark);
        match () {
            () if is(at, "|") && is(at + 1, "|") => Some(at + 2),
            () if is(at, "&") || is(at, "+") && !is(at + 1, "=") => Some(at + 1),
            () => None,
        }
    }

    /// Returns the position after `::text` and `COLLATE c`.
    fn after_cast(&self, mut at: usize) -> usize {
        let is = |at: usize, mark: &str| self.statements.is_mark(at, mark);
        while is(at, ":") && is(at + 1, ":") && self.statements.get(at + 2).is_some_and(Token::is_name) {
            at = if is(at + 3, "(") { self.statements.close(at + 3) + 1 } else { at + 3 };
        }
        if self.statements.is(at, &["collate"]) { at + 2 } else { at }
    }

    fn operand(&mut self, at: usize, depth: usize) -> Option<(String, usize)> {
        let token = self.statements.get(at)?;
        let unknown = |end: usize| Some((UNKNOWN.to_string(), end));
        if token.is_string() {
            self.mark(at);
            return Some((literal(token), at + 1));
        }
        match token.kind {
            Kind::Word | Kind::Quoted => self.named(at, depth),
            Kind::Number => {
                self.mark(at);
                Some((digits(token).unwrap_or_else(|| token.text.to_owned()), at + 1))
            }
            Kind::Mark if token.is_mark("(") => {
                let close = self.statements.close(at);
                if depth >= MAX_NESTED {
                    return unknown(close + 1);
                }
                let (mut value, end) = self.joined(at + 1, depth + 1);
                if end != close {
                    value.push(UNKNOWN);
                }
                Some((value, close + 1))
            }
            Kind::Mark if token.is_mark("?") => unknown(at + 1),
            Kind::Mark if token.is_mark("{") => unknown(self.statements.end_of_braces(at)),
            Kind::Mark if token.is_mark(":") && self.statements.get(at + 1).is_some_and(Token::is_name) => {
                unknown(at + 2)
            }
            _ => None,
        }
    }

    /// Returns the value of a variable or of a call of a function.
    fn named(&mut self, at: usize, depth: usize) -> Option<(String, usize)> {
        let statements = self.statements;
        let token = statements.get(at)?;
        if token.is_any(HEADS) || token.is_any(KEYWORDS) {
            return None;
        }
        // This is `U&'\0044ROP'` of PostgreSQL.
        if token.is("u")
            && statements.is_mark(at + 1, "&")
            && let Some(text) = statements.get(at + 2).filter(|token| token.kind == Kind::Text)
        {
            self.mark(at);
            self.mark(at + 2);
            return Some((unicode(&text.value()), at + 3));
        }
        let mut last = at;
        while statements.is_mark(last + 1, ".") && statements.get(last + 2).is_some_and(Token::is_name) {
            last += 2;
        }
        (at..=last).for_each(|at| self.mark(at));
        let (name, next) = (statements.get(last)?, last + 1);
        if statements.is_mark(next, "(") {
            let close = statements.close(next);
            let is_read = depth < MAX_NESTED && is_computed(name);
            let value = if is_read { self.call(name.text, next, depth) } else { UNKNOWN.to_string() };
            // Any other function may leave out an argument, or be another one with the same name, so that each argument
            // is read by itself as well.
            let is_exact = last == at && name.is_any(&["concat", "concat_ws"]);
            let end = if is_exact { next } else { close.min(self.read.len()) };
            if let Some(args) = self.read.get_mut(next..end) {
                args.fill(false);
            }
            return Some((value, close + 1));
        }
        let value = self.value_of(token.text).filter(|_| self.resolves && last == at).map(str::to_owned);
        // This is an element of a list: `parts[1]`.
        let is_close = |at: &usize| statements.is_mark(*at, "]");
        let close = if statements.is_mark(next, "[") { (next..next + 8).find(is_close) } else { None };
        let end = close.map_or(next, |close| close + 1);
        Some((value.unwrap_or_else(|| UNKNOWN.to_string()), end))
    }

    fn call(&mut self, name: &str, open: usize, depth: usize) -> String {
        let args = self.arguments(open, depth);
        let known = |at: usize| args.get(at).map(String::as_str).filter(|arg| !arg.contains(UNKNOWN));
        // Digits that stand for a statement were decoded before.
        let plain = |digits: &str| hexadecimal(digits).unwrap_or_else(|| digits.to_owned());
        let made = match name.to_ascii_lowercase().as_str() {
            "concat" => Some(args.concat()),
            "concat_ws" => separated(&args),
            "format" | "format_string" | "formatmessage" | "printf" => Some(formatted(&args)),
            "char" | "chr" | "nchar" | "ascii_char" => args.iter().map(|arg| character(arg)).collect(),
            "replace" => known(0).zip(known(1)).zip(known(2)).and_then(|((text, from), to)| replaced(text, from, to)),
            "reverse" => known(0).map(|text| text.chars().rev().collect()),
            "unhex" | "from_hex" | "hextoraw" => known(0).map(plain),
            "unistr" => known(0).map(unicode),
            "from_base64" | "base64decode" | "base64_decode_string" => known(0).and_then(base64),
            "decode" if known(1) == Some("hex") => known(0).map(plain),
            "decode" if known(1) == Some("base64") => known(0).and_then(base64),
            _ => args.iter().find(|arg| arg.contains(|c: char| c.is_ascii_alphabetic())).cloned(),
        };
        made.unwrap_or_else(|| UNKNOWN.to_string())
    }

    /// Returns the arguments of a call.
    fn arguments(&mut self, open: usize, depth: usize) -> Vec<String> {
        let statements = self.statements;
        let close = statements.close(open);
        let (mut args, mut at, mut length) = (Vec::new(), open + 1, 0);
        // What is left out here is read by itself.
        while at < close && length <= MAX_SQL {
            let (mut value, mut end) = self.joined(at, depth + 1);
            // This is `CAST(0x44 AS text)`.
            let is_whole = end == close || statements.is_mark(end, ",") || statements.is(end, &["as", "using"]);
            if !is_whole {
                value.push(UNKNOWN);
            }
            while end < close && !statements.is_mark(end, ",") {
                end = if statements.is_mark(end, "(") { statements.close(end) + 1 } else { end + 1 };
            }
            length += value.len();
            args.push(value);
            at = end + 1;
        }
        args
    }
}

/// Whether a text begins with a statement, or with a procedure that runs programs, which needs no `EXEC` before it.
fn begins_statement(text: &str) -> bool {
    let start = text.trim_start();
    let end = start.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(start.len());
    let word = start.get(..end).unwrap_or_default();
    is_statement(text) || PROGRAMS.iter().any(|name| word.eq_ignore_ascii_case(name))
}

fn is_computed(name: &Token) -> bool {
    COMPUTED.iter().any(|known| name.text.eq_ignore_ascii_case(known))
}

/// Returns the text that a number such as `0x44524F50` stands for.
fn digits(token: &Token) -> Option<String> {
    token.text.strip_prefix("0x").or_else(|| token.text.strip_prefix("0X")).and_then(hexadecimal)
}

fn literal(token: &Token) -> String {
    let value = token.value();
    // These are the digits of `x'44524F50'`.
    hexadecimal(&value).filter(|text| is_statement(text)).unwrap_or_else(|| value.into_owned())
}

/// Adds a part to a text, up to the length from which on a text is not read.
fn add(value: &mut String, part: &str) {
    if value.len() <= MAX_SQL {
        value.push_str(part);
    }
}
