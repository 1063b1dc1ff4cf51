//! Expands words: quotes, variables, substitutions, braces, wildcards.
//!
//! The parser finds where a word starts and ends. This module decides what the word *means*: the texts that the command
//! will receive. Scripts in substitutions are walked on the way.

mod dollar;
mod escape;
mod parameter;
mod pattern;
mod substitution;

pub(super) use escape::{Dialect, unescaped};

use super::Unknown;
use super::collect::MAX_LENGTH;
use super::eval::{ENTRY, Place, Shell};
use super::marks::Kind;
use super::syntax::{Problem, braces};

/// An unquoted `~`; its meaning depends on where brace expansion puts it.
const TILDE: char = '\u{100003}';
/// The end of a word: an unquoted space in the value of a variable.
const SPLIT: char = '\u{100004}';
/// A quote, which makes an empty text a word.
const QUOTE: char = '\u{100005}';

/// How a text is expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// As the words of a command.
    Words,
    /// As one text, like the value of an assignment.
    Text,
    /// As an assignment among the words of a command.
    Assignment,
    /// As in double quotes, like a here-document.
    Quoted,
}

impl Shell {
    /// Returns the words that a raw word of a command becomes.
    pub(super) fn words(&mut self, raw: &str, place: &Place) -> Vec<String> {
        if !self.spend(raw.len()) {
            return Vec::new();
        }
        if is_plain(raw) {
            return vec![raw.to_owned()];
        }
        let mut scanner = Scanner::new(self, raw, Mode::Words, place);
        scanner.unquoted(None);
        let overlong = scanner.overlong;
        let text = scanner.text;
        if text.len() > MAX_LENGTH {
            self.fail(Unknown::bounds("makes up a word that is too long to be checked; split it up"));
            return vec![self.marks.unknown(raw)];
        }
        if overlong {
            self.problem(Problem::Syntax);
        }
        let mut sequence = |inner: &str| self.marks.add(Kind::Glob, &format!("{{{inner}}}")).to_string();
        let Some(texts) = braces::expand(&text, &mut sequence) else {
            return vec![self.marks.unknown(raw)];
        };
        let mut words = Vec::new();
        for text in texts {
            if !self.spend(text.len() + 2 * ENTRY) {
                return Vec::new();
            }
            let text = self.resolve_tilde(&text);
            for field in text.split(SPLIT) {
                if !field.is_empty() {
                    words.push(field.replace(QUOTE, ""));
                }
            }
        }
        words
    }

    /// Returns the text that a raw word becomes if it is not split, as in an assignment.
    pub(super) fn one(&mut self, raw: &str, place: &Place) -> String {
        self.expanded(raw, Mode::Text, place)
    }

    /// Returns the text that an assignment among the words of a command becomes: its value is not split.
    pub(super) fn assignment(&mut self, raw: &str, place: &Place) -> String {
        self.expanded(raw, Mode::Assignment, place)
    }

    /// Expands a text in which quotes are literal, such as the body of a here-document or an arithmetic expression.
    pub(super) fn quoted(&mut self, raw: &str, place: &Place) -> String {
        self.expanded(raw, Mode::Quoted, place)
    }

    fn expanded(&mut self, raw: &str, mode: Mode, place: &Place) -> String {
        if !self.spend(raw.len()) {
            return self.marks.unknown(raw);
        }
        if is_plain(raw) {
            return raw.to_owned();
        }
        let mut scanner = Scanner::new(self, raw, mode, place);
        match mode {
            Mode::Quoted => scanner.double(None),
            _ => scanner.unquoted(None),
        }
        let overlong = scanner.overlong && mode == Mode::Assignment;
        let text = scanner.text;
        if text.len() > MAX_LENGTH {
            self.fail(Unknown::bounds("makes up a word that is too long to be checked; split it up"));
            return self.marks.unknown(raw);
        }
        if overlong {
            self.problem(Problem::Syntax);
        }
        let text = braces::expand_nothing(&text);
        self.resolve_tilde(&text).replace([QUOTE, SPLIT], "")
    }

