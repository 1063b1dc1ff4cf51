//! The tokens of an SQL text, as one dialect reads it.

use super::dialect::Dialect;
use crate::UNKNOWN;
use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Chars;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A keyword or a name.
    Word,
    /// A name in quotes, or a string in double quotes.
    Quoted,
    /// A string.
    Text,
    /// A number.
    Number,
    /// Any other character.
    Mark,
}

/// A token. For a quoted token, `text` is the part between the quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    /// The position of `text` in the whole text.
    pub(super) start: usize,
    /// The quote that the text doubles where it means the quote itself.
    quote: Option<char>,
    /// Whether a backslash in the text escapes the next character.
    escapes: bool,
    /// Whether the token is alone on its line.
    pub(super) alone: bool,
}

impl<'a> Token<'a> {
    pub(super) fn is(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text.eq_ignore_ascii_case(word)
    }

    pub(super) fn is_any(&self, words: &[&str]) -> bool {
        self.kind == Kind::Word && words.iter().any(|word| self.text.eq_ignore_ascii_case(word))
    }

    pub(super) fn is_mark(&self, mark: &str) -> bool {
        self.kind == Kind::Mark && self.text == mark
    }

    /// Whether the token can be a name.
    pub(super) fn is_name(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Quoted)
    }

    /// Whether the token can be a string. MySQL and BigQuery also put strings in double quotes; what is a name has no
    /// space, most often.
    pub(super) fn is_string(&self) -> bool {
        let is_name = matches!(self.quote, Some('`' | ']')) || !self.text.contains(char::is_whitespace);
        self.kind == Kind::Text || self.kind == Kind::Quoted && !is_name
    }

    /// Returns the text that a string stands for, without doubled quotes and escapes.
    pub(super) fn value(&self) -> Cow<'a, str> {
        let has_quote = self.quote.is_some_and(|quote| self.text.contains(quote));
        if !(has_quote || self.escapes && self.text.contains('\\')) {
            return Cow::Borrowed(self.text);
        }
        let mut value = String::with_capacity(self.text.len());
        let mut rest = self.text.chars().peekable();
        while let Some(c) = rest.next() {
            if c == '\\' && self.escapes {
                value.extend(escaped(&mut rest));
                continue;
            }
            if Some(c) == self.quote {
                rest.next_if_eq(&c);
            }
            value.push(c);
        }
        Cow::Owned(value)
    }
}

/// Reads what comes after a backslash: `n`, `x41`, `u0041`, `101`.
fn escaped(rest: &mut Peekable<Chars<'_>>) -> Option<char> {
    match rest.next()? {
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        'x' => numbered(rest, 0, 2, 16),
        'u' => numbered(rest, 0, 4, 16),
        'U' => numbered(rest, 0, 8, 16),
        c => match c.to_digit(8) {
            Some(digit) => numbered(rest, digit, 2, 8),
            None => Some(c),
        },
    }
}

/// Reads the number of a character, after its first digit.
fn numbered(rest: &mut Peekable<Chars<'_>>, first: u32, digits: usize, radix: u32) -> Option<char> {
    let mut number = first;
    for _ in 0..digits {
        let Some(digit) = rest.peek().and_then(|c| c.to_digit(radix)) else { break };
        number = number * radix + digit;
        rest.next();
    }
    char::from_u32(number)
}

/// A text as one dialect reads it.
pub(super) struct Reading<'a> {
    pub(super) tokens: Vec<Token<'a>>,
    /// The reason why the dialect would refuse the text, if the lexer can tell.
    pub(super) fault: Option<&'static str>,
}

/// The fault for dollar-quoted strings, which the dialect reads as names.
pub(super) const DOLLARS: &str = "dollar-quoted strings";

/// Splits a text into tokens.
pub(super) fn read<'a>(text: &'a str, dialect: &Dialect) -> Reading<'a> {
    let mut lexer = Lexer { text, at: 0, dialect, tokens: Vec::new(), fault: None, new_line: true };
    while lexer.at < text.len() {
        lexer.next();
    }
    Reading { tokens: lexer.tokens, fault: lexer.fault }
}

struct Lexer<'a, 'd> {
    text: &'a str,
    at: usize,
    dialect: &'d Dialect,
    tokens: Vec<Token<'a>>,
    fault: Option<&'static str>,
    /// Whether no token comes before this position on the line.
    new_line: bool,
}

