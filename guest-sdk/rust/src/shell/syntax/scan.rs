//! Resolves the quotes of one raw word.
//!
//! The parser finds where a word starts and ends. This module decides what the word *means*: the text that the command
//! will receive, and the scripts in its substitutions, which run before the command does.

use super::braces;
use crate::shell::word::{GLOB, HOME, UNKNOWN, plain};

/// An unquoted `~`; its meaning depends on where brace expansion puts it.
const TILDE: char = '\u{E006}';

/// The meaning of a raw word.
#[derive(Debug)]
pub(super) struct Scanned {
    /// The words it becomes: several if it contains a brace expansion.
    pub(super) texts: Vec<String>,
    /// The scripts of its substitutions.
    pub(super) scripts: Vec<String>,
    /// Whether it contains a substitution that could not be read.
    pub(super) unreadable: bool,
    /// Whether it contains an unquoted character that ends a word. The parser accepts one after an opening bracket that
    /// is never closed.
    pub(super) overlong: bool,
    /// Whether it is an expansion such as `${x:-a b}`, which splits into several words.
    pub(super) splits: bool,
}

/// Scans a word of a command.
pub(super) fn word(raw: &str) -> Scanned {
    let mut scanner = Scanner::new(raw);
    scanner.unquoted(None);
    let texts = braces::expand(&scanner.text);
    Scanned {
        texts: texts.iter().map(|text| resolve_tilde(text)).collect(),
        scripts: scanner.scripts,
        unreadable: scanner.unreadable,
        overlong: scanner.overlong,
        splits: scanner.splits,
    }
}

/// Scans a term of a `[[ … ]]`, in which a pattern may contain any character.
pub(super) fn term(raw: &str) -> Scanned {
    Scanned { overlong: false, ..word(raw) }
}

/// Scans text in which quotes are literal, such as the body of a here-document or an arithmetic expression.
pub(super) fn body(raw: &str) -> Scanned {
    let mut scanner = Scanner::new(raw);
    scanner.quoted(None);
    Scanned {
        texts: vec![scanner.text],
        scripts: scanner.scripts,
        unreadable: scanner.unreadable,
        overlong: scanner.overlong,
        splits: scanner.splits,
    }
}

/// Turns a leading `~` or `~user` into a home directory, and leaves any other `~` literal.
fn resolve_tilde(text: &str) -> String {
    let Some(rest) = text.strip_prefix(TILDE) else {
        return text.replace(TILDE, "~");
    };
    let (user, path) = match rest.find('/') {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    // `~+` and `~-` are the current and the previous working directory.
    let known = user.chars().all(|c| c.is_alphanumeric() || c == '_');
    let home = if known { HOME } else { UNKNOWN };
    format!("{home}{}", path.replace(TILDE, "~"))
}

/// Walks over raw text and collects its meaning.
pub(super) struct Scanner<'a> {
    pub(super) rest: &'a str,
    pub(super) text: String,
    pub(super) scripts: Vec<String>,
    pub(super) unreadable: bool,
    overlong: bool,
    pub(super) splits: bool,
    /// How many parentheses are open, as in `x=(a b)`.
    parentheses: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(raw: &'a str) -> Self {
        Self {
            rest: raw,
            text: String::new(),
            scripts: Vec::new(),
            unreadable: false,
            overlong: false,
            splits: false,
            parentheses: 0,
        }
    }

    /// Reads outside of quotes, up to `end` or the end of the text.
    pub(super) fn unquoted(&mut self, end: Option<char>) {
        while let Some(c) = self.next() {
            match c {
                c if Some(c) == end => return,
                '\\' => {
                    if let Some(escaped) = self.next() {
                        self.literal(escaped);
                    }
                }
                '\'' => self.take_until('\'').chars().for_each(|c| self.literal(c)),
                '"' => self.quoted(Some('"')),
                '$' if self.skip("'") => self.ansi_c(),
                '$' if self.skip("\"") => self.quoted(Some('"')),
                '$' => self.dollar(false),
                '`' => self.backquoted(false),
                '<' | '>' if self.skip("(") => self.substitution(),
                '*' | '?' | '[' => self.text.push(GLOB),
                '~' => self.text.push(TILDE),
                '{' => self.text.push(braces::OPEN),
                ',' => self.text.push(braces::COMMA),
                '}' => self.text.push(braces::CLOSE),
                c => {
                    self.literal(c);
                    self.note(c, end);
                }
            }
        }
    }

    /// Notes an unquoted character that ends a word, here or in another context.
    fn note(&mut self, c: char, end: Option<char>) {
        let ends_word = match c {
            ' ' | '\t' | '\n' | '|' => self.parentheses == 0,
            ';' | '&' => true,
            _ => false,
        };
        self.overlong |= ends_word && end.is_none();
        self.splits |= ends_word && end.is_some();
        match c {
            '(' => self.parentheses += 1,
            ')' => self.parentheses = self.parentheses.saturating_sub(1),
            _ => {}
        }
    }

    /// Reads by the rules of double quotes, up to `end` or the end of the text.
    pub(super) fn quoted(&mut self, end: Option<char>) {
        while let Some(c) = self.next() {
            match c {
                c if Some(c) == end => return,
                '\\' => match self.next() {
                    Some('\n') | None => {}
                    Some(c @ ('$' | '`' | '"' | '\\')) => self.literal(c),
                    Some(c) => {
                        self.literal('\\');
                        self.literal(c);
                    }
                },
                '$' => self.dollar(true),
                '`' => self.backquoted(true),
                c => self.literal(c),
            }
        }
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next();
        self.rest = chars.as_str();
        c
    }

    pub(super) fn skip(&mut self, prefix: &str) -> bool {
        let rest = self.rest.strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Takes the text before `end` and drops `end` itself.
    pub(super) fn take_until(&mut self, end: char) -> &'a str {
        let (taken, rest) = self.rest.split_once(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    pub(super) fn literal(&mut self, c: char) {
        self.text.push(plain(c));
    }
}