    /// Turns a leading `~` or `~user` into a home directory, and leaves any other `~` literal.
    fn resolve_tilde(&mut self, text: &str) -> String {
        if !text.contains(TILDE) {
            return text.to_owned();
        }
        let name_end = text.find('=').filter(|at| {
            let name = text.get(..*at).unwrap_or_default();
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        });
        let mut resolved = String::new();
        let mut rest = text;
        let mut at = 0;
        while let Some((before, after)) = rest.split_once(TILDE) {
            resolved.push_str(before);
            at += before.len();
            let is_start = at == 0 || name_end.is_some_and(|end| at == end + 1 || (at > end && before.ends_with(':')));
            at += TILDE.len_utf8();
            rest = after;
            if !is_start {
                resolved.push('~');
                continue;
            }
            let end = rest.find(['/', ':', SPLIT, TILDE, QUOTE]).unwrap_or(rest.len());
            let (user, tail) = rest.split_at_checked(end).unwrap_or((rest, ""));
            let home = match user {
                "" => self.home_directory(),
                "+" => self.variable("PWD"),
                "-" => self.variable("OLDPWD"),
                user => {
                    let is_name = user.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
                    let kind = if is_name { Kind::Home } else { Kind::Unknown };
                    self.marks.add(kind, &format!("~{user}")).to_string()
                }
            };
            resolved.push_str(&home);
            at += user.len();
            rest = tail;
        }
        resolved.push_str(rest);
        resolved
    }

    /// Returns what `~` expands to.
    fn home_directory(&mut self) -> String {
        if self.env.get("HOME").is_some() {
            return self.variable("HOME");
        }
        match &self.home {
            Some(home) if !self.env.homeless => home.clone(),
            _ => self.marks.add(Kind::Home, "~").to_string(),
        }
    }
}

/// Whether a raw word is literal.
fn is_plain(raw: &str) -> bool {
    !raw.is_empty()
        && raw.bytes().all(|b| {
            b.is_ascii_alphanumeric()
                || matches!(b, b'-' | b'_' | b'.' | b'/' | b'=' | b':' | b',' | b'+' | b'@' | b'%')
        })
}

/// A scanner that walks over raw text and collects its meaning.
struct Scanner<'s, 'e> {
    shell: &'e mut Shell,
    place: &'e Place,
    rest: &'s str,
    text: String,
    mode: Mode,
    /// Whether the text contains an unquoted character that ends a word. The parser accepts one after an opening
    /// bracket that is never closed.
    overlong: bool,
    /// Whether this is the value in `${x:-a b}`, which is split at spaces.
    operand: bool,
    /// How many parentheses are open, as in `x=(a b)`.
    parentheses: usize,
    /// The length of the end of the text that has no `]`.
    without_bracket: usize,
}

impl<'s, 'e> Scanner<'s, 'e> {
    fn new(shell: &'e mut Shell, raw: &'s str, mode: Mode, place: &'e Place) -> Self {
        let text = String::new();
        Self {
            shell,
            place,
            rest: raw,
            text,
            mode,
            overlong: false,
            operand: false,
            parentheses: 0,
            without_bracket: 0,
        }
    }