impl<'a> Lexer<'a, '_> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn fault(&mut self, what: &'static str) {
        self.fault.get_or_insert(what);
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize, next: usize) {
        let text = self.text.get(start..end).unwrap_or_default();
        let mut after = self.text.get(next..).unwrap_or_default().bytes();
        let ends_line = after.find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')).is_none_or(|byte| byte == b'\n');
        self.tokens.push(Token { kind, text, start, quote: None, escapes: false, alone: self.new_line && ends_line });
        self.new_line = false;
        self.at = next;
    }

    fn next(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            self.at = self.text.len();
            return;
        };
        let d = self.dialect;
        match first {
            '\n' => {
                self.new_line = true;
                self.at += 1;
            }
            ' ' | '\t' | '\r' | '\u{b}' | '\u{c}' => self.at += 1,
            // SQLite skips a byte order mark between words.
            '\u{feff}' => self.at += first.len_utf8(),
            '-' if rest.starts_with("--") && self.is_dash_comment(rest) => self.line_comment(),
            '#' if d.hash_comment => self.line_comment(),
            '/' if d.slashes && rest.starts_with("//") => self.line_comment(),
            '/' if d.run_comment && (rest.starts_with("/*!") || rest.starts_with("/*M!")) => {
                // The content is executed, up to the `*/`, which is left as two meaningless tokens.
                let version =
                    rest.trim_start_matches(['/', '*', 'M', '!']).trim_start_matches(|c: char| c.is_ascii_digit());
                self.at = self.text.len() - version.len();
            }
            '*' if d.run_comment && rest.starts_with("*/") => self.at += 2,
            '/' if rest.starts_with("/*") => self.block_comment(),
            '\'' => self.string(first, Kind::Text, d.backslash),
            '"' => self.string(first, Kind::Quoted, d.backslash),
            '`' if d.backtick => self.string(first, Kind::Quoted, false),
            '[' if d.bracket => self.string(']', Kind::Quoted, false),
            '`' => {
                self.fault("a backquote");
                self.mark(first);
            }
            '$' if d.dollar && self.dollar(rest) => {}
            '\0' => {
                self.fault("a NUL character");
                self.mark(first);
            }
            '\\' => {
                self.fault("a backslash outside of a string");
                self.mark(first);
            }
            c if is_word(c) && !c.is_ascii_digit() => self.word(rest),
            c if c.is_ascii_digit() => {
                let end = rest.find(|c: char| !is_word(c) && c != '.').unwrap_or(rest.len());
                self.push(Kind::Number, self.at, self.at + end, self.at + end);
            }
            // Some databases skip a no-break space, others refuse it.
            c if c.is_whitespace() => {
                self.fault("an unusual character");
                self.at += c.len_utf8();
            }
            c => self.mark(c),
        }
    }

    fn mark(&mut self, c: char) {
        let end = self.at + c.len_utf8();
        if !c.is_ascii() {
            self.fault("an unusual character");
        }
        self.push(Kind::Mark, self.at, end, end);
    }

    fn is_dash_comment(&self, rest: &str) -> bool {
        let after = rest.chars().nth(2);
        !self.dialect.dashes_need_space || after.is_none_or(|c| c.is_whitespace() || c.is_control())
    }

    fn line_comment(&mut self) {
        let rest = self.rest();
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        self.at += end;
        // Some dialects end a line at a carriage return.
        if let Some(next) = rest.get(end..).and_then(|rest| rest.strip_prefix('\r'))
            && !(next.is_empty() || next.starts_with('\n'))
        {
            self.fault("a carriage return in a comment");
            self.at += 1;
            self.new_line = true;
        }
    }

    fn block_comment(&mut self) {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let (mut at, mut depth) = (2, 1);
        while depth > 0 {
            let Some(found) = rest.get(at..).and_then(|rest| rest.find(['*', '/'])) else {
                self.fault("a comment without end");
                at = rest.len();
                break;
            };
            at += found;
            match (bytes.get(at), bytes.get(at + 1)) {
                (Some(b'*'), Some(b'/')) => {
                    depth -= 1;
                    at += 2;
                }
                (Some(b'/'), Some(b'*')) if self.dialect.nested => {
                    depth += 1;
                    at += 2;
                }
                _ => at += 1,
            }
        }
        self.at += at;
    }

    /// Reads something in quotes.
    fn string(&mut self, end: char, kind: Kind, escapes: bool) {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let quote = u8::try_from(end).unwrap_or(b'\'');
        let is_triple = self.dialect.triple && matches!(end, '\'' | '"') && bytes.starts_with(&[quote; 3]);
        let width = if is_triple { 3 } else { 1 };
        let mut at = width;
        loop {
            match bytes.get(at) {
                None => {
                    self.fault("a string without end");
                    self.push(kind, self.at + width.min(rest.len()), self.text.len(), self.text.len());
                    break;
                }
                Some(b'\\') if escapes => at += 2,
                Some(&byte) if byte == quote && is_triple => {
                    if bytes.get(at..at + 3) == Some(&[quote; 3]) {
                        self.push(kind, self.at + width, self.at + at, self.at + at + width);
                        break;
                    }
                    at += 1;
                }
                Some(&byte) if byte == quote => {
                    if bytes.get(at + 1) != Some(&quote) {
                        self.push(kind, self.at + width, self.at + at, self.at + at + width);
                        break;
                    }
                    at += 2;
                }
                Some(_) => at += 1,
            }
        }
        if let Some(token) = self.tokens.last_mut() {
            token.quote = (!is_triple).then_some(end);
            token.escapes = escapes;
        }
    }

    /// Reads a dollar-quoted string. Returns whether this was one.
    fn dollar(&mut self, rest: &'a str) -> bool {
        let Some(tag_end) = rest.get(1..).and_then(|rest| rest.find('$')).map(|at| at + 2) else {
            return false;
        };
        let tag = rest.get(..tag_end).unwrap_or_default();
        let name = tag.trim_matches('$');
        if name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            return false;
        }
        let body = rest.get(tag_end..).unwrap_or_default();
        let start = self.at + tag_end;
        match body.find(tag) {
            Some(end) => self.push(Kind::Text, start, start + end, start + end + tag.len()),
            None => {
                self.fault("a string without end");
                self.push(Kind::Text, start, self.text.len(), self.text.len());
            }
        }
        true
    }

    /// Reads a word, or a string with a prefix.
    fn word(&mut self, rest: &'a str) {
        let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        let word = rest.get(..end).unwrap_or_default();
        if rest.get(end..).is_some_and(|rest| rest.starts_with('\'')) {
            let is = |prefixes: &[&str]| prefixes.iter().any(|prefix| word.eq_ignore_ascii_case(prefix));
            if self.dialect.q_string && is(&["q", "nq"]) {
                self.at += end;
                return self.q_string();
            }
            if is(&["e", "n", "b", "x", "r", "br", "rb", "_utf8", "_utf8mb4"]) {
                self.at += end;
                return self.string('\'', Kind::Text, self.dialect.backslash || is(&["e"]));
            }
        }
        if word.contains("$$") {
            self.fault(DOLLARS);
        }
        if word.contains(UNKNOWN) {
            self.fault("a part that is not known");
        }
        self.push(Kind::Word, self.at, self.at + end, self.at + end);
    }

    /// Reads `q'[…]'`, starting at its quote.
    fn q_string(&mut self) {
        let rest = self.rest();
        let Some(open) = rest.chars().nth(1) else {
            self.fault("a string without end");
            self.at = self.text.len();
            return;
        };
        let close = match open {
            '[' => ']',
            '{' => '}',
            '(' => ')',
            '<' => '>',
            other => other,
        };
        let start = 1 + open.len_utf8();
        let end = format!("{close}'");
        match rest.get(start..).and_then(|body| body.find(&end)) {
            Some(at) => self.push(Kind::Text, self.at + start, self.at + start + at, self.at + start + at + end.len()),
            None => {
                self.fault("a string without end");
                self.push(Kind::Text, self.at + start, self.text.len(), self.text.len());
            }
        }
    }
}

fn is_word(c: char) -> bool {
    // A part that is not known is most often a name: `DROP TABLE ${PREFIX}_users`.
    c.is_alphanumeric() || matches!(c, '_' | '@' | '$' | UNKNOWN)
}