    /// Reads outside quotes, up to `end` or the end of the text.
    fn unquoted(&mut self, end: Option<char>) {
        while let Some(c) = self.next() {
            match c {
                c if Some(c) == end => return,
                '\\' => match self.next() {
                    Some('\n') => {}
                    Some(escaped) => self.text.push(escaped),
                    None => self.text.push('\\'),
                },
                '\'' => {
                    self.text.push(QUOTE);
                    let taken = self.take_until('\'');
                    self.text.push_str(taken);
                }
                '"' => {
                    self.text.push(QUOTE);
                    self.double(Some('"'));
                }
                '$' if self.skip("'") => {
                    self.text.push(QUOTE);
                    self.ansi_c();
                }
                '$' if self.skip("\"") => {
                    self.text.push(QUOTE);
                    self.double(Some('"'));
                }
                '$' => self.dollar(false),
                '`' => self.backquoted(false),
                '<' | '>' if self.rest.starts_with('(') => {
                    self.next();
                    self.process(c);
                }
                // This is zsh's, a syntax error elsewhere.
                '=' if self.mode == Mode::Words && self.text.is_empty() && self.rest.starts_with('(') => {
                    self.next();
                    self.process(c);
                }
                '*' | '?' | '[' if self.mode == Mode::Words => self.glob(c),
                '~' => self.text.push(TILDE),
                '{' => self.text.push(braces::OPEN),
                ',' => self.text.push(braces::COMMA),
                '}' => self.text.push(braces::CLOSE),
                ' ' | '\t' | '\n' if self.operand => self.text.push(SPLIT),
                c => {
                    self.text.push(c);
                    self.note(c, end);
                }
            }
        }
    }

    fn glob(&mut self, c: char) {
        // `[` alone is a command, and without `]` it is not a wildcard.
        if c == '[' && self.rest.len() <= self.without_bracket {
            self.text.push(c);
            return;
        }
        if c == '[' && !self.rest.contains(']') {
            self.without_bracket = self.rest.len();
            self.text.push(c);
            return;
        }
        let mark = self.shell.marks.add(Kind::Glob, c.encode_utf8(&mut [0; 4]));
        self.text.push(mark);
    }

    /// Notes an unquoted character that ends a word.
    fn note(&mut self, c: char, end: Option<char>) {
        let ends_word = match c {
            ' ' | '\t' | '\n' | '|' => self.parentheses == 0,
            ';' | '&' => true,
            _ => false,
        };
        self.overlong |= ends_word && end.is_none();
        match c {
            '(' => self.parentheses += 1,
            ')' => self.parentheses = self.parentheses.saturating_sub(1),
            _ => {}
        }
    }

    /// Reads by the rules of double quotes, up to `end` or the end of the text.
    fn double(&mut self, end: Option<char>) {
        while let Some(c) = self.next() {
            match c {
                c if Some(c) == end => return,
                '\\' => match self.next() {
                    Some('\n') => {}
                    None => self.text.push('\\'),
                    Some(c @ ('$' | '`' | '\\')) => self.text.push(c),
                    Some('"') if end.is_some() => self.text.push('"'),
                    Some(c) => self.text.extend(['\\', c]),
                },
                '$' => self.dollar(true),
                '`' => self.backquoted(true),
                c => self.text.push(c),
            }
        }
    }

    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next();
        self.rest = chars.as_str();
        c
    }

    fn skip(&mut self, prefix: &str) -> bool {
        let rest = self.rest.strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Takes the text before `end` and drops `end` itself.
    fn take_until(&mut self, end: char) -> &'s str {
        let (taken, rest) = self.rest.split_once(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    /// Adds a mark for an unknown part.
    fn unknown(&mut self, raw: &str) {
        let mark = self.shell.marks.add(Kind::Unknown, raw);
        self.text.push(mark);
    }

    /// Adds the value of an expansion: outside quotes, it is split, and its wildcards are active.
    fn insert(&mut self, value: &str, quoted: bool) {
        // Texts that are too long are discarded at the end.
        if self.text.len() > MAX_LENGTH || !self.shell.spend(value.len()) {
            return;
        }
        if quoted || self.mode != Mode::Words {
            self.text.push_str(value);
            return;
        }
        let separators = self.shell.separators();
        for c in value.chars() {
            match c {
                c if separators.contains(c) => self.text.push(SPLIT),
                '*' | '?' | '[' => {
                    let mark = self.shell.marks.add(Kind::Glob, c.encode_utf8(&mut [0; 4]));
                    self.text.push(mark);
                }
                c => self.text.push(c),
            }
        }
    }
}
